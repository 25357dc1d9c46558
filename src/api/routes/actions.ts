import type { FastifyReply } from 'fastify';
import { openCursor, sealCursor, type LibraryScope } from '../../auth/index.ts';
import { AppError, invalidField } from '../../base/index.ts';
import type { Queryable } from '../../db/index.ts';
import {
  type Action,
  ACTION_STATUSES,
  type ActionStatus,
  deleteAction,
  findActionPlaces,
  findActions,
  findActionVideos,
  listActionPlaces,
  mergeDetails,
  patchAction,
  readActionHistory,
  writeLibrary,
} from '../../library/index.ts';
import type { ApiDeps } from '../deps.ts';
import { principalOf } from '../plugins/principal.ts';
import { checkFound, readIfMatch, setLibraryVersion } from '../plugins/versions.ts';
import { presentActions, presentActionState, readActionContext, shownPlace } from '../present/actions.ts';
import { etagOfVersion } from '../present/media.ts';
import { organizationOf } from '../present/organization.ts';
import type { Api } from '../server.ts';
import { ActionAnswer, ActionHistory, ActionList, ActionListQuery, ActionPatchBody } from '../wire/actions.ts';
import { commonProblems, IdParams, notFoundProblem, preconditionProblem } from '../wire/common.ts';
import { readActionFields, registerActionWriteRoutes } from './action-write.ts';

const tags = ['actions'];

const missing = (id: number) => new AppError('not_found', `There is no action ${id}.`);

function readStatuses(text: string | undefined): readonly ActionStatus[] | undefined {
  if (text === undefined || text === '') return undefined;
  const given = text.split(',').map((one) => one.trim());
  const wrong = given.filter((one) => !(ACTION_STATUSES as readonly string[]).includes(one));
  if (wrong.length > 0) {
    throw invalidField('status', `expected some of ${ACTION_STATUSES.join(', ')}, received ${wrong.join(', ')}`);
  }
  // Every one of them is in the list.
  return given as ActionStatus[];
}

/** Answers one action with its ETag, in its own video. */
async function sendAction(deps: ApiDeps, reply: FastifyReply, scope: LibraryScope, action: Action) {
  const context = await readActionContext(deps, scope, [action]);
  const place = shownPlace(action, context.videos);
  const [shown] = place ? presentActions([{ action, place }], context) : [];
  if (!shown) throw missing(action.id);
  reply.header('ETag', etagOfVersion(action.version));
  return { action: shown };
}

/** An action outside the bin: one whose videos are all in there is not found. */
async function findShown(db: Queryable, scope: LibraryScope, id: number): Promise<Action | undefined> {
  const [action] = await findActions(db, scope, [id]);
  if (!action) return undefined;
  const mediaIds = action.places.map((place) => place.mediaId);
  return shownPlace(action, await findActionVideos(db, scope, mediaIds)) && action;
}

function registerActionList(app: Api, deps: ApiDeps): void {
  app.get(
    '/v1/media/:id/action',
    {
      config: { scopes: ['media.read'] },
      schema: {
        tags,
        summary: 'List the actions of a video',
        description:
          'In order of start, each as it lies in this video; those of other videos of the match that it shows too.',
        params: IdParams,
        querystring: ActionListQuery,
        response: { 200: ActionList, ...commonProblems, ...notFoundProblem },
      },
    },
    async (request) => {
      const { scope } = principalOf(request);
      const { id } = request.params;
      const { status, limit, cursor } = request.query;
      const statuses = readStatuses(status);
      const video = (await findActionVideos(deps.db, scope, [id])).get(id);
      if (!video || video.inBin) throw new AppError('not_found', `There is no asset ${id}.`);
      const { signingKey } = await organizationOf(deps, scope);
      const purpose = `actions:${id}:${statuses?.join(',') ?? ''}`;
      const [startMs = 0, placeId = 0] =
        cursor === undefined
          ? []
          : String(openCursor(signingKey, purpose, cursor))
              .split(':')
              .map(Number);
      const after = cursor === undefined ? undefined : { startMs, id: placeId };
      const found = await listActionPlaces(deps.db, scope, { mediaId: id, statuses, after, limit: limit + 1 });
      const placed = await findActionPlaces(deps.db, scope, found.placeIds.slice(0, limit));
      const context = await readActionContext(
        deps,
        scope,
        placed.map((one) => one.action),
      );
      const last = found.placeIds.length > limit ? placed.at(-1)?.place : undefined;
      return {
        actions: presentActions(placed, context),
        total: found.total,
        next_cursor: last ? sealCursor(signingKey, purpose, `${last.startMs}:${last.id}`) : null,
      };
    },
  );
}

