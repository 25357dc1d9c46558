import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LibraryScope } from '../../auth/index.ts';
import { AppError, invalidField, MIB } from '../../base/index.ts';
import {
  type ActionInput,
  type ActionOutcome,
  type ActionPatch,
  findActions,
  findActionVideos,
  type PlacedAction,
  writeActions,
  writeLibrary,
} from '../../library/index.ts';
import type { ApiDeps } from '../deps.ts';
import { principalOf } from '../plugins/principal.ts';
import { createPartValidator } from '../plugins/validation.ts';
import { setLibraryVersion } from '../plugins/versions.ts';
import { presentActions, readActionContext, shownPlace } from '../present/actions.ts';
import type { Api } from '../server.ts';
import {
  ActionBody,
  ActionBulk,
  ActionBulkItem,
  type ActionPatchBody,
  ActionsAnswer,
  ActionWrite,
  MAX_ACTIONS,
} from '../wire/actions.ts';
import { commonProblems, conflictProblem, IdParams, notFoundProblem } from '../wire/common.ts';

const tags = ['actions'];
/** 5,000 actions with details of 6 KB each. */
const BODY_LIMIT = 32 * MIB;

const time = (text: string | null | undefined) => (text === undefined || text === null ? text : new Date(text));

/** The fields that a request and a PATCH have in common, as the library takes them. */
export function readActionFields(body: ActionPatchBody): ActionPatch {
  return {
    type: body.type,
    label: body.label,
    startMs: body.start_ms,
    endMs: body.end_ms,
    eventMs: body.event_ms,
    startTc: body.start_tc,
    endTc: body.end_tc,
    wallclockAt: time(body.wallclock_at),
    period: body.period,
    clockMs: body.clock_ms,
    match: body.match,
    // The schema has checked the words.
    clubs: body.clubs?.map(({ id, side }) => ({ tag: id, side: side as 'home' | 'away' | null | undefined })),
    players: body.players?.map(({ id, role, shirt }) => ({ tag: id, role: role ?? null, shirt: shirt ?? null })),
    tagOptions: body.tag_options,
    outcome: body.outcome,
    x: body.x,
    y: body.y,
    endX: body.end_x,
    endY: body.end_y,
    details: body.details,
    confidence: body.confidence,
    status: body.status,
    parentId: body.parent_id,
  };
}

function readInput(body: ActionBody, mediaId: number): ActionInput {
  const { source, source_ref: sourceRef, source_version: sourceVersion, ...fields } = body;
  return { ...readActionFields(fields), mediaId, source, sourceRef, sourceVersion };
}

type Failure = { readonly index: number; readonly error: AppError };
type Read = { readonly inputs: { readonly index: number; readonly input: ActionInput }[]; readonly failed: Failure[] };

/** Reads items one by one: one that is wrong leaves the others alone. */
function readItems(items: readonly unknown[], read: (item: unknown) => ActionInput): Read {
  const result: Read = { inputs: [], failed: [] };
  for (const [index, item] of items.entries()) {
    try {
      result.inputs.push({ index, input: read(item) });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      result.failed.push({ index, error });
    }
  }
  return result;
}

function checkCount(items: readonly unknown[], pointer: string): void {
  if (items.length === 0 || items.length > MAX_ACTIONS) {
    throw invalidField(pointer, `expected a list of 1 to ${MAX_ACTIONS} actions, received ${items.length}`);
  }
}

type Written = PlacedAction & { readonly index: number; readonly result: string };

/** The actions as they are now, each in the video that its item named, and items whose action is deleted. */
async function readWritten(
  deps: ApiDeps,
  scope: LibraryScope,
  outcomes: readonly Exclude<ActionOutcome, { readonly error: AppError }>[],
) {
  const actions = await findActions(deps.db, scope, [...new Set(outcomes.map((one) => one.id))]);
  const context = await readActionContext(deps, scope, actions);
  const byId = new Map(actions.map((action) => [action.id, action]));
  const gone: Failure[] = [];
  const placed = outcomes.flatMap(({ index, id, mediaId, result }): Written[] => {
    const action = byId.get(id);
    const place =
      action?.places.find((one) => one.mediaId === mediaId) ?? (action && shownPlace(action, context.videos));
    if (action && place) return [{ action, place, index, result }];
    const detail = `action ${id} was deleted: a newer source_version, or none, brings it back`;
    const errors = [{ pointer: '/source_version', code: 'state_conflict', detail }];
    gone.push({ index, error: new AppError('state_conflict', detail, { errors }) });
    return [];
  });
  const shown = presentActions(placed, context).map((action, at) => {
    const { index = 0, result = '' } = placed[at] ?? {};
    return { ...action, index, result };
  });
  return { actions: shown, gone };
}

