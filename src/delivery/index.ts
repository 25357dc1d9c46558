export type { DestinationChannel } from './channel.ts';
export { createChannels } from './channels/index.ts';
export { type DeliveryBatch, findDeliveryBatch, listDeliveryBatches } from './delivery-batch-store.ts';
export { planDeliveries } from './delivery-plan.ts';
export { findRunningDeliveries } from './delivery-progress-store.ts';
export {
  type DeliveryCause,
  type DeliveryRequest,
  MAX_FILES,
  prepareDeliveries,
  type QueuedDeliveries,
  queueDeliveries,
  storeDeliveries,
} from './delivery-queue.ts';
export type { DeliveryMetadata, WrittenFile } from './delivery-source.ts';
export {
  cancelDeliveries,
  type DeliveryChoice,
  findDeliveries,
  findDelivery,
  listDeliveries,
  replayDeliveries,
} from './delivery-store.ts';
export {
  type Delivery,
  DELIVERY_STATES,
  type DeliverySettings,
  type DeliveryState,
  type PlannedDelivery,
} from './delivery-types.ts';
export { checkWindow, type DeliveryWindow, WINDOW_DAYS } from './delivery-window.ts';
export { findUnfinished } from './delivery-run-store.ts';
export { type DestinationFigures, findDestinationFigures, NO_FIGURES } from './destination-health-store.ts';
export { type Hold, holdOf } from './destination-hold.ts';
export {
  deleteDestination,
  findDestination,
  findDestinations,
  insertDestination,
  listDestinations,
  updateDestination,
} from './destination-store.ts';
export {
  COLLISIONS,
  DELIVERED_QUALITIES,
  type Destination,
  DESTINATION_STATUSES,
  type DestinationFields,
  SIDECARS,
} from './destination-types.ts';
export { createDeliveries, type Deliveries, VERIFY_STEP_STATUSES, VERIFY_STEPS } from './destinations.ts';
export { parsePathTemplate } from './path-template.ts';
export type { DeliveryPictures, ImageRendition, Rendition } from './rendition.ts';
