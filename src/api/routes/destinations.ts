import type { LibraryScope } from '../../auth/index.ts';
import { openCursor, sealCursor } from '../../auth/index.ts';
import { AppError, invalidField } from '../../base/index.ts';
import {
  deleteDestination,
  type Destination,
  type DestinationChannel,
  type DestinationFields,
  findDestination,
  insertDestination,
  listDestinations,
  parsePathTemplate,
  planDeliveries,
  updateDestination,
} from '../../delivery/index.ts';
import { writeLibrary } from '../../library/index.ts';
import type { ApiDeps } from '../deps.ts';
import { principalOf } from '../plugins/principal.ts';
import { createPartValidator } from '../plugins/validation.ts';
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
  DestinationPatch,
  PageQuery,
  PreviewAnswer,
  PreviewBody,
} from '../wire/destinations.ts';

const tags = ['deliveries'];
const PURPOSE = 'destinations';
const what = 'destination';
const DEFAULT_TEMPLATE = '{captured_at:yyyy/MM/dd}/{media.name}-{media.id}-{quality}.{media.ext}';

type Fields = Readonly<Record<string, unknown>>;

function channelOf(deps: ApiDeps, kind: string): DestinationChannel {
  const channel = deps.deliveries.channels.get(kind);
  if (channel) return channel;
  const kinds = [...deps.deliveries.channels.keys()].join(', ');
  throw invalidField('/kind', `expected one of ${kinds}, received ${JSON.stringify(kind)}`);
}

/** What the kind asks for. @throws AppError `validation_failed`, `capability_missing` */
function checkTarget(
  channel: DestinationChannel,
  {
    config,
    secrets,
    template,
  }: { readonly config: Fields; readonly secrets: Fields | undefined; readonly template: string },
): void {
  createPartValidator<Fields>(channel.configSchema)(config, '/config');
  if (secrets !== undefined) createPartValidator<Fields>(channel.secretsSchema)(secrets, '/secrets');
  channel.check?.(config);
  parsePathTemplate(template, { rules: channel.names, pointer: '/path_template' });
  const missing = channel.missing?.();
  if (missing !== undefined)
    throw new AppError('capability_missing', `${channel.kind} is not available here: ${missing}`);
}

const isEmpty = (secrets: Fields | undefined | null): boolean => !secrets || Object.keys(secrets).length === 0;

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
      const channel = channelOf(deps, body.kind);
      const fields: DestinationFields = {
        name: body.name,
        config: body.config,
        pathTemplate: body.path_template ?? DEFAULT_TEMPLATE,
        collision: body.collision ?? 'skip_same',
        qualities: body.qualities ?? ['photographer'],
        sidecar: body.sidecar ?? 'none',
        embedMetadata: body.embed_metadata ?? false,
        concurrency: body.concurrency ?? 4,
      };
      checkTarget(channel, { config: body.config, secrets: body.secrets ?? {}, template: fields.pathTemplate });
      const { secretBox } = deps.deliveries;
      const sealed = isEmpty(body.secrets) ? null : secretBox.seal(scope.organizationId, body.secrets ?? {});
      const { result, version } = await writeLibrary(db, scope, ({ tx }) =>
        insertDestination(tx, scope, { ...fields, kind: body.kind, sealed }),
      );
      setLibraryVersion(reply, version);
      return reply
        .code(201)
        .header('ETag', etagOfVersion(result.version))
        .send({ destination: presentDestination(result) });
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
      const { result, version } = await writeLibrary(db, scope, async ({ tx }) => {
        const before = checkFound(await findDestination(tx, scope, id), { what, id, ifVersion });
        return updateDestination(tx, scope, { id, ...changeOf(deps, scope, before, request.body) });
      });
      setLibraryVersion(reply, version);
      reply.header('ETag', etagOfVersion(result.version));
      return { destination: presentDestination(result) };
    },
  );

  app.delete(
    '/v1/destination/:id',
    {
      config: { scopes: ['admin'] },
      schema: {
        tags,
        summary: 'Delete a destination with its deliveries',
        description: 'What was delivered stays at the target.',
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
      const { version } = await writeLibrary(db, scope, async ({ tx }) => {
        checkFound(await findDestination(tx, scope, id), { what, id, ifVersion });
        await deleteDestination(tx, scope, id);
      });
      setLibraryVersion(reply, version);
      return reply.code(204).send(null);
    },
  );
}

function changeOf(deps: ApiDeps, scope: LibraryScope, before: Destination, patch: DestinationPatch) {
  // RFC 7396: null removes a member. Configs have one level.
  const config = Object.fromEntries(
    Object.entries({ ...before.config, ...patch.config }).filter(([, value]) => value !== null),
  );
  const fields: DestinationFields = {
    name: patch.name ?? before.name,
    config,
    pathTemplate: patch.path_template ?? before.pathTemplate,
    collision: patch.collision ?? before.collision,
    qualities: patch.qualities ?? before.qualities,
    sidecar: patch.sidecar ?? before.sidecar,
    embedMetadata: patch.embed_metadata ?? before.embedMetadata,
    concurrency: patch.concurrency ?? before.concurrency,
  };
  const secrets = patch.secrets === null ? {} : patch.secrets;
  checkTarget(channelOf(deps, before.kind), { config, secrets, template: fields.pathTemplate });
  const sealed = isEmpty(secrets) ? null : deps.deliveries.secretBox.seal(scope.organizationId, secrets ?? {});
  const isOtherTarget = patch.config !== undefined || secrets !== undefined;
  return { fields, isOtherTarget, ...(secrets !== undefined && { sealed }) };
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
      const { limit, cursor } = request.query;
      const afterId = cursor === undefined ? 0 : Number(openCursor(signingKey, PURPOSE, cursor));
      const found = await listDestinations(db, scope, { afterId, limit: limit + 1 });
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : undefined;
      return {
        destinations: page.map(presentDestination),
        next_cursor: last ? sealCursor(signingKey, PURPOSE, last.id) : null,
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
      const found = checkFound(await findDestination(db, principalOf(request).scope, id), { what, id });
      reply.header('ETag', etagOfVersion(found.version));
      return { destination: presentDestination(found) };
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
        description: 'Answers within 30 s, with the status as it is then.',
        params: IdParams,
        response: { 200: DestinationAnswer, ...commonProblems, ...notFoundProblem },
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      const found = await deps.deliveries.verify(scope, request.params.id, abortWhenGone(reply));
      reply.header('ETag', etagOfVersion(found.version));
      return { destination: presentDestination(found) };
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
      const { body } = request;
      const destination = checkFound(await findDestination(db, scope, id), { what, id });
      const { names: rules } = channelOf(deps, destination.kind);
      const template = body.path_template ?? destination.pathTemplate;
      const { planned, found } = await planDeliveries(db, scope, {
        destination: { ...destination, collision: 'overwrite' },
        template: parsePathTemplate(template, { rules, pointer: '/path_template' }),
        rules,
        mediaIds: [...new Set(body.media_ids)],
        qualities: body.qualities ?? destination.qualities,
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
    },
  );
}

/** @throws AppError `not_found` that names the first asset that is not there */
export function checkAllFound(ids: readonly number[], found: ReadonlySet<number>): void {
  const missing = ids.find((id) => !found.has(id));
  if (missing !== undefined) throw new AppError('not_found', `There is no asset ${missing}.`);
}
