import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { openCursor, requireScopes, sealCursor } from '../../auth/index.ts';
import { AppError, invalidField } from '../../base/index.ts';
import {
  cancelDelivery,
  type Delivery,
  findDelivery,
  findDestination,
  insertDeliveries,
  listDeliveries,
  parsePathTemplate,
  type PlannedDelivery,
  planDeliveries,
  replayDelivery,
} from '../../delivery/index.ts';
import { writeLibrary } from '../../library/index.ts';
import type { ApiDeps } from '../deps.ts';
import { principalOf } from '../plugins/principal.ts';
import { checkFound, readIfMatch, readLibraryVersion, setLibraryVersion } from '../plugins/versions.ts';
import { presentDelivery, presentPlanned } from '../present/deliveries.ts';
import { etagOfVersion } from '../present/media.ts';
import { organizationOf } from '../present/organization.ts';
import { abortWhenGone } from '../search-answer.ts';
import type { Api } from '../server.ts';
import { commonProblems, conflictProblem, IdParams, notFoundProblem, preconditionProblem } from '../wire/common.ts';
import {
  DeliveriesQueued,
  DeliveryAnswer,
  DeliveryBody,
  DeliveryList,
  DeliveryListQuery,
} from '../wire/destinations.ts';
import { checkAllFound } from './destinations.ts';
import type { Static } from 'typebox';

const tags = ['deliveries'];
const PURPOSE = 'deliveries';
const what = 'delivery';
const MAX_FILES = 10_000;
const MAX_SHOWN = 200;

export function registerDeliveryRoutes(app: Api, deps: ApiDeps): void {
  registerQueueing(app, deps);
  registerReading(app, deps);
  registerEnding(app, deps);
}

type Body = Static<typeof DeliveryBody>;

/** The assets of the request, each once. @throws AppError `validation_failed` and as a search does */
async function readMediaIds(
  deps: ApiDeps,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  body: Body,
): Promise<readonly number[]> {
  if ((body.media_ids === undefined) === (body.filter === undefined)) {
    const received = body.filter === undefined ? 'neither' : 'both';
    throw invalidField(
      body.filter === undefined ? '' : '/filter',
      `expected either media_ids or filter, received ${received}`,
    );
  }
  if (body.filter === undefined) return [...new Set(body.media_ids)];
  return deps.mediaSearch.findIds(principalOf(request).scope, body.filter, {
    version: readLibraryVersion(request),
    signal: abortWhenGone(reply),
    pointer: '/filter',
    limit: MAX_FILES,
  });
}

function summarize(planned: readonly PlannedDelivery[]) {
  const count = (state: PlannedDelivery['state']) => planned.filter((one) => one.state === state).length;
  return { total: planned.length, queued: count('queued'), skipped: count('skipped'), failed: count('failed') };
}

