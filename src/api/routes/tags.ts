import { type LibraryScope, openCursor, sealCursor } from '../../auth/index.ts';
import { AppError, invalidField } from '../../base/index.ts';
import {
  createTag,
  editTag,
  findTag,
  findTagIdsByExternalId,
  findTags,
  findTagSummaries,
  listTags,
  mergeTag,
  readRosters,
  removeTag,
  TAG_TYPES,
  type TagType,
  writeLibrary,
} from '../../library/index.ts';
import { idOf, readCursorPage } from '../cursor-page.ts';
import type { ApiDeps } from '../deps.ts';
import { principalOf } from '../plugins/principal.ts';
import { checkFound, readIfMatch, readLibraryVersion, setLibraryVersion } from '../plugins/versions.ts';
import { etagOfVersion } from '../present/media.ts';
import { organizationOf } from '../present/organization.ts';
import { presentTag, readTagInput } from '../present/tags.ts';
import type { Api } from '../server.ts';
import { commonProblems, conflictProblem, IdParams, notFoundProblem, preconditionProblem } from '../wire/common.ts';
import {
  TagAnswer,
  TagCreate,
  type TagHit,
  TagList,
  TagListQuery,
  TagMerge,
  TagPatch,
  TagSearchAnswer,
  TagSearchQuery,
} from '../wire/tags.ts';
import { registerTagBulk } from './tag-bulk.ts';
import { registerTagUsage } from './tag-usage.ts';

const tags = ['tags'];

function readTypes(text: string | undefined): readonly TagType[] | undefined {
  if (text === undefined || text === '') return undefined;
  const given = text.split(',').map((one) => one.trim());
  const wrong = given.filter((one) => !(TAG_TYPES as readonly string[]).includes(one));
  if (wrong.length > 0) throw invalidField('type', `expected ${TAG_TYPES.join(', ')}, received ${wrong.join(', ')}`);
  return given as TagType[];
}

/** Players of a club on a day. @throws AppError `unknown_tag_option` when it is no club of the organization */
async function findPlayersOfClub(
  { db }: ApiDeps,
  { scope, club, at }: { readonly scope: LibraryScope; readonly club: number; readonly at: string },
): Promise<readonly number[]> {
  const found = (await findTagSummaries(db, scope, [club])).get(club);
  if (found?.type !== 'club') {
    const detail = `expected the ID of a club, received ${found ? `that of a ${found.type}` : 'unknown'} ${club}`;
    throw new AppError('unknown_tag_option', detail, {
      details: { unknown: [club] },
      errors: [{ pointer: 'club', code: 'unknown_tag_option', detail }],
    });
  }
  const roster = await readRosters(db, scope, { clubIds: [found.mergedInto ?? club], at: new Date(`${at}T00:00:00Z`) });
  return [...new Set(roster.map((entry) => entry.playerId))];
}

function registerTagSearch(app: Api, deps: ApiDeps): void {
  app.get(
    '/v1/tag/search',
    {
      config: { scopes: ['media.read'] },
      schema: {
        tags,
        summary: 'Find tag options by name',
        description:
          'Accents folded, any part of a word, aliases, shirt number with club (of the day of at), one or two typos last. ' +
          'Exact matches first, then by media_count.',
        querystring: TagSearchQuery,
        response: { 200: TagSearchAnswer, ...commonProblems },
      },
    },
    async (request) => {
      const { scope } = principalOf(request);
      const { signingKey } = await organizationOf(deps, scope);
      const { query, type, category, club, limit, cursor } = request.query;
      const at = request.query.at ?? deps.clock.now().toISOString().slice(0, 10);
      const purpose = `tags:${JSON.stringify([query, type, category, club, request.query.at])}`;
      const within = club === undefined ? undefined : await findPlayersOfClub(deps, { scope, club, at });
      const offset = cursor === undefined ? 0 : Number(openCursor(signingKey, purpose, cursor));
      const found = await deps.tagLookup.search(
        scope,
        {
          query: query?.trim() === '' ? undefined : query,
          types: readTypes(type),
          categories: category === undefined ? undefined : [category],
          within,
          at,
          offset,
          limit,
        },
        { version: readLibraryVersion(request) },
      );
      const options = found.hits.map(
        ({ record, matchedOn }): TagHit => ({
          id: record.id,
          ID: record.id,
          type: record.type,
          category: record.category,
          label: record.label,
          full_name: record.fullName,
          aliases: [...record.aliases],
          media_count: record.mediaCount,
          status: record.status,
          matched_on: matchedOn,
        }),
      );
      const of = (wanted: TagType) => options.filter((option) => option.type === wanted);
      const next = offset + options.length;
      return {
        tag_options: options,
        players: of('player'),
        clubs: of('club'),
        stadiums: of('stadium'),
        competitions: of('competition'),
        seasons: of('season'),
        matches: of('match'),
        sponsors: of('sponsor'),
        tags: of('tag'),
        total: found.total,
        next_cursor: options.length > 0 && next < found.total ? sealCursor(signingKey, purpose, next) : null,
      };
    },
  );
}

