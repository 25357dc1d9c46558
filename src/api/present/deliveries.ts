import {
  type Delivery,
  type DeliveryBatch,
  type DeliverySettings,
  type Destination,
  type DestinationFigures,
  holdOf,
  NO_FIGURES,
  type PlannedDelivery,
  type Rendition,
} from '../../delivery/index.ts';
import type { BatchOut, DeliveryOut } from '../wire/deliveries.ts';
import type { DestinationOut } from '../wire/destinations.ts';

/** A destination as it is answered: of its secrets only whether there are any. */
export function presentDestination(
  destination: Destination,
  { now, figures = NO_FIGURES }: { readonly now: Date; readonly figures?: DestinationFigures | undefined },
): DestinationOut {
  const hold = holdOf(destination, now);
  const { window } = destination;
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
    bandwidth_limit: destination.bandwidthLimit,
    window: window && { ...window, days: [...window.days] },
    paused: destination.paused,
    rendition: presentRendition(destination.rendition),
    circuit: destination.circuit,
    retry_at: destination.circuitRetryAt?.toISOString() ?? null,
    on_hold: hold ? { reason: hold.reason, until: hold.until?.toISOString() ?? null } : null,
    health: presentHealth(destination, figures),
    created_at: destination.createdAt.toISOString(),
    updated_at: destination.updatedAt.toISOString(),
    version: destination.version,
  };
}

function presentHealth(destination: Destination, figures: DestinationFigures): DestinationOut['health'] {
  const { lastErrorAt, lastErrorCode: code, lastErrorReason } = destination;
  return {
    consecutive_failures: destination.consecutiveFailures,
    last_success_at: figures.lastSuccessAt?.toISOString() ?? null,
    last_error:
      lastErrorAt && code !== null ? { at: lastErrorAt.toISOString(), code, reason: lastErrorReason ?? code } : null,
    queued: figures.queued,
    running: figures.running,
    last_hour: {
      succeeded: figures.succeeded,
      failed: figures.failed,
      bytes: figures.bytes,
      p50_ms: figures.p50Ms,
      bytes_per_second: figures.bytesPerSecond,
    },
  };
}

const presentRendition = (rendition: Rendition | null): DestinationOut['rendition'] => rendition && { ...rendition };

const failureOf = (code: string | null, reason: string | null) =>
  code === null ? null : { code, reason: reason ?? code };

const presentSettings = (settings: DeliverySettings | null | undefined): DeliveryOut['settings'] =>
  settings === null || settings === undefined
    ? null
    : {
        ...(settings.collision !== undefined && { collision: settings.collision }),
        ...(settings.sidecar !== undefined && { sidecar: settings.sidecar }),
        ...(settings.embedMetadata !== undefined && { embed_metadata: settings.embedMetadata }),
      };

export function presentDelivery(
  delivery: Delivery,
  { destination, now }: { readonly destination: Destination | undefined; readonly now: Date },
): DeliveryOut {
  return {
    id: delivery.id,
    destination_id: delivery.destinationId,
    batch: delivery.batch,
    media_id: delivery.mediaId,
    quality: delivery.quality,
    rendition: presentRendition(delivery.rendition),
    state: delivery.state,
    path: delivery.receipt?.path ?? delivery.targetPath ?? delivery.path,
    bytes: delivery.bytes,
    sha256: delivery.sha256,
    progress: Math.round(delivery.progress * 1000) / 1000,
    attempts: [...delivery.attempts],
    ...waitOf(delivery, { destination, now }),
    receipt: delivery.receipt,
    failure: failureOf(delivery.errorCode, delivery.errorReason),
    settings: presentSettings(delivery.settings),
    created_by: delivery.createdBy,
    rule_id: delivery.ruleId,
    created_at: delivery.createdAt.toISOString(),
    updated_at: delivery.updatedAt.toISOString(),
    finished_at: delivery.finishedAt?.toISOString() ?? null,
    version: delivery.version,
  };
}

/** When a queued one may start, and what keeps it from it. */
function waitOf(
  { state, nextAttemptAt, rendition, attempts }: Delivery,
  { destination, now }: { readonly destination: Destination | undefined; readonly now: Date },
): Pick<DeliveryOut, 'next_attempt_at' | 'waiting_for'> {
  if (state !== 'queued') return { next_attempt_at: null, waiting_for: null };
  const hold = destination && holdOf(destination, now);
  if (hold?.until === null) return { next_attempt_at: null, waiting_for: hold.reason };
  if (hold?.until && hold.until >= nextAttemptAt) {
    return { next_attempt_at: hold.until.toISOString(), waiting_for: hold.reason };
  }
  const waits = rendition?.kind === 'clip' && attempts.length === 0 ? 'clip' : 'retry';
  return { next_attempt_at: nextAttemptAt.toISOString(), waiting_for: nextAttemptAt > now ? waits : null };
}

/** The deliveries of one request together. */
export function presentBatch(found: DeliveryBatch): BatchOut {
  const { states, total, bytesTotal, bytesDone } = found;
  const ended = total - states.queued - states.running;
  const ratio = bytesTotal > 0 && bytesDone < bytesTotal ? bytesDone / bytesTotal : ended / total;
  return {
    batch: found.batch,
    destination_id: found.destinationId,
    total,
    states: { ...states },
    bytes_total: bytesTotal,
    bytes_done: bytesDone,
    progress: Math.round(ratio * 1000) / 1000,
    created_by: found.createdBy,
    rule_id: found.ruleId,
    created_at: found.createdAt.toISOString(),
    finished_at: found.finishedAt?.toISOString() ?? null,
  };
}

/** What a dry run answers. */
export function presentPlanned(
  planned: PlannedDelivery,
  { destinationId, settings }: { readonly destinationId: number; readonly settings?: DeliverySettings | undefined },
): DeliveryOut {
  return {
    id: null,
    destination_id: destinationId,
    batch: null,
    media_id: planned.mediaId,
    quality: planned.quality,
    rendition: presentRendition(planned.rendition),
    state: planned.state,
    path: planned.path,
    bytes: planned.bytes,
    sha256: planned.sha256,
    progress: 0,
    attempts: [],
    next_attempt_at: null,
    waiting_for: null,
    receipt: null,
    failure: failureOf(planned.errorCode, planned.errorReason),
    settings: presentSettings(settings),
    created_by: null,
    rule_id: null,
    created_at: null,
    updated_at: null,
    finished_at: null,
    version: 0,
  };
}
