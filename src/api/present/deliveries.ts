import type { Delivery, Destination, PlannedDelivery } from '../../delivery/index.ts';
import type { DeliveryOut, DestinationOut } from '../wire/destinations.ts';

/** A destination as it is answered: of its secrets only whether there are any. */
export function presentDestination(destination: Destination): DestinationOut {
  return {
    id: destination.id,
    name: destination.name,
    kind: destination.kind,
    config: { ...destination.config },
    has_secrets: destination.secrets !== null,
    path_template: destination.pathTemplate,
    collision: destination.collision,
    qualities: [...destination.qualities],
    sidecar: destination.sidecar,
    embed_metadata: destination.embedMetadata,
    concurrency: destination.concurrency,
    status: destination.status,
    failure: failureOf(destination.failureCode, destination.failureReason),
    last_verified_at: destination.lastVerifiedAt?.toISOString() ?? null,
    created_at: destination.createdAt.toISOString(),
    updated_at: destination.updatedAt.toISOString(),
    version: destination.version,
  };
}

const failureOf = (code: string | null, reason: string | null) =>
  code === null ? null : { code, reason: reason ?? code };

export function presentDelivery(delivery: Delivery): DeliveryOut {
  return {
    id: delivery.id,
    destination_id: delivery.destinationId,
    batch: delivery.batch,
    media_id: delivery.mediaId,
    quality: delivery.quality,
    state: delivery.state,
    path: delivery.receipt?.path ?? delivery.targetPath ?? delivery.path,
    bytes: delivery.bytes,
    sha256: delivery.sha256,
    progress: Math.round(delivery.progress * 1000) / 1000,
    attempts: [...delivery.attempts],
    next_attempt_at: delivery.state === 'queued' ? delivery.nextAttemptAt.toISOString() : null,
    receipt: delivery.receipt,
    failure: failureOf(delivery.errorCode, delivery.errorReason),
    created_by: delivery.createdBy,
    created_at: delivery.createdAt.toISOString(),
    updated_at: delivery.updatedAt.toISOString(),
    finished_at: delivery.finishedAt?.toISOString() ?? null,
    version: delivery.version,
  };
}

/** What a dry run answers. */
export function presentPlanned(planned: PlannedDelivery, destinationId: number): DeliveryOut {
  return {
    id: null,
    destination_id: destinationId,
    batch: null,
    media_id: planned.mediaId,
    quality: planned.quality,
    state: planned.state,
    path: planned.path,
    bytes: planned.bytes,
    sha256: planned.sha256,
    progress: 0,
    attempts: [],
    next_attempt_at: null,
    receipt: null,
    failure: failureOf(planned.errorCode, planned.errorReason),
    created_by: null,
    created_at: null,
    updated_at: null,
    finished_at: null,
    version: 0,
  };
}
