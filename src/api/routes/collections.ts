import { AppError } from '../../base/index.ts';
import {
  type Collection,
  deleteCollection,
  findCollection,
  insertCollection,
  listCollections,
  renameCollection,
  writeLibrary,
} from '../../library/index.ts';
import { idOf, readCursorPage } from '../cursor-page.ts';
import type { ApiDeps } from '../deps.ts';
import { principalOf } from '../plugins/principal.ts';
import { checkFound, readIfMatch, setLibraryVersion } from '../plugins/versions.ts';
import { organizationOf } from '../present/organization.ts';
import { etagOfVersion } from '../present/media.ts';
import type { Api } from '../server.ts';
import {
  CollectionAnswer,
  CollectionBody,
  CollectionList,
  CollectionListQuery,
  type CollectionOut,
} from '../wire/collections.ts';
import { commonProblems, IdParams, notFoundProblem, preconditionProblem } from '../wire/common.ts';

const present = (collection: Collection): CollectionOut => ({
  id: collection.id,
  name: collection.name,
  media_count: collection.mediaCount,
  created_at: collection.createdAt.toISOString(),
  updated_at: collection.updatedAt.toISOString(),
  version: collection.version,
});

const tags = ['collections'];
const PURPOSE = 'collections';

export function registerCollectionRoutes(app: Api, deps: ApiDeps): void {
  const { db } = deps;

  app.get(
    '/v1/collection',
    {
      config: { scopes: ['media.read'] },
      schema: {
        tags,
        summary: 'List collections',
        querystring: CollectionListQuery,
        response: { 200: CollectionList, ...commonProblems },
      },
    },
    async (request) => {
      const { scope } = principalOf(request);
      const { signingKey } = await organizationOf(deps, scope);
      const { rows, nextCursor } = await readCursorPage(
        signingKey,
        { ...request.query, purpose: PURPOSE },
        { load: (afterId = 0, limit) => listCollections(db, scope, { afterId, limit }), keyOf: idOf },
      );
      return { collections: rows.map(present), next_cursor: nextCursor };
    },
  );

  app.post(
    '/v1/collection',
    {
      config: { scopes: ['media.write'], idempotent: 'body' },
      schema: {
        tags,
        summary: 'Create a collection',
        body: CollectionBody,
        response: { 201: CollectionAnswer, ...commonProblems },
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      const { result, version } = await writeLibrary(db, scope, async (write) => {
        const id = await insertCollection(write.tx, scope, request.body.name);
        write.record({ type: 'collection.created', objectId: id });
        return findCollection(write.tx, scope, id);
      });
      if (!result) throw new AppError('internal', 'the collection is not there after it was created');
      setLibraryVersion(reply, version);
      return reply
        .code(201)
        .header('ETag', etagOfVersion(result.version))
        .send({ collection: present(result) });
    },
  );

  app.get(
    '/v1/collection/:id',
    {
      config: { scopes: ['media.read'] },
      schema: {
        tags,
        summary: 'Read a collection',
        params: IdParams,
        response: { 200: CollectionAnswer, ...commonProblems, ...notFoundProblem },
      },
    },
    async (request, reply) => {
      const found = await findCollection(db, principalOf(request).scope, request.params.id);
      if (!found) throw new AppError('not_found', `There is no collection ${request.params.id}.`);
      reply.header('ETag', etagOfVersion(found.version));
      return { collection: present(found) };
    },
  );

  app.patch(
    '/v1/collection/:id',
    {
      config: { scopes: ['media.write'] },
      schema: {
        tags,
        summary: 'Rename a collection',
        params: IdParams,
        body: CollectionBody,
        response: { 200: CollectionAnswer, ...commonProblems, ...notFoundProblem, ...preconditionProblem },
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      const { id } = request.params;
      const ifVersion = readIfMatch(request);
      const { result, version } = await writeLibrary(db, scope, async (write) => {
        const before = await findCollection(write.tx, scope, id);
        checkFound(before, { what: 'collection', id, ifVersion });
        await renameCollection(write.tx, scope, { id, name: request.body.name });
        write.record({ type: 'collection.updated', objectId: id });
        return findCollection(write.tx, scope, id);
      });
      setLibraryVersion(reply, version);
      const after = checkFound(result, { what: 'collection', id, ifVersion: undefined });
      reply.header('ETag', etagOfVersion(after.version));
      return { collection: present(after) };
    },
  );

  app.delete(
    '/v1/collection/:id',
    {
      config: { scopes: ['media.write'] },
      schema: {
        tags,
        summary: 'Delete a collection; its assets stay',
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
        checkFound(await findCollection(write.tx, scope, id), { what: 'collection', id, ifVersion });
        await deleteCollection(write.tx, scope, id);
        write.record({ type: 'collection.deleted', objectId: id });
      });
      setLibraryVersion(reply, version);
      return reply.code(204).send(null);
    },
  );
}
