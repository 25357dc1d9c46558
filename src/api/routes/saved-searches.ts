import { type LibraryScope } from '../../auth/index.ts';
import { AppError } from '../../base/index.ts';
import {
  deleteSavedSearch,
  findSavedSearch,
  insertSavedSearch,
  listSavedSearches,
  mergeDetails,
  readVersion,
  type SavedSearch,
  startNotifying,
  stopNotifying,
  updateSavedSearch,
  writeLibrary,
} from '../../library/index.ts';
import { ActionFilterSchema, FilterSchema } from '../../search/index.ts';
import { idOf, readCursorPage } from '../cursor-page.ts';
import type { ApiDeps } from '../deps.ts';
import { principalOf } from '../plugins/principal.ts';
import { createPartValidator } from '../plugins/validation.ts';
import { checkFound, readIfMatch, setLibraryVersion } from '../plugins/versions.ts';
import { readImageRequests } from '../present/media-hit.ts';
import { etagOfVersion } from '../present/media.ts';
import { organizationOf } from '../present/organization.ts';
import { answerSearch } from '../search-answer.ts';
import type { Api } from '../server.ts';
import { commonProblems, conflictProblem, IdParams, notFoundProblem, preconditionProblem } from '../wire/common.ts';
import {
  SavedSearchAnswer,
  SavedSearchBody,
  SavedSearchList,
  SavedSearchListQuery,
  type SavedSearchOut,
  SavedSearchPatch,
} from '../wire/saved-searches.ts';
import { MediaSearchAnswer, RunBody, SavedRequest } from '../wire/search.ts';

const present = (saved: SavedSearch): SavedSearchOut => ({
  id: saved.id,
  name: saved.name,
  request: { ...saved.request },
  notify: saved.notify,
  created_at: saved.createdAt.toISOString(),
  updated_at: saved.updatedAt.toISOString(),
  version: saved.version,
});

const tags = ['saved searches'];
const PURPOSE = 'saved-searches';

type Fields = Readonly<Record<string, unknown>>;

/** Refuses what the search itself would refuse, at its place in the body. */
async function checkRequest(deps: ApiDeps, scope: LibraryScope, request: SavedRequest): Promise<void> {
  const { sort, limit: _limit, facets, include: _include, images, highlight: _highlight, ...filter } = request;
  try {
    if (images) readImageRequests(images, (await deps.imageAccess.rules(scope.organizationId)).presets);
    await deps.mediaSearch.check(scope, { filter, sort, facets });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const errors = error.errors.map((one) => ({ ...one, pointer: `/request${one.pointer}` }));
    const message = errors.map((one) => `${one.pointer}: ${one.detail}`).join('; ');
    throw new AppError(error.code, message, { errors, details: error.details });
  }
}

const PATCH_ATTEMPTS = 5;
/** What a search that tells may find when it begins: each is kept, so that only what comes after is news. */
const MAX_NOTIFIED = 100_000;
const validateRequest = createPartValidator<SavedRequest>(SavedRequest, [ActionFilterSchema, FilterSchema]);

/** What a search that begins to tell finds already, and the version of the library that this is true of. */
type Found = { readonly ids: readonly number[]; readonly version: number };
async function findPresent(deps: ApiDeps, scope: LibraryScope, request: Fields): Promise<Found> {
  const version = await readVersion(deps.db, scope);
  const { sort: _sort, limit: _limit, facets: _facets, include: _include, images: _images, ...rest } = request;
  const { highlight: _highlight, ...filter } = rest;
  const ids = await deps.mediaSearch.findIds(scope, filter, { version, pointer: '/request', limit: MAX_NOTIFIED });
  return { ids, version };
}

const isBusy = () =>
  new AppError('unavailable', 'The library is being changed too often for a search to begin to notify: try again.');

async function saveSearch(
  deps: ApiDeps,
  scope: LibraryScope,
  given: Pick<SavedSearch, 'name' | 'request' | 'notify'>,
): Promise<{ readonly result: SavedSearch; readonly version: number }> {
  for (let attempt = 0; attempt < PATCH_ATTEMPTS; attempt += 1) {
    const found = given.notify ? await findPresent(deps, scope, given.request) : undefined;
    const { result, version } = await writeLibrary(deps.db, scope, async (write) => {
      if (found && (await readVersion(write.tx, scope)) !== found.version) return undefined;
      const saved = await insertSavedSearch(write.tx, scope, given);
      if (found) await startNotifying(write, { id: saved.id, found: found.ids });
      write.record({ type: 'saved_search.created', objectId: saved.id });
      return saved;
    });
    if (result) return { result, version };
  }
  throw isBusy();
}

type SearchPatch = {
  readonly id: number;
  readonly name?: string;
  readonly request?: Fields;
  readonly notify?: boolean;
  readonly ifVersion: number | undefined;
};

