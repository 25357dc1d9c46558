import fc from 'fast-check';
import { type LibraryScope, scopeOf } from '../../src/auth/index.ts';
import { createLogger, foldText } from '../../src/base/index.ts';
import { type Database, openDatabase } from '../../src/db/index.ts';
import {
  ACTION_TYPE_CATEGORY,
  insertOrganization,
  listDetailFields,
  type TagSummary,
} from '../../src/library/index.ts';
import type {
  ActionEngineRequest,
  ActionFacetField,
  ActionSortField,
  EngineRequest,
  FacetRequest,
  IdFacet,
  Interval,
  Sort,
  TimeFacet,
} from '../../src/search/engine.ts';
import type { TestedField } from '../../src/search/filter/detail-test.ts';
import { parseActionFilters, parseFilter } from '../../src/search/filter/filter-parser.ts';
import type { IdResolver } from '../../src/search/filter/resolved-ids.ts';
import { actionRow, type ActionIds, ANGLES, TYPE_KEYS } from './action-generators.ts';
import { type ActionRow, insertActions, setAngles } from './action-library.ts';
import { createActionModel, placesOf } from './action-model.ts';
import { createPlainTagWords } from './plain-tag-words.ts';
import { createTestDatabase } from './database.ts';
import { DETAIL_FIELDS } from './search-details.ts';
import { assetRow, type Ids, phrase, TAG_TYPES, vocabulary } from './search-generators.ts';
import { type AssetRow, insertAssets } from './search-library.ts';
import {
  createModel,
  type Model,
  type ModelActionQuery,
  type ModelFacet,
  type ModelFilter,
  type ModelTag,
} from './search-model.ts';

export type WorldTag = {
  readonly type: string;
  readonly category?: string;
  readonly names: readonly [string, ...string[]];
};

/** The library of one organization in the database and the model of the same. */
export type World = {
  readonly scope: LibraryScope;
  readonly ids: Ids;
  /** Of the assets, in the order of their rows. */
  readonly assetIds: readonly number[];
  /** What actions refer to. */
  readonly actionIds: ActionIds;
  readonly model: Model;
  request(query: WorldQuery): Promise<EngineRequest>;
  actionRequest(query: WorldActionQuery): Promise<ActionEngineRequest>;
};

/** A facet counts over the search's own filter unless it has one. */
type Counted = ModelFacet & { readonly filter?: ModelFilter };

export type WorldActionQuery = ModelActionQuery & {
  readonly sort: string;
  readonly limit: number;
  readonly offset?: number;
  readonly facets?: readonly Counted[];
};

export type WorldQuery = {
  readonly filter: ModelFilter;
  readonly sort: string;
  readonly limit: number;
  readonly offset?: number;
  readonly facets?: readonly Counted[];
};

export type Worlds = {
  readonly db: Database;
  create(content: WorldContent): Promise<World>;
  close(): Promise<void>;
};

export type WorldContent = {
  readonly tags: readonly WorldTag[];
  readonly collections: number;
  /** Words that assets had once. */
  readonly formerWords?: readonly string[];
  /** Every so many assets one whose words were not computed yet. */
  readonly unreadEvery?: number;
  /** Assets that carry these tag options and are in these collections. */
  readonly assets: (ids: Ids) => readonly AssetRow[];
  /** Actions in those assets, and which camera some of the assets are of. */
  readonly actions?: (ids: ActionIds) => readonly ActionRow[];
  readonly angles?: (media: readonly number[]) => ReadonlyMap<number, string>;
};

