export type { DestinationChannel } from './channel.ts';
export { createChannels } from './channels/index.ts';
export { type PlanRequest, planDeliveries } from './delivery-plan.ts';
export type { DeliveryMetadata, WrittenMetadata } from './delivery-source.ts';
export { cancelDelivery, findDelivery, insertDeliveries, listDeliveries, replayDelivery } from './delivery-store.ts';
export { type Delivery, DELIVERY_STATES, type DeliveryState, type PlannedDelivery } from './delivery-types.ts';
export {
  deleteDestination,
  findDestination,
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
export { createDeliveries, type Deliveries } from './destinations.ts';
export { parsePathTemplate } from './path-template.ts';
export { openSecretBox, parseSecretKey, type SecretBox } from './secret-box.ts';