/** Merges a patch into a saved search, if the search that comes of it is one. */
async function changeSavedSearch(
  deps: ApiDeps,
  scope: LibraryScope,
  patch: SearchPatch,
): Promise<{ readonly result: SavedSearch; readonly version: number }> {
  const { id, ifVersion } = patch;
  for (let attempt = 0; attempt < PATCH_ATTEMPTS; attempt += 1) {
    const before = checkFound(await findSavedSearch(deps.db, scope, id), { what: 'saved search', id, ifVersion });
    const request = patch.request === undefined ? before.request : mergeDetails(before.request, patch.request);
    const notify = patch.notify ?? before.notify;
    // Not inside the write: it holds a connection and the organization's lock, and the check asks for connections too.
    if (patch.request !== undefined) await checkRequest(deps, scope, validateRequest(request, '/request'));
    const begins = notify && (!before.notify || patch.request !== undefined);
    const found = begins ? await findPresent(deps, scope, request) : undefined;
    const { result, version } = await writeLibrary(deps.db, scope, async (write) => {
      const now = checkFound(await findSavedSearch(write.tx, scope, id), { what: 'saved search', id, ifVersion });
      if (now.version !== before.version) return undefined;
      if (found && (await readVersion(write.tx, scope)) !== found.version) return undefined;
      if (found) await startNotifying(write, { id, found: found.ids });
      if (!notify) await stopNotifying(write, id);
      write.record({ type: 'saved_search.updated', objectId: id });
      return updateSavedSearch(write.tx, scope, { id, name: patch.name ?? before.name, request, notify });
    });
    if (result) return { result, version };
  }
  if (patch.notify === true) throw isBusy();
  throw new AppError('conflict', `Saved search ${id} is being changed by others: read it and try again.`);
}

export function registerSavedSearchRoutes(app: Api, deps: ApiDeps): void {
  registerReading(app, deps);
  registerWriting(app, deps);
}

function registerReading(app: Api, deps: ApiDeps): void {
  const { db } = deps;

  app.get(
    '/v1/saved-search',
    {
      config: { scopes: ['media.read'] },
      schema: {
        tags,
        summary: 'List saved searches',
        querystring: SavedSearchListQuery,
        response: { 200: SavedSearchList, ...commonProblems },
      },
    },
    async (request) => {
      const { scope } = principalOf(request);
      const { signingKey } = await organizationOf(deps, scope);
      const { rows, nextCursor } = await readCursorPage(
        signingKey,
        { ...request.query, purpose: PURPOSE },
        { load: (afterId = 0, limit) => listSavedSearches(db, scope, { afterId, limit }), keyOf: idOf },
      );
      return { saved_searches: rows.map(present), next_cursor: nextCursor };
    },
  );

  app.get(
    '/v1/saved-search/:id',
    {
      config: { scopes: ['media.read'] },
      schema: {
        tags,
        summary: 'Read a saved search',
        params: IdParams,
        response: { 200: SavedSearchAnswer, ...commonProblems, ...notFoundProblem },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const found = checkFound(await findSavedSearch(db, principalOf(request).scope, id), { what: 'saved search', id });
      reply.header('ETag', etagOfVersion(found.version));
      return { saved_search: present(found) };
    },
  );

  app.post(
    '/v1/saved-search/:id/search',
    {
      config: { scopes: ['media.read'], readsVersion: true },
      // The body may be left out.
      preValidation: async (request) => {
        request.body ??= {};
      },
      schema: {
        tags,
        summary: 'Run a saved search',
        description:
          'Answers as POST /v1/media/search does; limit, cursor and page of the body go before what is saved.',
        params: IdParams,
        body: RunBody,
        response: { 200: MediaSearchAnswer, ...commonProblems, ...notFoundProblem },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const saved = checkFound(await findSavedSearch(db, principalOf(request).scope, id), { what: 'saved search', id });
      // Validated when it was saved; members that a later version no longer takes are for its migration to remove.
      return answerSearch(deps, { request, reply }, { ...(saved.request as SavedRequest), ...request.body });
    },
  );
}

function registerWriting(app: Api, deps: ApiDeps): void {
  const { db } = deps;

  app.post(
    '/v1/saved-search',
    {
      config: { scopes: ['media.write'], idempotent: 'body' },
      schema: {
        tags,
        summary: 'Save a search',
        body: SavedSearchBody,
        response: { 201: SavedSearchAnswer, ...commonProblems },
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      const { name, request: saved, notify = false } = request.body;
      await checkRequest(deps, scope, saved);
      const { result, version } = await saveSearch(deps, scope, { name, request: saved, notify });
      setLibraryVersion(reply, version);
      return reply
        .code(201)
        .header('ETag', etagOfVersion(result.version))
        .send({ saved_search: present(result) });
    },
  );

  app.patch(
    '/v1/saved-search/:id',
    {
      config: { scopes: ['media.write'] },
      schema: {
        tags,
        summary: 'Change a saved search',
        params: IdParams,
        body: SavedSearchPatch,
        response: {
          200: SavedSearchAnswer,
          ...commonProblems,
          ...notFoundProblem,
          ...conflictProblem,
          ...preconditionProblem,
        },
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      const ifVersion = readIfMatch(request);
      const { result, version } = await changeSavedSearch(deps, scope, {
        ...request.body,
        ...request.params,
        ifVersion,
      });
      setLibraryVersion(reply, version);
      reply.header('ETag', etagOfVersion(result.version));
      return { saved_search: present(result) };
    },
  );

  app.delete(
    '/v1/saved-search/:id',
    {
      config: { scopes: ['media.write'] },
      schema: {
        tags,
        summary: 'Delete a saved search',
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
      const { version } = await writeLibrary(db, scope, async (write) => {
        checkFound(await findSavedSearch(write.tx, scope, id), { what: 'saved search', id, ifVersion });
        await deleteSavedSearch(write.tx, scope, id);
        write.record({ type: 'saved_search.deleted', objectId: id });
      });
      setLibraryVersion(reply, version);
      return reply.code(204).send(null);
    },
  );
}