/** Tag options and assets out of a seed. */
export function randomContent(options: { readonly assets: number; readonly seed: number }): WorldContent {
  const { assets, seed } = options;
  const draw = <T>(arbitrary: fc.Arbitrary<T>): T => {
    const [value] = fc.sample(arbitrary, { numRuns: 1, seed });
    if (value === undefined) throw new RangeError('expected a value of the generator, received none');
    return value;
  };
  const words = draw(vocabulary());
  // Others than those of assets: a mistake in a text over assets is a word in one over actions.
  const [actionWords = []] = fc.sample(vocabulary(), { numRuns: 1, seed: seed + 1 });
  const name = phrase(2, words);
  const tag = (type: string): fc.Arbitrary<WorldTag> =>
    fc.record({ type: fc.constant(type), names: fc.tuple(name, name, name) });
  return {
    tags: [
      ...draw(fc.tuple(...['player', 'player', 'player', ...TAG_TYPES].flatMap((type) => [tag(type), tag(type)]))),
      ...draw(fc.tuple(name, name, name)).map(
        (label): WorldTag => ({ type: 'tag', category: ACTION_TYPE_CATEGORY, names: [label] }),
      ),
    ],
    collections: 3,
    formerWords: ['goalx', 'cornex', 'celebratiox', 'sesxo'],
    unreadEvery: 13,
    assets: (ids) => draw(fc.array(assetRow(ids, words), { minLength: assets, maxLength: assets })),
    // 0 to 6 in each asset, places in other videos included.
    actions: (ids) => draw(fc.array(actionRow(ids, actionWords), { minLength: assets, maxLength: assets * 2 })),
    angles: (media) => {
      const some = draw(fc.array(fc.option(fc.constantFrom(...ANGLES)), { minLength: assets, maxLength: assets }));
      return new Map(
        media.flatMap((id, at): [number, string][] => {
          const angle = some[at];
          return angle ? [[id, angle]] : [];
        }),
      );
    },
  };
}

function parseSort(text: string): Sort {
  const field = text.replace('-', '');
  // The fields of the generators are those of the contract.
  return { field: field as Sort['field'], descending: text.startsWith('-') || field === 'relevance' };
}

async function insertTags(db: Database, scope: LibraryScope, tags: readonly WorldTag[]): Promise<readonly number[]> {
  if (tags.length === 0) return [];
  const rows = tags.map(({ type, category = null, names: [label, fullName = null, ...aliases] }) => ({
    organization_id: scope.organizationId,
    type,
    category,
    label,
    full_name: fullName,
    aliases,
    folded_names: [label, fullName ?? '', ...aliases].map(foldText),
  }));
  return (await db.insertInto('tag_option').values(rows).returning('id').execute()).map((row) => row.id);
}

/** Fields of the organization's own, by their keys. */
async function insertFields(db: Database, scope: LibraryScope): Promise<ReadonlyMap<string, TestedField>> {
  const rows = DETAIL_FIELDS.map((field, position) => ({
    ...field,
    choices: 'choices' in field ? [...field.choices] : [],
    organization_id: scope.organizationId,
    position,
    searchable: true,
  }));
  await db.insertInto('detail_field').values(rows).execute();
  return new Map((await listDetailFields(db, scope)).map(({ id, key, type }) => [key, { id, key, type }]));
}

