import type { FastifyReply, FastifyRequest } from 'fastify';
import { type LibraryScope, requireScopes } from '../../auth/index.ts';
import { AppError, invalidField } from '../../base/index.ts';
import {
  cancelDeliveries,
  type Delivery,
  type DeliveryRequest,
  type DeliverySettings,
  findDeliveries,
  findDelivery,
  findDestination,
  findDestinations,
  listDeliveries,
  MAX_FILES,
  type PlannedDelivery,
  prepareDeliveries,
  replayDeliveries,
  storeDeliveries,
} from '../../delivery/index.ts';
import { writeLibrary } from '../../library/index.ts';
import { idOf, readCursorPage } from '../cursor-page.ts';
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
  type DeliveryOut,
} from '../wire/deliveries.ts';
import { checkRendition } from './destination-request.ts';
import type { Static } from 'typebox';

const tags = ['deliveries'];
const PURPOSE = 'deliveries';
const what = 'delivery';
const MAX_SHOWN = 200;

export function registerDeliveryRoutes(app: Api, deps: ApiDeps): void {
  registerQueueing(app, deps);
  registerReading(app, deps);
  registerEnding(app, deps);
}

type Body = Static<typeof DeliveryBody>;

type Subject = Pick<DeliveryRequest, 'mediaIds' | 'clipIds' | 'qualities' | 'rendition'>;

/** What is to be delivered, each once. @throws AppError `validation_failed` and as a search does */
async function readSubject(
  deps: ApiDeps,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  body: Body,
): Promise<Subject> {
  const { scope } = principalOf(request);
  const given = (['media_ids', 'clip_ids', 'filter'] as const).filter((name) => body[name] !== undefined);
  if (given.length !== 1) {
    const received = given.length === 0 ? 'none' : given.join(' and ');
    throw invalidField(
      given.length === 0 ? '' : `/${given[1]}`,
      `expected one of media_ids, clip_ids and filter, received ${received}`,
    );
  }
  const wanted = (['quality', 'qualities', 'rendition'] as const).filter((name) => body[name] !== undefined);
  const most = body.clip_ids ? 0 : 1;
  if (wanted.length > most) {
    const expected = body.clip_ids
      ? 'neither quality nor rendition for clips'
      : 'one of quality, qualities and rendition';
    throw invalidField(`/${wanted[most]}`, `expected ${expected}, received ${wanted.join(' and ')}`);
  }
  if (body.clip_ids) return { mediaIds: [], clipIds: [...new Set(body.clip_ids)] };
  const qualities = body.quality ? [body.quality] : body.qualities;
  const rendition = body.rendition && (await checkRendition(deps, scope, body.rendition));
  if (body.filter === undefined) return { mediaIds: [...new Set(body.media_ids)], qualities, rendition };
  const mediaIds = await deps.mediaSearch.findIds(scope, body.filter, {
    version: readLibraryVersion(request),
    signal: abortWhenGone(reply),
    pointer: '/filter',
    limit: MAX_FILES,
  });
  return { mediaIds, qualities, rendition };
}

function readSettings(body: Body): Pick<DeliveryRequest, 'pathTemplate' | 'settings'> {
  const { path_template: pathTemplate, collision, sidecar, embed_metadata: embedMetadata } = body;
  const settings: DeliverySettings = {
    ...(collision !== undefined && { collision }),
    ...(sidecar !== undefined && { sidecar }),
    ...(embedMetadata !== undefined && { embedMetadata }),
  };
  return { pathTemplate, ...(Object.keys(settings).length > 0 && { settings }) };
}

/** @throws AppError `not_found` that names the first asset or clip that is not there */
function checkAllThere(body: Body, found: ReadonlySet<number>): void {
  const missing = (body.clip_ids ?? body.media_ids ?? []).find((id) => !found.has(id));
  const kind = body.clip_ids ? 'clip' : 'asset';
  if (missing !== undefined) throw new AppError('not_found', `There is no ${kind} ${missing}.`);
}

