import type { Static } from 'typebox';
import type { LibraryScope } from '../../auth/index.ts';
import { AppError } from '../../base/index.ts';
import {
  deleteDestination,
  type Destination,
  findDestination,
  findDestinationFigures,
  findUnfinished,
  holdOf,
  insertDestination,
  listDestinations,
  parsePathTemplate,
  planDeliveries,
  updateDestination,
} from '../../delivery/index.ts';
import { writeLibrary } from '../../library/index.ts';
import { idOf, readCursorPage } from '../cursor-page.ts';
import type { ApiDeps } from '../deps.ts';
import { principalOf } from '../plugins/principal.ts';
import { checkFound, readIfMatch, setLibraryVersion } from '../plugins/versions.ts';
import { presentDestination } from '../present/deliveries.ts';
import { etagOfVersion } from '../present/media.ts';
import { organizationOf } from '../present/organization.ts';
import { abortWhenGone } from '../search-answer.ts';
import type { Api } from '../server.ts';
import { commonProblems, IdParams, notFoundProblem, preconditionProblem } from '../wire/common.ts';
import {
  DestinationAnswer,
  DestinationBody,
  DestinationList,
  type DestinationOut,
  DestinationPatch,
  DraftPreviewBody,
  PageQuery,
  PreviewAnswer,
  PreviewBody,
  VerifyAnswer,
} from '../wire/destinations.ts';
import { channelOf, checkRendition, DEFAULT_TEMPLATE, readChange, readNewDestination } from './destination-request.ts';

const tags = ['deliveries'];
const PURPOSE = 'destinations';
const what = 'destination';
export function registerDestinationRoutes(app: Api, deps: ApiDeps): void {
  registerWriting(app, deps);
  registerReading(app, deps);
  registerTrying(app, deps);
}