/** Words of assets that are there no more stay in the table of words. */
async function forgetWords(db: Database, scope: LibraryScope, words: readonly string[]): Promise<void> {
  if (words.length === 0) return;
  const rows = words.map((word) => ({ organization_id: scope.organizationId, word }));
  await db
    .insertInto('search_word')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function createWorld(db: Database, slug: string, content: WorldContent): Promise<World> {
  const { id: organizationId } = await insertOrganization(db, { slug, name: slug });
  const scope = scopeOf(organizationId);
  const tagIds = await insertTags(db, scope, content.tags);
  const tags = content.tags.map((tag, at): ModelTag => ({ ...tag, id: tagIds[at] ?? 0 }));
  const names = Array.from({ length: content.collections }, (_, n) => ({
    organization_id: organizationId,
    name: `c${n}`,
  }));
  const collections =
    names.length === 0 ? [] : await db.insertInto('collection').values(names).returning('id').execute();
  const ids = new Map([
    ...TAG_TYPES.map((type) => [type, tags.filter((tag) => tag.type === type).map((tag) => tag.id)] as const),
    ['tag_options', tagIds] as const,
    ['collection', collections.map((row) => row.id)] as const,
  ]);
  const fields = await insertFields(db, scope);
  const rows = content.assets(ids);
  const service = { app: { installation: { db } }, organizationId };
  const assetIds = await insertAssets(service, rows);
  const isUnread = (at: number) => content.unreadEvery !== undefined && at % content.unreadEvery === 0;
  const unread = assetIds.filter((_, at) => isUnread(at));
  if (unread.length > 0) await db.updateTable('asset').set({ search_text: null }).where('id', 'in', unread).execute();
  await forgetWords(db, scope, content.formerWords ?? []);
  const known = new Map(
    // Types of tags are texts in the model.
    tags.map((tag) => [tag.id, { id: tag.id, type: tag.type, mergedInto: null } as unknown as TagSummary]),
  );
  const types = tags.filter((_, at) => content.tags[at]?.category === ACTION_TYPE_CATEGORY).map((tag) => tag.id);
  const actionIds: ActionIds = { tags: ids, types, media: assetIds };
  const keys = new Map(TYPE_KEYS.map((key, at) => [key, key === 'never_used' ? [] : [types[at] ?? 0]] as const));
  const actions = content.actions?.(actionIds) ?? [];
  const angles = content.angles?.(assetIds) ?? new Map<number, string>();
  await setAngles(service, angles);
  const places = placesOf(actions, await insertActions(service, actions), angles);
  const resolver: IdResolver = {
    tags: async () => known,
    actionTypes: async () =>
      new Map<number | string, readonly number[]>([...keys, ...types.map((id) => [id, [id]] as const)]),
    missingCollections: async () => [],
    detailFields: () => listDetailFields(db, scope),
  };
  const parse = (filter: ModelFilter) => parseFilter(filter, resolver);
  const parseActions = ({ filter, media }: Pick<ModelActionQuery, 'filter' | 'media'>) =>
    parseActionFilters({ action: filter, media }, resolver);
  const tagWords = createPlainTagWords(tags);
  return {
    scope,
    ids,
    assetIds,
    actionIds,
    model: createModel(
      rows.map((row, at) => ({ ...row, id: assetIds[at] ?? 0, unread: isUnread(at) })),
      tags,
      createActionModel(places, tags, keys),
    ),
    async request(query) {
      const filter = await parse(query.filter);
      const facets = (query.facets ?? []).map(async (facet): Promise<FacetRequest> => {
        const counted = facet.filter ? await parse(facet.filter) : filter;
        const { field, limit, interval } = facet;
        const detail = fields.get(field.replace('details.', ''));
        if (detail) return { field: 'detail', detail, limit, filter: counted };
        // The generators pair fields and intervals as the contract does.
        if (interval === undefined) return { field: field as IdFacet, limit, filter: counted };
        return { field: field as TimeFacet, interval: interval as Interval, limit, filter: counted };
      });
      return {
        filter,
        sort: parseSort(query.sort),
        limit: query.limit,
        offset: query.offset ?? 0,
        after: undefined,
        facets: await Promise.all(facets),
        tagWords,
      };
    },
    async actionRequest(query) {
      const { filter, media } = await parseActions(query);
      const facets = (query.facets ?? []).map(async (facet) => {
        const counted = facet.filter ? (await parseActions({ filter: facet.filter, media: {} })).filter : filter;
        // The fields of the generators are those of the contract.
        return { field: facet.field as ActionFacetField, limit: facet.limit, filter: counted };
      });
      const { field, descending } = parseSort(query.sort);
      return {
        filter,
        media,
        homeOnly: query.homeOnly,
        sort: { field: field as ActionSortField, descending },
        limit: query.limit,
        offset: query.offset ?? 0,
        after: undefined,
        facets: await Promise.all(facets),
        tagWords,
      };
    },
  };
}

/** Libraries in a database of this test's own, without the service around it. */
export async function openWorlds(): Promise<Worlds> {
  const database = await createTestDatabase();
  const { db } = openDatabase({
    connection: { connectionString: database.url },
    applicationName: 'touchline-test',
    maxConnections: 4,
    logger: createLogger({ level: 'error' }),
  });
  let created = 0;
  return {
    db,
    create: (content) => createWorld(db, `world-${created++}`, content),
    async close() {
      await db.destroy();
      await database.drop();
    },
  };
}