/** With what keeps them waiting. */
async function presentAll(deps: ApiDeps, scope: LibraryScope, deliveries: readonly Delivery[]): Promise<DeliveryOut[]> {
  const now = deps.clock.now();
  const ids = [...new Set(deliveries.map(({ destinationId }) => destinationId))];
  const destinations = await findDestinations(deps.db, scope, ids);
  return deliveries.map((one) => presentDelivery(one, { destination: destinations.get(one.destinationId), now }));
}

async function presentOne(deps: ApiDeps, scope: LibraryScope, delivery: Delivery): Promise<{ delivery: DeliveryOut }> {
  const destination = await findDestination(deps.db, scope, delivery.destinationId);
  return { delivery: presentDelivery(delivery, { destination, now: deps.clock.now() }) };
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
          'already, are skipped. What a filter finds is fixed when the request is made. A path_template and settings of the request go ' +
          'before those of the destination.',
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
      const dryRun = body.dry_run === true;
      const { destination_id: destinationId } = body;
      const again = body.again === true;
      const subject = await readSubject(deps, { request, reply }, body);
      const prepared = await prepareDeliveries(
        { ...deps.deliveries, clock: deps.clock },
        { db, scope, reserveIds: !dryRun },
        { ...subject, ...readSettings(body), destinationId, includeRestricted, again, createdBy: key.name },
      );
      checkAllThere(body, prepared.found);
      if (dryRun) {
        const { settings } = prepared.request;
        const shown = prepared.planned.slice(0, MAX_SHOWN);
        const deliveries = shown.map((one) => presentPlanned(one, { destinationId, settings }));
        return reply.code(200).send({ batch: null, ...summarize(prepared.planned), dry_run: true, deliveries });
      }
      const { result, version } = await writeLibrary(db, scope, async (write) => {
        const { batch, planned } = await storeDeliveries(deps, write, prepared);
        const ids = planned.slice(0, MAX_SHOWN).map((one) => one.id);
        return { batch, summary: summarize(planned), stored: await findDeliveries(write.tx, scope, ids) };
      });
      setLibraryVersion(reply, version);
      return reply.code(202).send({
        batch: result.batch,
        ...result.summary,
        dry_run: false,
        deliveries: await presentAll(deps, scope, result.stored),
      });
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
      const filter = { destinationId, mediaId, state, batch };
      const { rows, nextCursor } = await readCursorPage(
        signingKey,
        { purpose, limit, cursor },
        {
          load: (beforeId = Number.MAX_SAFE_INTEGER, count) =>
            listDeliveries(db, scope, { ...filter, beforeId, limit: count }),
          keyOf: idOf,
        },
      );
      return { deliveries: await presentAll(deps, scope, rows), next_cursor: nextCursor };
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
      const { scope } = principalOf(request);
      const found = checkFound(await findDelivery(db, scope, id), { what, id });
      reply.header('ETag', etagOfVersion(found.version));
      return presentOne(deps, scope, found);
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
        description:
          'One that runs ends within 2 seconds, and nothing of the file appears at the target. One whose file was there by then is succeeded.',
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
        const [cancelled] = await cancelDeliveries(tx, scope, { id });
        if (!cancelled) throw wrongState(before, 'waits or runs');
        // What an earlier try has left at the target goes.
        const target = { organizationId: scope.organizationId, destinationId: cancelled.destinationId };
        if (before.state === 'queued' && before.targetPath !== null)
          await deps.jobs.enqueue(tx, 'delivery.run', target);
        return checkFound(await findDelivery(tx, scope, id), { what, id });
      });
      setLibraryVersion(reply, version);
      reply.header('ETag', etagOfVersion(result.version));
      return presentOne(deps, scope, result);
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
        const [replayed] = await replayDeliveries(tx, scope, { id });
        if (!replayed) throw wrongState(before, 'was tried, and failed, was exhausted or cancelled');
        const data = { destination_id: replayed.destinationId, media_id: replayed.mediaId };
        record({ type: 'delivery.queued', objectId: id, data });
        const { organizationId } = scope;
        await deps.jobs.enqueue(tx, 'delivery.run', { organizationId, destinationId: replayed.destinationId });
        return checkFound(await findDelivery(tx, scope, id), { what, id });
      });
      setLibraryVersion(reply, version);
      reply.header('ETag', etagOfVersion(result.version));
      return presentOne(deps, scope, result);
    },
  );
}