async function answerWrite(
  deps: ApiDeps,
  http: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { read, isOne }: { readonly read: Read; readonly isOne: boolean },
) {
  const { scope, key } = principalOf(http.request);
  const { result, version } = await writeLibrary(deps.db, scope, async (write) => {
    const outcomes = await writeActions(
      write,
      read.inputs.map((one) => one.input),
      { actor: key.name },
    );
    return outcomes.map((outcome) => ({ ...outcome, index: read.inputs[outcome.index]?.index ?? outcome.index }));
  });
  const failed: Failure[] = [...read.failed];
  const written = result.flatMap((outcome) => {
    if (!('error' in outcome)) return [outcome];
    failed.push(outcome);
    return [];
  });
  const { actions, gone } = await readWritten(deps, scope, written);
  failed.push(...gone);
  const [first] = failed;
  if (isOne && first) throw first.error;
  setLibraryVersion(http.reply, version);
  const errors = failed
    .toSorted((a, b) => a.index - b.index)
    .map(({ index, error }) => ({ index, code: error.code, detail: error.message, errors: [...error.errors] }));
  const isCreated = written.some((outcome) => outcome.result === 'created');
  return http.reply.code(isCreated ? 201 : 200).send({ actions, errors });
}

/** Recording actions: one, many in a video, many in many videos. */
export function registerActionWriteRoutes(app: Api, deps: ApiDeps): void {
  const validateBody = createPartValidator<ActionBody>(ActionBody);
  const validateItem = createPartValidator<ActionBulkItem>(ActionBulkItem);
  const answers = {
    200: { ...ActionsAnswer, description: 'All were there already, or failed: see errors' },
    201: ActionsAnswer,
    ...commonProblems,
  };

  app.post(
    '/v1/media/:id/action',
    {
      bodyLimit: BODY_LIMIT,
      config: {
        scopes: ['actions.write'],
        idempotent: 'body',
        bodies: { 'application/json': { schema: ActionWrite } },
      },
      schema: {
        tags,
        operationId: 'recordMediaActions',
        summary: 'Record actions in a video',
        description:
          'One action, or a list. One with a source and source_ref that is known is stated anew: what it does not give is none. ' +
          'The newer source_version wins. A wrong item of a list is answered in errors and leaves the others alone.',
        params: IdParams,
        response: { ...answers, ...notFoundProblem, ...conflictProblem },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const video = (await findActionVideos(deps.db, principalOf(request).scope, [id])).get(id);
      if (!video || video.inBin) throw new AppError('not_found', `There is no asset ${id}.`);
      if (video.mediaType !== 'video') throw invalidField('id', `expected the ID of a video, asset ${id} is a photo`);
      const { body } = request;
      const isOne = !Array.isArray(body);
      const items: readonly unknown[] = Array.isArray(body) ? body : [body];
      checkCount(items, '');
      const read = readItems(items, (item) => readInput(validateBody(item, ''), id));
      return answerWrite(deps, { request, reply }, { read, isOne });
    },
  );

  app.post(
    '/v1/action/bulk',
    {
      bodyLimit: BODY_LIMIT,
      config: {
        scopes: ['actions.write'],
        idempotent: 'body',
        bodies: { 'application/json': { schema: ActionBulk } },
      },
      schema: {
        tags,
        operationId: 'recordActions',
        summary: 'Record actions in several videos',
        description: 'As POST /v1/media/{id}/action, for items that name their video.',
        response: answers,
      },
    },
    async (request, reply) => {
      const { body } = request;
      const given: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'actions') : undefined;
      if (!Array.isArray(given)) throw invalidField('/actions', 'expected a list of actions');
      const unknown = Object.keys(body as object).find((name) => name !== 'actions');
      if (unknown !== undefined) throw invalidField(`/${unknown}`, 'expected only actions');
      const items: readonly unknown[] = given;
      checkCount(items, '/actions');
      const read = readItems(items, (item) => {
        const { media_id: mediaId, ...action } = validateItem(item, '');
        return readInput(action, mediaId);
      });
      return answerWrite(deps, { request, reply }, { read, isOne: false });
    },
  );
}
