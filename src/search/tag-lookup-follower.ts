import type { LibraryScope } from '../auth/index.ts';
import { createSingleFlight, type Logger } from '../base/index.ts';
import type { Database } from '../db/index.ts';
import {
  type ChangeRow,
  findPlayersOfClubs,
  type LookupRow,
  readChanges,
  readLookupRows,
  readVersion,
} from '../library/index.ts';
import {
  createTagLookupIndex,
  type TagLookupHit,
  type TagLookupIndex,
  type TagLookupRecord,
  type TagType,
} from './tag-lookup/index.ts';

export type TagLookupRequest = {
  readonly query?: string | undefined;
  readonly types?: readonly TagType[] | undefined;
  readonly categories?: readonly string[] | undefined;
  readonly offset: number;
  readonly limit: number;
};
export type TagLookupAnswer = {
  readonly hits: readonly { readonly record: TagLookupRecord; readonly matchedOn: TagLookupHit['matchedOn'] }[];
  readonly total: number;
};

export type TagLookup = {
  /** Finds tag options by what somebody types. Sees every write that was acknowledged before the call, on any node. */
  search(scope: LibraryScope, request: TagLookupRequest): Promise<TagLookupAnswer>;
  /** Organizations in memory, with their number of options and estimated bytes. */
  stats(): readonly { readonly organizationId: number; readonly size: number; readonly bytes: number }[];
};

const LOAD_PAGE = 10_000;
const CHANGES_PAGE = 5000;
/** Further behind than this, loading anew is quicker than following. */
const REBUILD_AFTER_CHANGES = 50_000;
const MAX_ORGANIZATIONS = 100;

type Follower = { readonly index: TagLookupIndex; version: number };

const toRecord = (row: LookupRow): TagLookupRecord => ({ ...row, shirts: row.shirts });

/** The tag options that a change may have altered: itself, or those whose counts follow from an asset's tags. */
function touchedBy(change: ChangeRow): readonly number[] {
  const lists = [change.data['added'], change.data['removed'], change.data['tag_option_ids']];
  const ids = lists.flatMap((list) => (Array.isArray(list) ? (list as number[]) : []));
  return change.type.startsWith('tag_option.') ? [change.objectId, ...ids] : ids;
}

/**
 * Keeps one lookup index per organization in step with the change feed. Each search first reads the library's version
 * (one indexed row) and applies what is missing, so that it never answers from the past.
 */
export function createTagLookup(options: { readonly db: Database; readonly logger: Logger }): TagLookup {
  const { db, logger } = options;
  const followers = new Map<number, Follower>();
  const flights = createSingleFlight<Follower>();

  const load = async (scope: LibraryScope): Promise<Follower> => {
    const startedMs = performance.now();
    // The version is read first: what changes while the rows are read is applied once more by the next catch-up.
    const version = await readVersion(db, scope);
    const index = createTagLookupIndex();
    for (let afterId = 0; ; ) {
      const rows = await readLookupRows(db, scope, { afterId, limit: LOAD_PAGE });
      index.upsert(rows.map(toRecord));
      const last = rows.at(-1);
      if (!last || rows.length < LOAD_PAGE) break;
      afterId = last.id;
    }
    const tookMs = Math.round(performance.now() - startedMs);
    logger.debug({ event: 'tag_lookup.loaded', organizationId: scope.organizationId, size: index.size, tookMs });
    return { index, version };
  };

  const catchUp = async (scope: LibraryScope, follower: Follower): Promise<Follower> => {
    const target = await readVersion(db, scope);
    if (target === follower.version) return follower;
    if (target - follower.version > REBUILD_AFTER_CHANGES) return load(scope);
    const touched = new Set<number>();
    let reached = follower.version;
    while (reached < target) {
      const changes = await readChanges(db, scope, { after: reached, limit: CHANGES_PAGE });
      const last = changes.at(-1);
      if (!last) return load(scope);
      for (const change of changes) for (const id of touchedBy(change)) touched.add(id);
      reached = last.version;
    }
    // A club's name is part of how its players are found by shirt number.
    const clubs = [...touched].filter((id) => (follower.index.get(id)?.type ?? 'club') === 'club');
    for (const id of await findPlayersOfClubs(db, scope, clubs)) touched.add(id);
    const rows = await readLookupRows(db, scope, { ids: [...touched] });
    const present = new Set(rows.map((row) => row.id));
    follower.index.upsert(rows.map(toRecord));
    follower.index.remove([...touched].filter((id) => !present.has(id)));
    follower.version = reached;
    return follower;
  };

  const current = async (scope: LibraryScope): Promise<Follower> => {
    const id = scope.organizationId;
    const target = await readVersion(db, scope);
    for (;;) {
      const present = followers.get(id);
      // Two catch-ups of one index must not overlap. Whoever joins one that began earlier checks whether it went far enough.
      const reached =
        present && present.version >= target
          ? present
          : await flights.run(String(id), () => (present ? catchUp(scope, present) : load(scope)));
      // To the end of the map: the first entry is then the one used longest ago.
      followers.delete(id);
      followers.set(id, reached);
      const oldest = followers.keys().next().value;
      if (followers.size > MAX_ORGANIZATIONS && oldest !== undefined) followers.delete(oldest);
      if (reached.version >= target) return reached;
    }
  };

  return {
    async search(scope, request) {
      const { index } = await current(scope);
      const { query, types, categories } = request;
      const found = index.search({
        offset: request.offset,
        limit: request.limit,
        ...(query === undefined ? {} : { query }),
        ...(types === undefined ? {} : { types }),
        ...(categories === undefined ? {} : { categories }),
      });
      const hits = found.hits.flatMap((hit) => {
        const record = index.get(hit.id);
        return record ? [{ record, matchedOn: hit.matchedOn }] : [];
      });
      return { hits, total: found.total };
    },
    stats: () =>
      [...followers].map(([organizationId, { index }]) => ({ organizationId, size: index.size, bytes: index.bytes })),
  };
}