/** Reading and changing single actions, with what `registerActionWriteRoutes` records. */
export function registerActionRoutes(app: Api, deps: ApiDeps): void {
  const { db } = deps;
  registerActionWriteRoutes(app, deps);
  registerActionList(app, deps);

  app.get(
    '/v1/action/:id',
    {
      config: { scopes: ['media.read'] },
      schema: {
        tags,
        summary: 'Read an action',
        params: IdParams,
        response: { 200: ActionAnswer, ...commonProblems, ...notFoundProblem },
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      const [action] = await findActions(db, scope, [request.params.id]);
      if (!action) throw missing(request.params.id);
      return sendAction(deps, reply, scope, action);
    },
  );

  app.patch(
    '/v1/action/:id',
    {
      config: { scopes: ['actions.write'] },
      schema: {
        tags,
        summary: 'Change an action (JSON Merge Patch)',
        description:
          'Positions are those in its own video. status retracted takes it out of searches; its history stays.',
        params: IdParams,
        body: ActionPatchBody,
        response: { 200: ActionAnswer, ...commonProblems, ...notFoundProblem, ...preconditionProblem },
      },
    },
    async (request, reply) => {
      const { scope, key } = principalOf(request);
      const { id } = request.params;
      const { body } = request;
      const ifVersion = readIfMatch(request);
      const { result, version } = await writeLibrary(db, scope, async (write) => {
        const shown = await findShown(write.tx, scope, id);
        const action = checkFound(shown, { what: 'action', id, ifVersion });
        const fields = readActionFields(body);
        const details = body.details && mergeDetails(action.details, body.details);
        await patchAction(write, action, { patch: { ...fields, details }, actor: key.name });
        return findActions(write.tx, scope, [id]);
      });
      const [action] = result;
      if (!action) throw missing(id);
      setLibraryVersion(reply, version);
      return sendAction(deps, reply, scope, action);
    },
  );

  app.delete(
    '/v1/action/:id',
    {
      config: { scopes: ['actions.write'] },
      schema: {
        tags,
        summary: 'Delete an action',
        description:
          'Its history stays. The same event of its source comes back only in a newer source_version, or without one.',
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
      const { scope, key } = principalOf(request);
      const { id } = request.params;
      const ifVersion = readIfMatch(request);
      const { version } = await writeLibrary(db, scope, async (write) => {
        const shown = await findShown(write.tx, scope, id);
        await deleteAction(write, checkFound(shown, { what: 'action', id, ifVersion }), { actor: key.name });
      });
      setLibraryVersion(reply, version);
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/v1/action/:id/history',
    {
      config: { scopes: ['media.read'] },
      schema: {
        tags,
        summary: 'Every state of an action',
        description: 'Oldest first, of a deleted action too. Positions and labels are as in its own video.',
        params: IdParams,
        response: { 200: ActionHistory, ...commonProblems, ...notFoundProblem },
      },
    },
    async (request) => {
      const { scope } = principalOf(request);
      const { id } = request.params;
      const states = await readActionHistory(db, scope, id);
      if (states.length === 0) throw missing(id);
      const context = await readActionContext(
        deps,
        scope,
        states.map((state) => state.action),
      );
      const history = states.flatMap(({ action, version, change, actor, createdAt }) => {
        const [place] = action.places;
        if (!place) return [];
        const state = presentActionState({ action, place }, context);
        return [{ version, change, actor, created_at: createdAt.toISOString(), state }];
      });
      return { history };
    },
  );
}
