import type { LibraryScope } from '../auth/index.ts';
import { GIB, HOUR_MS, type Logger } from '../base/index.ts';
import type { Database, Queryable } from '../db/index.ts';
import {
  type ChangeRow,
  findPlayersOfClubs,
  findTagSummaries,
  readLookupRows,
  readVersion,
  type TagLabel,
  type TagSummary,
} from '../library/index.ts';
import { type ActionTypeNames, readActionTypes } from './action-type-store.ts';
import { type Advance, createFollowers, type FollowerStats } from './follower.ts';
import type { Freshness } from './freshness.ts';
import {
  createTagLookupIndex,
  type TagLookupHit,
  type TagLookupIndex,
  type TagLookupRecord,
  type TagType,
} from './tag-lookup/index.ts';
import type { TagWords } from './text/tag-words.ts';

export type TagLookupRequest = {
  readonly query?: string | undefined;
  readonly types?: readonly TagType[] | undefined;
  readonly categories?: readonly string[] | undefined;
  /** Only tag options of these IDs. */
  readonly within?: readonly number[] | undefined;
  /** The day, `YYYY-MM-DD`, of which shirt numbers are meant. */
  readonly at?: string | undefined;
  readonly offset: number;
  readonly limit: number;
};
export type TagLookupAnswer = {
  readonly hits: readonly { readonly record: TagLookupRecord; readonly matchedOn: TagLookupHit['matchedOn'] }[];
  readonly total: number;
};
export type FreshnessOptions = {
  /** Sees the library at this version or a later one. */
  readonly version?: number | undefined;
  readonly signal?: AbortSignal | undefined;
};

/**
 * The tag options of every organization in memory. Each answer sees all writes that this node acknowledged before the
 * call, and those of other nodes after at most a second, or at once with their version.
 */
export type TagLookup = {
  /** Finds tag options by what somebody types. */
  search(scope: LibraryScope, request: TagLookupRequest, options?: FreshnessOptions): Promise<TagLookupAnswer>;
  /** The words of tag options. They go on following the library: ask all of one search before the next `await`. */
  tagWords(scope: LibraryScope, options?: FreshnessOptions): Promise<TagWords>;
  /**
   * ID, type and status of tag options, merged ones included; IDs that the organization does not have are missing. One
   * that is not known yet is looked for in the database first, so that nobody is told of a new option that it is unknown.
   */
  summaries(
    scope: LibraryScope,
    ids: readonly number[],
    options?: FreshnessOptions,
  ): Promise<ReadonlyMap<number, TagSummary>>;
  /** What people call tag options; merged ones and those that the organization does not have are missing. */
  labels(
    scope: LibraryScope,
    ids: readonly number[],
    options?: FreshnessOptions,
  ): Promise<ReadonlyMap<number, TagLabel>>;
  /** The tag options that are types of actions, those that were merged left out. Good until the next `await`. */
  actionTypes(scope: LibraryScope, options?: FreshnessOptions): Promise<ReadonlyMap<number, ActionTypeNames>>;
  /** Organizations in memory, with their number of options and estimated bytes. */
  stats(): readonly FollowerStats[];
  close(): Promise<void>;
};

const LOAD_PAGE = 10_000;
/** About 1 KB an option: a million options of all organizations. */
const MAX_BYTES = GIB;
const IDLE_MS = HOUR_MS;

/** The index, and the options that it leaves out because they were merged. */
type Tags = {
  readonly index: TagLookupIndex;
  readonly merged: Map<number, TagSummary>;
  readonly actionTypes: Map<number, ActionTypeNames>;
};

/** The tag options that a change may have altered: itself, or those whose counts follow from an asset's tags. */
function touchedBy(change: ChangeRow): readonly number[] {
  const lists = [change.data['added'], change.data['removed'], change.data['tag_option_ids']];
  // Only our own writes are in the feed, and these members are lists of IDs in each of them.
  const ids = lists.flatMap((list) => (Array.isArray(list) ? (list as number[]) : []));
  return change.type.startsWith('tag_option.') ? [change.objectId, ...ids] : ids;
}

type Rows = Awaited<ReturnType<typeof readLookupRows>>;

async function readMerged(db: Queryable, scope: LibraryScope, rows: Rows): Promise<ReadonlyMap<number, TagSummary>> {
  const ids = rows.filter((row) => row.status === 'merged').map((row) => row.id);
  return findTagSummaries(db, scope, ids);
}

function put(tags: Tags, rows: Rows, merged: ReadonlyMap<number, TagSummary>): void {
  // Takes merged ones out.
  tags.index.upsert(rows);
  for (const [id, summary] of merged) tags.merged.set(id, summary);
}