function registerWriting(app: Api, deps: ApiDeps): void {
  const { db } = deps;
  app.post(
    '/v1/destination',
    {
      config: { scopes: ['admin'], idempotent: 'body' },
      schema: {
        tags,
        summary: 'Create a destination',
        body: DestinationBody,
        response: { 201: DestinationAnswer, ...commonProblems },
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      const { body } = request;
      const { fields, sealed } = await readNewDestination(deps, scope, body);
      const { result, version } = await writeLibrary(db, scope, async ({ tx, record }) => {
        const created = await insertDestination(tx, scope, { ...fields, kind: body.kind, sealed });
        record({ type: 'destination.created', objectId: created.id });
        return created;
      });
      setLibraryVersion(reply, version);
      return reply
        .code(201)
        .header('ETag', etagOfVersion(result.version))
        .send({ destination: await present(deps, scope, result) });
    },
  );

  app.patch(
    '/v1/destination/:id',
    {
      config: { scopes: ['admin'] },
      schema: {
        tags,
        summary: 'Change a destination',
        description: 'Another config or other secrets make it unverified.',
        params: IdParams,
        body: DestinationPatch,
        response: { 200: DestinationAnswer, ...commonProblems, ...notFoundProblem, ...preconditionProblem },
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      const { id } = request.params;
      const ifVersion = readIfMatch(request);
      const { body } = request;
      // Outside of the write: what a picture may be asks other tables.
      if (body.rendition) await checkRendition(deps, scope, body.rendition);
      const { result, version } = await writeLibrary(db, scope, async ({ tx, record }) => {
        const before = checkFound(await findDestination(tx, scope, id), { what, id, ifVersion });
        const changed = await updateDestination(tx, scope, { id, ...readChange(deps, scope, { before, patch: body }) });
        record({ type: 'destination.updated', objectId: id, data: { changed: Object.keys(body) } });
        // What has waited may not have to any more.
        const target = { organizationId: scope.organizationId, destinationId: id };
        if (!holdOf(changed, deps.clock.now())) await deps.jobs.enqueue(tx, 'delivery.run', target);
        return changed;
      });
      setLibraryVersion(reply, version);
      reply.header('ETag', etagOfVersion(result.version));
      return { destination: await present(deps, scope, result) };
    },
  );

  app.delete(
    '/v1/destination/:id',
    {
      config: { scopes: ['admin'] },
      schema: {
        tags,
        summary: 'Delete a destination with its deliveries',
        description:
          'What was delivered stays at the target; what deliveries have begun there is removed after the answer.',
        params: IdParams,
        response: {
          204: { type: 'null', description: 'Deleted' },
          ...commonProblems,
          ...notFoundProblem,
          ...preconditionProblem,
        },
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      const { id } = request.params;
      const ifVersion = readIfMatch(request);
      const { version, result } = await writeLibrary(db, scope, async ({ tx, record }) => {
        const destination = checkFound(await findDestination(tx, scope, id), { what, id, ifVersion });
        const unfinished = await findUnfinished(tx, scope, id);
        await deleteDestination(tx, scope, id);
        record({ type: 'destination.deleted', objectId: id });
        return { destination, unfinished };
      });
      deps.deliveries.clearAway(scope, result.destination, result.unfinished);
      setLibraryVersion(reply, version);
      return reply.code(204).send(null);
    },
  );
}

/** With figures of its last hour. */
async function present(deps: ApiDeps, scope: LibraryScope, destination: Destination): Promise<DestinationOut> {
  const now = deps.clock.now();
  const figures = await findDestinationFigures(deps.db, scope, { ids: [destination.id], now });
  return presentDestination(destination, { now, figures: figures.get(destination.id) });
}

function registerReading(app: Api, deps: ApiDeps): void {
  const { db } = deps;
  app.get(
    '/v1/destination',
    {
      config: { scopes: ['delivery.run'] },
      schema: {
        tags,
        summary: 'List destinations',
        querystring: PageQuery,
        response: { 200: DestinationList, ...commonProblems },
      },
    },
    async (request) => {
      const { scope } = principalOf(request);
      const { signingKey } = await organizationOf(deps, scope);
      const { rows, nextCursor } = await readCursorPage(
        signingKey,
        { ...request.query, purpose: PURPOSE },
        { load: (afterId = 0, limit) => listDestinations(db, scope, { afterId, limit }), keyOf: idOf },
      );
      const now = deps.clock.now();
      const figures = await findDestinationFigures(db, scope, { ids: rows.map(({ id }) => id), now });
      return {
        destinations: rows.map((one) => presentDestination(one, { now, figures: figures.get(one.id) })),
        next_cursor: nextCursor,
      };
    },
  );

  app.get(
    '/v1/destination/:id',
    {
      config: { scopes: ['delivery.run'] },
      schema: {
        tags,
        summary: 'Read a destination',
        params: IdParams,
        response: { 200: DestinationAnswer, ...commonProblems, ...notFoundProblem },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { scope } = principalOf(request);
      const found = checkFound(await findDestination(db, scope, id), { what, id });
      reply.header('ETag', etagOfVersion(found.version));
      return { destination: await present(deps, scope, found) };
    },
  );
}

function registerTrying(app: Api, deps: ApiDeps): void {
  const { db } = deps;
  app.post(
    '/v1/destination/:id/verify',
    {
      config: { scopes: ['delivery.run'] },
      schema: {
        tags,
        summary: 'Verify a destination: write a probe, read it back, delete it',
        description:
          'Answers within 30 s, with the status as it is then. A target that answers closes an open circuit. ' +
          'An SFTP server whose key is not pinned yet is asked nothing but that key: host_key has it, to be confirmed by PATCH.',
        params: IdParams,
        response: { 200: VerifyAnswer, ...commonProblems, ...notFoundProblem },
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      const { id } = request.params;
      const { destination, hostKey, steps } = await deps.deliveries.verify(scope, id, abortWhenGone(reply));
      reply.header('ETag', etagOfVersion(destination.version));
      return { destination: await present(deps, scope, destination), steps: [...steps], host_key: hostKey ?? null };
    },
  );

  app.post(
    '/v1/destination/:id/preview',
    {
      config: { scopes: ['delivery.run'] },
      schema: {
        tags,
        summary: 'Preview the paths that assets get at a destination',
        params: IdParams,
        body: PreviewBody,
        response: { 200: PreviewAnswer, ...commonProblems, ...notFoundProblem },
      },
    },
    async (request) => {
      const { scope } = principalOf(request);
      const { id } = request.params;
      const destination = checkFound(await findDestination(db, scope, id), { what, id });
      return previewPaths(deps, scope, { destination, body: request.body });
    },
  );

  app.post(
    '/v1/destination/preview',
    {
      config: { scopes: ['delivery.run'] },
      schema: {
        tags,
        operationId: 'previewNewDestination',
        summary: 'Preview the paths that assets would get at a destination of a kind',
        description: 'For one that is not made yet. Names are made safe for the kind.',
        body: DraftPreviewBody,
        response: { 200: PreviewAnswer, ...commonProblems, ...notFoundProblem },
      },
    },
    async (request) => {
      const { scope } = principalOf(request);
      const { kind, ...body } = request.body;
      const destination = {
        id: 0,
        kind,
        pathTemplate: DEFAULT_TEMPLATE,
        qualities: ['photographer'],
        rendition: null,
      } as const;
      return previewPaths(deps, scope, { destination, body });
    },
  );
}

async function previewPaths(
  deps: ApiDeps,
  scope: LibraryScope,
  asked: {
    readonly destination: Pick<Destination, 'id' | 'kind' | 'pathTemplate' | 'qualities' | 'rendition'>;
    readonly body: PreviewBody;
  },
): Promise<Static<typeof PreviewAnswer>> {
  const { destination, body } = asked;
  const { names: rules } = channelOf(deps, destination.kind);
  const mediaIds = [...new Set(body.media_ids)];
  const given = body.rendition && (await checkRendition(deps, scope, body.rendition));
  const rendition = given ?? (body.qualities ? undefined : destination.rendition);
  const subject = rendition
    ? { mediaIds, rendition }
    : { mediaIds, qualities: body.qualities ?? destination.qualities };
  const from = { db: deps.db, scope };
  const { planned, found } = await planDeliveries(deps.deliveries, from, {
    destination: { id: destination.id, collision: 'overwrite' },
    template: parsePathTemplate(body.path_template ?? destination.pathTemplate, { rules, pointer: '/path_template' }),
    rules,
    subject,
    organization: (await organizationOf(deps, scope)).slug,
    includeRestricted: true,
    again: true,
    reserveIds: false,
    now: deps.clock.now(),
  });
  checkAllFound(body.media_ids, found);
  return {
    paths: planned
      .filter((one) => one.path !== '')
      .map((one) => ({
        media_id: one.mediaId,
        quality: one.quality,
        path: one.path,
        collision: one.state === 'failed',
      })),
  };
}

/** @throws AppError `not_found` that names the first asset that is not there */
export function checkAllFound(ids: readonly number[], found: ReadonlySet<number>): void {
  const missing = ids.find((id) => !found.has(id));
  if (missing !== undefined) throw new AppError('not_found', `There is no asset ${missing}.`);
}