function registerQueueing(app: Api, deps: ApiDeps): void {
  const { db } = deps;
  app.post(
    '/v1/delivery',
    {
      config: { scopes: ['delivery.run'], idempotent: 'body', readsVersion: true },
      schema: {
        tags,
        operationId: 'createDeliveries',
        summary: 'Deliver assets to a destination',
        description:
          'One delivery a file, up to 10,000. Assets that are not free for use, and what has the same bytes at the same path ' +
          'already, are skipped. What a filter finds is fixed when the request is made.',
        body: DeliveryBody,
        response: { 200: DeliveriesQueued, 202: DeliveriesQueued, ...commonProblems, ...notFoundProblem },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const principal = principalOf(request);
      const { scope, key } = principal;
      const includeRestricted = body.include_restricted === true;
      if (includeRestricted) requireScopes(principal, ['delivery.run', 'admin']);
      const id = body.destination_id;
      const destination = checkFound(await findDestination(db, scope, id), { what: 'destination', id });
      const channel = deps.deliveries.channels.get(destination.kind);
      if (!channel)
        throw new AppError('capability_missing', `This version knows no destinations of kind ${destination.kind}.`);
      const mediaIds = await readMediaIds(deps, { request, reply }, body);
      const qualities = body.qualities ?? destination.qualities;
      if (mediaIds.length * qualities.length > MAX_FILES) {
        const files = mediaIds.length * qualities.length;
        throw invalidField('', `expected at most ${MAX_FILES} files, received ${files}`);
      }
      const dryRun = body.dry_run === true;
      const { planned, found } = await planDeliveries(db, scope, {
        destination,
        template: parsePathTemplate(destination.pathTemplate, { rules: channel.names, pointer: '/path_template' }),
        rules: channel.names,
        mediaIds,
        qualities,
        organization: (await organizationOf(deps, scope)).slug,
        includeRestricted,
        again: body.again === true,
        reserveIds: !dryRun,
        now: deps.clock.now(),
      });
      if (body.media_ids) checkAllFound(mediaIds, found);
      const summary = summarize(planned);
      if (dryRun) {
        const deliveries = planned.slice(0, MAX_SHOWN).map((one) => presentPlanned(one, id));
        return reply.code(200).send({ batch: null, ...summary, dry_run: true, deliveries });
      }
      const batch = randomUUID();
      const { result, version } = await writeLibrary(db, scope, async ({ tx, record }) => {
        await insertDeliveries(tx, scope, {
          id: batch,
          destinationId: id,
          createdBy: key.name,
          includeRestricted,
          planned,
        });
        for (const one of planned) {
          const data = { destination_id: id, media_id: one.mediaId };
          if (one.state === 'queued') record({ type: 'delivery.queued', objectId: one.id, data });
          if (one.state === 'failed') record({ type: 'delivery.failed', objectId: one.id, data });
        }
        const { organizationId } = scope;
        if (summary.queued > 0) await deps.jobs.enqueue(tx, 'delivery.run', { organizationId, destinationId: id });
        const beforeId = Number.MAX_SAFE_INTEGER;
        const ids = new Set(planned.slice(0, MAX_SHOWN).map((one) => one.id));
        const stored = await listDeliveries(tx, scope, { beforeId, limit: planned.length, batch });
        return stored.filter((one) => ids.has(one.id)).toReversed();
      });
      setLibraryVersion(reply, version);
      return reply.code(202).send({ batch, ...summary, dry_run: false, deliveries: result.map(presentDelivery) });
    },
  );
}

function registerReading(app: Api, deps: ApiDeps): void {
  const { db } = deps;
  app.get(
    '/v1/delivery',
    {
      config: { scopes: ['delivery.run'] },
      schema: {
        tags,
        summary: 'List deliveries, newest first',
        querystring: DeliveryListQuery,
        response: { 200: DeliveryList, ...commonProblems },
      },
    },
    async (request) => {
      const { scope } = principalOf(request);
      const { signingKey } = await organizationOf(deps, scope);
      const { limit, cursor, destination: destinationId, media: mediaId, state, batch } = request.query;
      const purpose = JSON.stringify([PURPOSE, destinationId, mediaId, state, batch]);
      const beforeId = cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(openCursor(signingKey, purpose, cursor));
      const query = { beforeId, limit: limit + 1, destinationId, mediaId, state, batch };
      const found = await listDeliveries(db, scope, query);
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : undefined;
      return {
        deliveries: page.map(presentDelivery),
        next_cursor: last ? sealCursor(signingKey, purpose, last.id) : null,
      };
    },
  );

  app.get(
    '/v1/delivery/:id',
    {
      config: { scopes: ['delivery.run'] },
      schema: {
        tags,
        summary: 'Read a delivery: how far it is, its tries, and its receipt',
        params: IdParams,
        response: { 200: DeliveryAnswer, ...commonProblems, ...notFoundProblem },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const found = checkFound(await findDelivery(db, principalOf(request).scope, id), { what, id });
      reply.header('ETag', etagOfVersion(found.version));
      return { delivery: presentDelivery(found) };
    },
  );
}

const wrongState = (delivery: Delivery, expected: string) =>
  new AppError('conflict', `Delivery ${delivery.id} is ${delivery.state}: expected one that ${expected}.`);

function registerEnding(app: Api, deps: ApiDeps): void {
  const { db } = deps;
  const response = {
    200: DeliveryAnswer,
    ...commonProblems,
    ...notFoundProblem,
    ...conflictProblem,
    ...preconditionProblem,
  };

  app.delete(
    '/v1/delivery/:id',
    {
      config: { scopes: ['delivery.run'] },
      schema: {
        tags,
        operationId: 'cancelDelivery',
        summary: 'Cancel a delivery',
        description: 'One that runs ends within 2 seconds. Nothing of the file appears at the target.',
        params: IdParams,
        response,
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      const { id } = request.params;
      const ifVersion = readIfMatch(request);
      const { result, version } = await writeLibrary(db, scope, async ({ tx }) => {
        const before = checkFound(await findDelivery(tx, scope, id), { what, id, ifVersion });
        const cancelled = await cancelDelivery(tx, scope, id);
        if (!cancelled) throw wrongState(before, 'waits or runs');
        return cancelled;
      });
      setLibraryVersion(reply, version);
      reply.header('ETag', etagOfVersion(result.version));
      return { delivery: presentDelivery(result) };
    },
  );

  app.post(
    '/v1/delivery/:id/replay',
    {
      config: { scopes: ['delivery.run'] },
      schema: {
        tags,
        summary: 'Deliver again what failed, was exhausted or cancelled',
        description: 'Goes on from what an earlier try left at the target, where there is something.',
        params: IdParams,
        response,
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      const { id } = request.params;
      const ifVersion = readIfMatch(request);
      const { result, version } = await writeLibrary(db, scope, async ({ tx, record }) => {
        const before = checkFound(await findDelivery(tx, scope, id), { what, id, ifVersion });
        // What failed before its first try has no path of its own.
        const isPlanned = before.attempts.length > 0 || before.state !== 'failed';
        const states = isPlanned ? (['failed', 'exhausted', 'cancelled'] as const) : [];
        const replayed = await replayDelivery(tx, scope, { id, states });
        if (!replayed) throw wrongState(before, 'was tried, and failed, was exhausted or cancelled');
        const data = { destination_id: replayed.destinationId, media_id: replayed.mediaId };
        record({ type: 'delivery.queued', objectId: id, data });
        const { organizationId } = scope;
        await deps.jobs.enqueue(tx, 'delivery.run', { organizationId, destinationId: replayed.destinationId });
        return replayed;
      });
      setLibraryVersion(reply, version);
      reply.header('ETag', etagOfVersion(result.version));
      return { delivery: presentDelivery(result) };
    },
  );
}