async function load(db: Database, scope: LibraryScope, signal: AbortSignal): Promise<{ index: Tags; version: number }> {
  const version = await readVersion(db, scope);
  const actionTypes = new Map((await readActionTypes(db, scope)).map((one) => [one.id, one]));
  const tags: Tags = { index: createTagLookupIndex(), merged: new Map(), actionTypes };
  for (let afterId = 0; ; ) {
    signal.throwIfAborted();
    const rows = await readLookupRows(db, scope, { afterId, limit: LOAD_PAGE });
    put(tags, rows, await readMerged(db, scope, rows));
    const last = rows.at(-1);
    if (!last || rows.length < LOAD_PAGE) return { index: tags, version };
    afterId = last.id;
  }
}

async function apply(scope: LibraryScope, tags: Tags, { tx, changes }: Advance): Promise<void> {
  const touched = new Set(changes.flatMap(touchedBy));
  if (touched.size === 0) return;
  // A club's name is part of how its players are found by shirt number.
  const clubs = [...touched].filter((id) => (tags.index.get(id)?.type ?? 'club') === 'club');
  for (const id of await findPlayersOfClubs(tx, scope, clubs)) touched.add(id);
  // Options merged into one that is merged in turn point further.
  for (const [id, { mergedInto }] of tags.merged) if (mergedInto !== null && touched.has(mergedInto)) touched.add(id);
  const rows = await readLookupRows(tx, scope, { ids: [...touched] });
  const merged = await readMerged(tx, scope, rows);
  const actionTypes = await readActionTypes(tx, scope, [...touched]);
  const present = new Set(rows.map((row) => row.id));
  const gone = [...touched].filter((id) => !present.has(id));
  put(tags, rows, merged);
  tags.index.remove(gone);
  for (const id of gone) tags.merged.delete(id);
  for (const id of touched) tags.actionTypes.delete(id);
  for (const one of actionTypes) tags.actionTypes.set(one.id, one);
}

function summaryOf(tags: Tags, id: number): TagSummary | undefined {
  const record = tags.index.get(id);
  return record ? { id, type: record.type, status: record.status, mergedInto: null } : tags.merged.get(id);
}

function searchIndex(index: TagLookupIndex, request: TagLookupRequest): TagLookupAnswer {
  const { query, types, categories, within, at } = request;
  const found = index.search({
    offset: request.offset,
    limit: request.limit,
    ...(query === undefined ? {} : { query }),
    ...(types === undefined ? {} : { types }),
    ...(categories === undefined ? {} : { categories }),
    ...(within === undefined ? {} : { within: new Set(within) }),
    ...(at === undefined ? {} : { at }),
  });
  const hits = found.hits.flatMap((hit) => {
    const record = index.get(hit.id);
    return record ? [{ record, matchedOn: hit.matchedOn }] : [];
  });
  return { hits, total: found.total };
}

export function createTagLookup(options: {
  readonly db: Database;
  readonly logger: Logger;
  readonly freshness: Freshness;
}): TagLookup {
  const { db, logger, freshness } = options;
  const followers = createFollowers<Tags>({
    db,
    logger,
    name: 'tag_lookup',
    load: (scope, signal) => load(db, scope, signal),
    apply,
    // A summary in a map takes about 150 bytes.
    sizeOf: ({ index, merged }) => ({ size: index.size, bytes: index.bytes + merged.size * 150 }),
    freshness,
    maxBytes: MAX_BYTES,
    idleMs: IDLE_MS,
  });
  const current = (scope: LibraryScope, wanted: FreshnessOptions = {}): Promise<Tags> =>
    followers.current(scope, { ...wanted, wait: true });

  return {
    async search(scope, request, wanted) {
      return searchIndex((await current(scope, wanted)).index, request);
    },
    async tagWords(scope, wanted) {
      return (await current(scope, wanted)).index.words;
    },
    async summaries(scope, ids, wanted) {
      if (ids.length === 0) return new Map();
      const find = (tags: Tags) =>
        new Map(
          ids.flatMap((id) => {
            const summary = summaryOf(tags, id);
            return summary ? [[id, summary] as const] : [];
          }),
        );
      const known = find(await current(scope, wanted));
      if (ids.every((id) => known.has(id))) return known;
      // Another node may have made it less than a second ago.
      return find(await current(scope, { ...wanted, version: Number.MAX_SAFE_INTEGER }));
    },
    async labels(scope, ids, wanted) {
      if (ids.length === 0) return new Map();
      const { index } = await current(scope, wanted);
      return new Map(
        ids.flatMap((id) => {
          const record = index.get(id);
          return record ? [[id, { type: record.type, label: record.label }] as const] : [];
        }),
      );
    },
    async actionTypes(scope, wanted) {
      return (await current(scope, wanted)).actionTypes;
    },
    stats: () => followers.stats(),
    close: () => followers.close(),
  };
}
