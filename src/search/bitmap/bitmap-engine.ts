import type { LibraryScope } from '../../auth/index.ts';
import { createSingleFlight, type Logger, messageOf } from '../../base/index.ts';
import type { Database } from '../../db/index.ts';
import { type ChangeRow, findTagSummaries, readChanges, readIndexRows, readVersion } from '../../library/index.ts';
import type { SearchEngine } from '../engine.ts';
import { createLibraryIndex, type LibraryIndex } from './library-index.ts';

const LOAD_PAGE = 20_000;
const CHANGES_PAGE = 5000;
/** Further behind than this, loading anew is quicker than following. */
const REBUILD_AFTER_CHANGES = 200_000;

export type BitmapEngine = SearchEngine & {
  /** Organizations in memory, with their number of assets and estimated bytes. */
  stats(): readonly { readonly organizationId: number; readonly size: number; readonly bytes: number }[];
};

type Follower = { readonly index: LibraryIndex; version: number };

/**
 * The engine in memory. Each search first reads the library's version and applies what is missing from the change feed, so
 * that it never answers from the past. Until an organization's index is loaded, `whileLoading` answers for it.
 */
export function createBitmapEngine(options: {
  readonly db: Database;
  readonly whileLoading: SearchEngine;
  readonly logger: Logger;
}): BitmapEngine {
  const { db, whileLoading, logger } = options;
  const followers = new Map<number, Follower>();
  const loading = new Set<number>();
  const flights = createSingleFlight<Follower>();

  const upsert = async (scope: LibraryScope, index: LibraryIndex, rows: Awaited<ReturnType<typeof readIndexRows>>) => {
    const unknown = new Set(rows.flatMap((row) => row.tag_ids.filter((id) => !index.hasTagType(id))));
    const summaries = await findTagSummaries(db, scope, [...unknown]);
    index.setTagTypes(new Map([...summaries].map(([id, { type }]) => [id, type])));
    index.upsert(rows);
  };

  const load = async (scope: LibraryScope): Promise<Follower> => {
    const startedMs = performance.now();
    // The version is read first: what changes while the rows are read is applied once more by the next catch-up.
    const version = await readVersion(db, scope);
    const index = createLibraryIndex();
    for (let afterId = 0; ; ) {
      const rows = await readIndexRows(db, scope, { afterId, limit: LOAD_PAGE });
      await upsert(scope, index, rows);
      const last = rows.at(-1);
      if (!last || rows.length < LOAD_PAGE) break;
      afterId = last.id;
    }
    const tookMs = Math.round(performance.now() - startedMs);
    logger.info({ event: 'search_index.loaded', organizationId: scope.organizationId, size: index.size, tookMs });
    return { index, version };
  };

  /** Assets that a change may have altered. */
  const touchedBy = (change: ChangeRow, index: LibraryIndex): readonly number[] => {
    if (change.type.startsWith('media.')) return [change.objectId];
    return change.type === 'collection.deleted' ? index.assetsInCollection(change.objectId) : [];
  };

  const catchUp = async (scope: LibraryScope, follower: Follower): Promise<Follower> => {
    const target = await readVersion(db, scope);
    if (target - follower.version > REBUILD_AFTER_CHANGES) return load(scope);
    const touched = new Set<number>();
    let reached = follower.version;
    while (reached < target) {
      const changes = await readChanges(db, scope, { after: reached, limit: CHANGES_PAGE });
      const last = changes.at(-1);
      if (!last) return load(scope);
      for (const change of changes) for (const id of touchedBy(change, follower.index)) touched.add(id);
      reached = last.version;
    }
    const rows = await readIndexRows(db, scope, { ids: [...touched] });
    const present = new Set(rows.map((row) => row.id));
    await upsert(scope, follower.index, rows);
    follower.index.remove([...touched].filter((id) => !present.has(id)));
    follower.version = reached;
    return follower;
  };

  const loadInBackground = (scope: LibraryScope): void => {
    const id = scope.organizationId;
    if (loading.has(id)) return;
    loading.add(id);
    flights
      .run(String(id), () => load(scope))
      .then((follower) => followers.set(id, follower))
      .catch((error: unknown) =>
        logger.warn({ event: 'search_index.load_failed', organizationId: id, reason: messageOf(error) }),
      )
      .finally(() => loading.delete(id));
  };

  /** The index at the library's present version; undefined while it is being loaded. */
  const current = async (scope: LibraryScope): Promise<LibraryIndex | undefined> => {
    const id = scope.organizationId;
    const target = await readVersion(db, scope);
    for (;;) {
      const present = followers.get(id);
      if (!present) {
        loadInBackground(scope);
        return undefined;
      }
      if (present.version >= target) return present.index;
      followers.set(id, await flights.run(String(id), () => catchUp(scope, present)));
    }
  };

  return {
    async search(scope, request) {
      const index = await current(scope);
      return index ? index.search(request) : whileLoading.search(scope, request);
    },
    stats: () =>
      [...followers].map(([organizationId, { index }]) => ({ organizationId, size: index.size, bytes: index.bytes })),
  };
}
