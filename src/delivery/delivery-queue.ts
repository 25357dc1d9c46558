import { randomUUID } from 'node:crypto';
import type { LibraryScope } from '../auth/index.ts';
import { AppError, type Clock, invalidField } from '../base/index.ts';
import type { Queryable } from '../db/index.ts';
import type { Jobs } from '../jobs/index.ts';
import { findOrganization, type LibraryWrite } from '../library/index.ts';
import type { DestinationChannel } from './channel.ts';
import { countFiles, planDeliveries, type PlanSubject, withoutDelivered } from './delivery-plan.ts';
import { findBatchOfRun, insertDeliveries } from './delivery-store.ts';
import type { DeliverySettings, PlannedDelivery } from './delivery-types.ts';
import { findDestination } from './destination-store.ts';
import type { DeliveredQuality, Destination } from './destination-types.ts';
import { parsePathTemplate } from './path-template.ts';
import type { DeliveryPictures, ImageRendition } from './rendition.ts';

/** Files of one request. */
export const MAX_FILES = 10_000;

export type QueueDeps = {
  readonly channels: ReadonlyMap<string, DestinationChannel>;
  readonly pictures: Pick<DeliveryPictures, 'plan' | 'check'>;
  readonly jobs: Pick<Jobs, 'enqueue'>;
  readonly clock: Clock;
};

/** The run of a rule that asks; a run that asks twice for one destination gets the batch that it has. */
export type DeliveryCause = { readonly ruleId: number; readonly run: string };

export type DeliveryRequest = {
  readonly destinationId: number;
  /** Each once; empty where there are clips. */
  readonly mediaIds: readonly number[];
  /** Finished or still being made, each once; nothing else of the request is delivered then. */
  readonly clipIds?: readonly number[] | undefined;
  /** Qualities, or a picture made of each; default what the destination has. */
  readonly qualities?: readonly DeliveredQuality[] | undefined;
  readonly rendition?: ImageRendition | undefined;
  /** In place of the template of the destination, and of its other settings. */
  readonly pathTemplate?: string | undefined;
  readonly settings?: DeliverySettings | undefined;
  /** Also assets that are not free for use at present; the caller has checked that this is allowed. */
  readonly includeRestricted: boolean;
  /** Also what has been delivered before. */
  readonly again: boolean;
  /** Name of the API key or of the rule. */
  readonly createdBy: string;
  readonly cause?: DeliveryCause | undefined;
};

export type PreparedDeliveries = {
  readonly request: DeliveryRequest;
  readonly destination: Destination;
  readonly planned: readonly PlannedDelivery[];
  /** Those of `mediaIds`, or of `clipIds`, that are in the library. */
  readonly found: ReadonlySet<number>;
};

export type QueuedDeliveries = {
  /** Names those of this request in lists. */
  readonly batch: string;
  /** Empty when `isRepeated`. */
  readonly planned: readonly PlannedDelivery[];
  /** The run of the rule had asked before; nothing was queued. */
  readonly isRepeated: boolean;
};

/**
 * What a request comes to, path by path; writes nothing. `reserveIds: false` leaves all IDs 0.
 * @throws AppError `not_found` for the destination, `capability_missing`, `validation_failed` for too many files
 */
export async function prepareDeliveries(
  deps: Omit<QueueDeps, 'jobs'>,
  from: { readonly db: Queryable; readonly scope: LibraryScope; readonly reserveIds: boolean },
  request: DeliveryRequest,
): Promise<PreparedDeliveries> {
  const { db, scope, reserveIds } = from;
  const destination = await getDestination(db, scope, request.destinationId);
  const channel = deps.channels.get(destination.kind);
  if (!channel)
    throw new AppError('capability_missing', `This version knows no destinations of kind ${destination.kind}.`);
  const subject = subjectOf(request, destination);
  const files = countFiles(subject);
  if (files > MAX_FILES) {
    throw invalidField('', `expected at most ${MAX_FILES} files, received ${files}`);
  }
  if ('rendition' in subject) await deps.pictures.check(scope, subject.rendition.params);
  const template = request.pathTemplate ?? destination.pathTemplate;
  const { planned, found } = await planDeliveries(
    deps,
    { db, scope },
    {
      destination: { ...destination, ...request.settings },
      template: parsePathTemplate(template, { rules: channel.names, pointer: '/path_template' }),
      rules: channel.names,
      subject,
      organization: (await findOrganization(db, scope.organizationId))?.slug ?? '',
      includeRestricted: request.includeRestricted,
      again: request.again,
      reserveIds,
      now: deps.clock.now(),
    },
  );
  return { request, destination, planned, found };
}

function subjectOf(request: DeliveryRequest, destination: Destination): PlanSubject {
  const { mediaIds, clipIds, qualities } = request;
  if (clipIds) return { clipIds };
  if (qualities) return { mediaIds, qualities };
  const rendition = request.rendition ?? destination.rendition;
  return rendition ? { mediaIds, rendition } : { mediaIds, qualities: destination.qualities };
}

async function getDestination(db: Queryable, scope: LibraryScope, id: number): Promise<Destination> {
  const found = await findDestination(db, scope, id);
  if (!found) throw new AppError('not_found', `There is no destination ${id}.`);
  return found;
}

/** Stores what was prepared, with its events and the job, in the caller's write. @throws AppError `not_found` */
export async function storeDeliveries(
  deps: Pick<QueueDeps, 'jobs'>,
  { tx, scope, record }: LibraryWrite,
  prepared: PreparedDeliveries,
): Promise<QueuedDeliveries> {
  const { request } = prepared;
  const { destinationId, cause } = request;
  // The write holds the library's lock: neither can appear or go behind this look.
  await getDestination(tx, scope, destinationId);
  const earlier = cause && (await findBatchOfRun(tx, scope, { destinationId, run: cause.run }));
  if (earlier !== undefined) return { batch: earlier, planned: [], isRepeated: true };
  const planned = request.again
    ? prepared.planned
    : await withoutDelivered(tx, scope, { destinationId, planned: prepared.planned });
  const batch = randomUUID();
  const { createdBy, includeRestricted, settings = null } = request;
  await insertDeliveries(tx, scope, {
    id: batch,
    destinationId,
    createdBy,
    includeRestricted,
    settings,
    cause,
    planned,
  });
  for (const one of planned) {
    const data = { destination_id: destinationId, media_id: one.mediaId, ...(cause && { rule_id: cause.ruleId }) };
    if (one.state === 'queued') record({ type: 'delivery.queued', objectId: one.id, data });
    if (one.state === 'failed') record({ type: 'delivery.failed', objectId: one.id, data });
  }
  if (planned.some((one) => one.state === 'queued')) {
    await deps.jobs.enqueue(tx, 'delivery.run', { organizationId: scope.organizationId, destinationId });
  }
  return { batch, planned, isRepeated: false };
}

/**
 * Queues deliveries in the caller's write: one a file, with their events and the job that sends them.
 * @throws AppError as `prepareDeliveries`
 */
export async function queueDeliveries(
  deps: QueueDeps,
  write: LibraryWrite,
  request: DeliveryRequest,
): Promise<QueuedDeliveries> {
  const from = { db: write.tx, scope: write.scope, reserveIds: true };
  return storeDeliveries(deps, write, await prepareDeliveries(deps, from, request));
}
