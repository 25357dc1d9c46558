import {
  createDetailField,
  type DetailField,
  editDetailField,
  findDetailField,
  listDetailFields,
  removeDetailField,
  writeLibrary,
} from '../../library/index.ts';
import type { ApiDeps } from '../deps.ts';
import { principalOf } from '../plugins/principal.ts';
import { checkFound, readIfMatch, setLibraryVersion } from '../plugins/versions.ts';
import { etagOfVersion } from '../present/media.ts';
import type { Api } from '../server.ts';
import { commonProblems, conflictProblem, IdParams, notFoundProblem, preconditionProblem } from '../wire/common.ts';
import {
  DetailFieldAnswer,
  DetailFieldBody,
  DetailFieldDeleteQuery,
  DetailFieldList,
  type DetailFieldOut,
  DetailFieldPatch,
} from '../wire/detail-fields.ts';

const present = (field: DetailField): DetailFieldOut => ({
  id: field.id,
  key: field.key,
  label: field.label,
  type: field.type,
  choices: [...field.choices],
  searchable: field.searchable,
  position: field.position,
  created_at: field.createdAt.toISOString(),
  updated_at: field.updatedAt.toISOString(),
  version: field.version,
});

const tags = ['detail fields'];
const what = 'detail field';

export function registerDetailFieldRoutes(app: Api, deps: ApiDeps): void {
  registerReading(app, deps);
  registerWriting(app, deps);
}

function registerReading(app: Api, { db }: ApiDeps): void {
  app.get(
    '/v1/detail-field',
    {
      config: { scopes: ['media.read'] },
      schema: {
        tags,
        operationId: 'listDetailFields',
        summary: 'List detail fields, by position',
        response: { 200: DetailFieldList, ...commonProblems },
      },
    },
    async (request) => {
      const fields = await listDetailFields(db, principalOf(request).scope);
      return { detail_fields: fields.map(present), next_cursor: null };
    },
  );

  app.get(
    '/v1/detail-field/:id',
    {
      config: { scopes: ['media.read'] },
      schema: {
        tags,
        summary: 'Read a detail field',
        params: IdParams,
        response: { 200: DetailFieldAnswer, ...commonProblems, ...notFoundProblem },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const found = checkFound(await findDetailField(db, principalOf(request).scope, id), { what, id });
      reply.header('ETag', etagOfVersion(found.version));
      return { detail_field: present(found) };
    },
  );
}

function registerWriting(app: Api, { db }: ApiDeps): void {
  app.post(
    '/v1/detail-field',
    {
      config: { scopes: ['admin'], idempotent: 'body' },
      schema: {
        tags,
        summary: 'Define a detail field',
        description:
          'Values that assets already have under the key become values of the field; those that do not fit it are a 409 that counts them.',
        body: DetailFieldBody,
        response: { 201: DetailFieldAnswer, ...commonProblems, ...conflictProblem },
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      const { choices = [], searchable = true, ...rest } = request.body;
      const { result, version } = await writeLibrary(db, scope, async (write) => {
        const id = await createDetailField(write, { ...rest, choices, searchable });
        return checkFound(await findDetailField(write.tx, scope, id), { what, id });
      });
      setLibraryVersion(reply, version);
      return reply
        .code(201)
        .header('ETag', etagOfVersion(result.version))
        .header('Location', `/v1/detail-field/${result.id}`)
        .send({ detail_field: present(result) });
    },
  );

  app.patch(
    '/v1/detail-field/:id',
    {
      config: { scopes: ['admin'] },
      schema: {
        tags,
        summary: 'Change a detail field (JSON Merge Patch)',
        description:
          'The type changes only while no asset has a value; a choice that assets have cannot be removed (409 with their number).',
        params: IdParams,
        body: DetailFieldPatch,
        response: {
          200: DetailFieldAnswer,
          ...commonProblems,
          ...notFoundProblem,
          ...conflictProblem,
          ...preconditionProblem,
        },
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      const { id } = request.params;
      const ifVersion = readIfMatch(request);
      const { result, version } = await writeLibrary(db, scope, async (write) => {
        const field = checkFound(await findDetailField(write.tx, scope, id), { what, id, ifVersion });
        await editDetailField(write, field, request.body);
        return checkFound(await findDetailField(write.tx, scope, id), { what, id });
      });
      setLibraryVersion(reply, version);
      reply.header('ETag', etagOfVersion(result.version));
      return { detail_field: present(result) };
    },
  );

  app.delete(
    '/v1/detail-field/:id',
    {
      config: { scopes: ['admin'] },
      schema: {
        tags,
        summary: 'Delete a detail field',
        description: 'Its values stay as free details, or go with it (values=remove, a media.updated for each asset).',
        params: IdParams,
        querystring: DetailFieldDeleteQuery,
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
        const field = checkFound(await findDetailField(write.tx, scope, id), { what, id, ifVersion });
        await removeDetailField(write, field, { removeValues: request.query.values === 'remove' });
      });
      setLibraryVersion(reply, version);
      return reply.code(204).send(null);
    },
  );
}
