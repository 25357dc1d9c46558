import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type LibraryScope } from '../../auth/index.ts';
import { DAY_MS } from '../../base/index.ts';
import { type Clip, deleteClip, endClip, findClip, insertClip, listClips, writeLibrary } from '../../library/index.ts';
import { idOf, readCursorPage } from '../cursor-page.ts';
import type { ApiDeps } from '../deps.ts';
import { principalOf } from '../plugins/principal.ts';
import { checkFound, readIfMatch, setLibraryVersion } from '../plugins/versions.ts';
import { presentClip } from '../present/clips.ts';
import { etagOfVersion } from '../present/media.ts';
import { organizationOf } from '../present/organization.ts';
import type { Api } from '../server.ts';
import { ActionClipBody, ClipAnswer, ClipBody, ClipList, ClipListQuery } from '../wire/clips.ts';
import { commonProblems, conflictProblem, IdParams, notFoundProblem, preconditionProblem } from '../wire/common.ts';
import { type AskedClip, askForAction, askForReel } from './clip-request.ts';
import { readWait } from './upload.ts';

const tags = ['clips'];
const PURPOSE = 'clips';
const POLL_MS = 100;
/** A cancelled clip stays to be seen for this long. */
const CANCELLED_DAYS = 7;

const checkClip = (found: Clip | undefined, id: number, ifVersion?: number): Clip =>
  checkFound(found, { what: 'clip', id, ifVersion });

export function registerClipRoutes(app: Api, deps: ApiDeps): void {
  registerMaking(app, deps);
  registerReading(app, deps);
  registerRemoval(app, deps);
}

function registerMaking(app: Api, deps: ApiDeps): void {
  const response = { 202: ClipAnswer, ...commonProblems, ...notFoundProblem, ...conflictProblem };
  app.post(
    '/v1/action/:id/clip',
    {
      config: { scopes: ['actions.write'], idempotent: 'body', waits: true },
      // The body may be left out.
      preValidation: async (request) => {
        request.body ??= {};
      },
      schema: {
        tags,
        summary: 'Cut an action out of its video',
        description:
          'Frame accurate: from the frame that shows at the start less lead_ms to the last that begins before the end plus lag_ms. ' +
          'Answers 202 with a clip to ask for again; Prefer: wait=30 waits until it is ready or failed.',
        params: IdParams,
        body: ActionClipBody,
        response,
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      const asked = await askForAction(deps, scope, { id: request.params.id, ...request.body });
      return makeClip(deps, { request, reply, asked });
    },
  );

  app.post(
    '/v1/clip',
    {
      config: { scopes: ['actions.write'], idempotent: 'body', waits: true },
      schema: {
        tags,
        summary: 'Cut several actions, or parts of videos, into one file',
        description:
          'Either actions or segments, in the order of the reel; all in the size and frame rate of the first. One alone is a clip.',
        body: ClipBody,
        response,
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      return makeClip(deps, { request, reply, asked: await askForReel(deps, scope, request.body) });
    },
  );
}

async function makeClip(
  deps: ApiDeps,
  context: { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly asked: AskedClip },
): Promise<FastifyReply> {
  const { request, reply, asked } = context;
  const { scope, key } = principalOf(request);
  const { result: queued, version } = await writeLibrary(deps.db, scope, async ({ tx }) => {
    const clip = await insertClip(tx, scope, { ...asked, createdBy: key.name });
    await deps.jobs.enqueue(tx, 'clip.make', { organizationId: scope.organizationId, clipId: clip.id });
    return clip;
  });
  const clip = checkClip(await waitUntilMade(deps, request, queued), queued.id);
  setLibraryVersion(reply, version);
  return reply
    .code(202)
    .header('Location', `/v1/clip/${clip.id}`)
    .header('ETag', etagOfVersion(clip.version))
    .send(await answerClip(deps, scope, clip));
}

async function waitUntilMade(deps: ApiDeps, request: FastifyRequest, queued: Clip): Promise<Clip | undefined> {
  const { scope } = principalOf(request);
  const deadline = Date.now() + readWait(request) * 1000;
  let clip: Clip | undefined = queued;
  while (clip && (clip.state === 'queued' || clip.state === 'running')) {
    if (Date.now() >= deadline || request.socket.destroyed) break;
    await delay(POLL_MS);
    clip = await findClip(deps.db, scope, queued.id);
  }
  return clip;
}

async function answerClip(deps: ApiDeps, scope: LibraryScope, clip: Clip) {
  const organization = await organizationOf(deps, scope);
  return { clip: presentClip(clip, { organization, urls: deps.urls }) };
}

function registerReading(app: Api, deps: ApiDeps): void {
  const { db } = deps;
  app.get(
    '/v1/clip',
    {
      config: { scopes: ['media.read'] },
      schema: {
        tags,
        summary: 'List clips, newest first',
        querystring: ClipListQuery,
        response: { 200: ClipList, ...commonProblems },
      },
    },
    async (request) => {
      const { scope } = principalOf(request);
      const organization = await organizationOf(deps, scope);
      const { signingKey } = organization;
      const { rows, nextCursor } = await readCursorPage(
        signingKey,
        { ...request.query, purpose: PURPOSE },
        { load: (beforeId, limit) => listClips(db, scope, { beforeId, limit }), keyOf: idOf },
      );
      return {
        clips: rows.map((clip) => presentClip(clip, { organization, urls: deps.urls })),
        next_cursor: nextCursor,
      };
    },
  );

  app.get(
    '/v1/clip/:id',
    {
      config: { scopes: ['media.read'] },
      schema: {
        tags,
        summary: 'Read a clip: how far it is, and its file when it is ready',
        params: IdParams,
        response: { 200: ClipAnswer, ...commonProblems, ...notFoundProblem },
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      const clip = checkClip(await findClip(db, scope, request.params.id), request.params.id);
      reply.header('ETag', etagOfVersion(clip.version));
      return answerClip(deps, scope, clip);
    },
  );
}

function registerRemoval(app: Api, deps: ApiDeps): void {
  app.delete(
    '/v1/clip/:id',
    {
      config: { scopes: ['actions.write'] },
      schema: {
        tags,
        summary: 'Cancel a clip that is not ready yet, or remove one with its files',
        description: 'A clip that waits or is being made becomes cancelled. An asset that it became stays.',
        params: IdParams,
        response: {
          204: { type: 'null', description: 'Cancelled or removed' },
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
      const { version } = await writeLibrary(deps.db, scope, async ({ tx }) => {
        const clip = checkClip(await findClip(tx, scope, id), id, ifVersion);
        const expiresAt = new Date(deps.clock.now().getTime() + CANCELLED_DAYS * DAY_MS);
        if (await endClip(tx, scope, { id, outcome: { state: 'cancelled' }, expiresAt })) return;
        // Before the commit: a crash in between leaves a clip without files, which can be removed again.
        await deps.storage.remove([clip.videoKey, clip.posterKey].filter((key) => key !== null));
        await deleteClip(tx, scope, id);
      });
      setLibraryVersion(reply, version);
      return reply.code(204).send(null);
    },
  );
}