function registerTagList(app: Api, deps: ApiDeps): void {
  const { db } = deps;
  app.get(
    '/v1/tag',
    {
      config: { scopes: ['media.read'] },
      schema: {
        tags,
        summary: 'List tag options in full, in order of ID',
        querystring: TagListQuery,
        response: { 200: TagList, ...commonProblems },
      },
    },
    async (request) => {
      const { scope } = principalOf(request);
      const { signingKey } = await organizationOf(deps, scope);
      const { type, external_id: externalId, club, limit, cursor } = request.query;
      const at = request.query.at ?? deps.clock.now().toISOString().slice(0, 10);
      const within = club === undefined ? undefined : await findPlayersOfClub(deps, { scope, club, at });
      const types = readTypes(type);
      if (externalId !== undefined) {
        const at = externalId.indexOf(':');
        const reference = { source: externalId.slice(0, at), id: externalId.slice(at + 1) };
        const ids = [...(await findTagIdsByExternalId(db, scope, [reference])).values()];
        const found = (await findTags(db, scope, ids))
          .filter((one) => types === undefined || types.includes(one.type))
          .filter((one) => within?.includes(one.id) ?? true);
        return { tag_options: found.slice(0, limit).map(presentTag), next_cursor: null };
      }
      const purpose = `tag-list:${JSON.stringify([type, club, request.query.at])}`;
      const { rows, nextCursor } = await readCursorPage(
        signingKey,
        { purpose, limit, cursor },
        { load: (afterId = 0, count) => listTags(db, scope, { types, within, afterId, limit: count }), keyOf: idOf },
      );
      return { tag_options: rows.map(presentTag), next_cursor: nextCursor };
    },
  );
}

export function registerTagRoutes(app: Api, deps: ApiDeps): void {
  const { db } = deps;
  registerTagSearch(app, deps);
  registerTagList(app, deps);
  registerTagBulk(app, deps);
  registerTagUsage(app, deps);

  app.post(
    '/v1/tag',
    {
      config: { scopes: ['tags.write'], idempotent: 'body' },
      schema: {
        tags,
        summary: 'Create a tag option',
        body: TagCreate,
        response: { 201: TagAnswer, ...commonProblems, ...conflictProblem },
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      const { result, version } = await writeLibrary(db, scope, async (write) => {
        const id = await createTag(write, readTagInput(request.body));
        return checkFound(await findTag(write.tx, scope, id), { what: 'tag option', id });
      });
      setLibraryVersion(reply, version);
      return reply
        .code(201)
        .header('ETag', etagOfVersion(result.version))
        .send({ tag_option: presentTag(result) });
    },
  );

  app.get(
    '/v1/tag/:id',
    {
      config: { scopes: ['media.read'] },
      schema: {
        tags,
        summary: 'Read a tag option',
        params: IdParams,
        response: { 200: TagAnswer, ...commonProblems, ...notFoundProblem },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const found = checkFound(await findTag(db, principalOf(request).scope, id), { what: 'tag option', id });
      reply.header('ETag', etagOfVersion(found.version));
      return { tag_option: presentTag(found) };
    },
  );

  app.patch(
    '/v1/tag/:id',
    {
      config: { scopes: ['tags.write'] },
      schema: {
        tags,
        summary: 'Change a tag option (JSON Merge Patch)',
        description: 'A given list of relations replaces the relations of its kind.',
        params: IdParams,
        body: TagPatch,
        response: { 200: TagAnswer, ...commonProblems, ...notFoundProblem, ...conflictProblem, ...preconditionProblem },
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      const { id } = request.params;
      const ifVersion = readIfMatch(request);
      const { result, version } = await writeLibrary(db, scope, async (write) => {
        const present = checkFound(await findTag(write.tx, scope, id), { what: 'tag option', id, ifVersion });
        await editTag(write, present, readTagInput(request.body));
        return checkFound(await findTag(write.tx, scope, id), { what: 'tag option', id });
      });
      setLibraryVersion(reply, version);
      reply.header('ETag', etagOfVersion(result.version));
      return { tag_option: presentTag(result) };
    },
  );

  app.delete(
    '/v1/tag/:id',
    {
      config: { scopes: ['tags.write'] },
      schema: {
        tags,
        summary: 'Delete a tag option that no asset carries and no action names',
        params: IdParams,
        response: {
          204: { type: 'null', description: 'Deleted' },
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
      const { version } = await writeLibrary(db, scope, async (write) =>
        removeTag(write, checkFound(await findTag(write.tx, scope, id), { what: 'tag option', id, ifVersion })),
      );
      setLibraryVersion(reply, version);
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/v1/tag/:id/merge',
    {
      config: { scopes: ['tags.write'], idempotent: 'body' },
      schema: {
        tags,
        summary: 'Merge a tag option into another',
        description:
          'Assets, actions, relations, external ids and names move; the old ID stays as a redirect in lookup and search.',
        params: IdParams,
        body: TagMerge,
        response: { 200: TagAnswer, ...commonProblems, ...notFoundProblem, ...conflictProblem },
      },
    },
    async (request, reply) => {
      const { scope, key } = principalOf(request);
      const { id } = request.params;
      const { into } = request.body;
      const { result, version } = await writeLibrary(db, scope, async (write) => {
        const from = checkFound(await findTag(write.tx, scope, id), { what: 'tag option', id });
        const target = await findTag(write.tx, scope, into);
        if (!target) {
          const detail = `expected the ID of a tag option, received unknown ${into}`;
          throw new AppError('unknown_tag_option', detail, {
            details: { unknown: [into] },
            errors: [{ pointer: '/into', code: 'unknown_tag_option', detail }],
          });
        }
        await mergeTag(write, { from, into: target, actor: key.name });
        return checkFound(await findTag(write.tx, scope, into), { what: 'tag option', id: into });
      });
      setLibraryVersion(reply, version);
      reply.header('ETag', etagOfVersion(result.version));
      return { tag_option: presentTag(result) };
    },
  );
}
