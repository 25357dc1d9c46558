import { availableParallelism } from 'node:os';
import { setImmediate as breathe } from 'node:timers/promises';
import type { LibraryScope } from '../../auth/index.ts';
import { HOUR_MS, type Logger, messageOf } from '../../base/index.ts';
import type { ConnectionSettings, Database, Queryable } from '../../db/index.ts';
import {
  type ChangeRow,
  type Extent,
  findTagSummaries,
  type IdRange,
  type IndexField,
  indexFieldsOf,
  type IndexRow,
  listDetailFields,
  readExtent,
  readFingerprint,
  readIndexRows,
  readVersion,
} from '../../library/index.ts';
import type { SearchEngine } from '../engine.ts';
import { createFollowers, type FollowerStats } from '../follower.ts';
import type { Freshness } from '../freshness.ts';
import { runTask } from './background/run-task.ts';
import { answersDetails, learnFields } from './known-details.ts';
import { createLibraryIndex, type LibraryIndex } from './library-index.ts';
import { ACTION_SECTIONS, type SegmentData } from './segment/sections.ts';
import { createSegmentBuilder, SEGMENT_WEIGHT, weightOf } from './segment/segment-builder.ts';
import type { TaskResult } from './background/tasks.ts';
import type { Snapshot, Snapshots } from './snapshot/snapshots.ts';

/** Up to this weight (see `weightOf`) a library is read here: a thread would take longer to start. */
const SMALL_LIBRARY = 2000;
/** Following this many changes takes as long as loading a library of some size anew. */
const MAX_CHANGES_BEHIND = 200_000;
const IDLE_MS = 12 * HOUR_MS;
/** A snapshot that is further behind than this is written again when the service stops. */
const SNAPSHOT_BEHIND = 100;
const TAG_PAGE = 20_000;
/** A library of more weight than this is read by several threads. */
const WEIGHT_PER_THREAD = 200_000;
const MAX_THREADS = 4;
/** An index with names and words, roughly: what will not fit is not begun. */
const BYTES_PER_ASSET = 240;
const BYTES_PER_ACTION = 120;
const BYTES_PER_DETAIL = 12;

export type BitmapEngine = SearchEngine & {
  /** Organizations in memory, with their number of assets and actions and the memory of their index. */
  stats(): readonly (FollowerStats & {
    readonly actions: number;
    readonly textBytes: number;
    readonly segments: number;
  })[];
  /** Writes the snapshots that are behind, and lets the indexes go. */
  close(): Promise<void>;
};

type Entry = {
  readonly index: LibraryIndex;
  /** Those whose values the index has; one that is gone stays until the index is loaded again, and nobody can ask for it. */
  fields: readonly IndexField[];
  version: number;
  snapshotVersion: number;
  busy: boolean;
};

export type BitmapEngineOptions = {
  readonly db: Database;
  /** For the threads that read whole libraries: they connect by themselves. */
  readonly connection: ConnectionSettings;
  readonly applicationName: string;
  readonly freshness: Freshness;
  readonly whileLoading: SearchEngine;
  /** Undefined: indexes are read from the database after every start. */
  readonly snapshots: Snapshots | undefined;
  /** For all organizations together. */
  readonly maxBytes: number;
  readonly logger: Logger;
  /** A weight (see `weightOf`), default 2,000. */
  readonly smallLibrary?: number;
  readonly onChanges?: (scope: LibraryScope, changes: readonly ChangeRow[]) => void;
};

/** Assets that a change may have altered, their actions included. */
function touchedBy(change: ChangeRow, index: LibraryIndex): readonly number[] {
  if (change.type.startsWith('media.')) return [change.objectId];
  if (change.type.startsWith('action.')) {
    const ids = change.data['media_ids'];
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'number') : [];
  }
  return change.type === 'collection.deleted' ? index.assetsInCollection(change.objectId) : [];
}

async function learnTagTypes(
  db: Queryable,
  scope: LibraryScope,
  options: { readonly index: LibraryIndex; readonly ids: Iterable<number> },
): Promise<void> {
  const { index } = options;
  const unknown = [...new Set(options.ids)].filter((id) => !index.hasTagType(id));
  for (let from = 0; from < unknown.length; from += TAG_PAGE) {
    const found = await findTagSummaries(db, scope, unknown.slice(from, from + TAG_PAGE));
    index.setTagTypes(new Map([...found].map(([id, { type }]) => [id, type])));
  }
}

/** Tag options of an asset and its actions. */
function tagsIn(row: IndexRow): readonly number[] {
  return row.actions.length === 0 ? row.tag_ids : [...row.tag_ids, ...row.actions.flatMap((action) => action.tag_ids)];
}

/** So many assets are read at a time: each may have thousands of actions. */
const ROWS_PAGE = 200;

/** Brings some assets to their present state, some of which may be gone; with `wordsOnly`, those that have words now. */
async function refresh(
  db: Queryable,
  scope: LibraryScope,
  options: {
    readonly index: LibraryIndex;
    readonly ids: readonly number[];
    readonly fields: readonly IndexField[];
    readonly wordsOnly: boolean;
  },
): Promise<void> {
  const { index, ids, fields, wordsOnly } = options;
  if (ids.length === 0) return;
  const change = index.begin();
  const gone = new Set(wordsOnly ? [] : ids);
  for (let from = 0; from < ids.length; from += ROWS_PAGE) {
    const read = await readIndexRows(db, scope, { ids: ids.slice(from, from + ROWS_PAGE), fields });
    const rows = wordsOnly ? read.filter((row) => row.text.length > 0) : read;
    for (const { id } of rows) gone.delete(id);
    await learnTagTypes(db, scope, { index, ids: rows.flatMap(tagsIn) });
    await change.add(rows);
  }
  await change.finish([...gone]);
}

/** Ranges of IDs that hold about as many assets each: IDs are given out one after the other. */
function splitIds(extent: Extent, parts: number): readonly IdRange[] {
  const { first, last } = extent;
  const ends = Array.from({ length: parts }, (_, at) => first + Math.floor(((last - first + 1) * (at + 1)) / parts));
  // An asset that is added meanwhile is in the feed; the last range takes it all the same.
  return ends.map((end, at) => ({
    first: at === 0 ? 0 : (ends[at - 1] ?? 0),
    last: at === parts - 1 ? Number.MAX_SAFE_INTEGER : end - 1,
  }));
}

/** A small library, read page by page in this thread; undefined when it is larger. */
async function readSmallLibrary(
  db: Database,
  scope: LibraryScope,
  { most, fields }: { readonly most: number; readonly fields: readonly IndexField[] },
): Promise<readonly SegmentData[] | undefined> {
  const rows: readonly IndexRow[] = await readIndexRows(db, scope, { afterId: 0, limit: most + 1, fields });
  if (rows.length > most) return undefined;
  const builder = createSegmentBuilder();
  for (const row of rows) builder.add(row);
  await breathe();
  return builder.size === 0 ? [] : [builder.finish()];
}

/**
 * The engine in memory. It follows each organization's change feed; until an organization's index is loaded, from a snapshot
 * or from the database, `whileLoading` answers for it.
 */
export function createBitmapEngine(options: BitmapEngineOptions): BitmapEngine {
  const { db, connection, applicationName, logger, snapshots, freshness, smallLibrary = SMALL_LIBRARY } = options;
  const closing = new AbortController();
  const background = new Set<Promise<void>>();

  const readFromDatabase = async (
    scope: LibraryScope,
    options: { readonly extent: Extent; readonly fields: readonly IndexField[]; readonly signal: AbortSignal },
  ): Promise<TaskResult> => {
    const { extent, fields, signal } = options;
    const { organizationId } = scope;
    const weight = weightOf(extent);
    const withActions = extent.actions > 0;
    if (weight <= smallLibrary) {
      const version = await readVersion(db, scope);
      const small = await readSmallLibrary(db, scope, { most: smallLibrary, fields });
      if (small) return { segments: small, version };
    }
    const threads = weight < WEIGHT_PER_THREAD ? 1 : Math.min(availableParallelism(), MAX_THREADS);
    // Without actions a thread begins a new segment when one is large enough.
    const each = withActions ? Math.max(1, Math.round(weight / threads / SEGMENT_WEIGHT)) : 1;
    const ranges = splitIds(extent, threads * each);
    const results = await Promise.all(
      Array.from({ length: threads }, (_, at) => {
        const parts = ranges.slice(at * each, (at + 1) * each);
        const task = { kind: 'load', connection, applicationName, organizationId, parts, withActions, fields } as const;
        return runTask(task, signal);
      }),
    );
    // What one thread read at a later version is applied once more from the feed.
    return {
      segments: results.flatMap(({ segments }) => segments),
      version: Math.min(...results.map(({ version }) => version)),
    };
  };

  const writeSnapshot = async (scope: LibraryScope, entry: Entry): Promise<void> => {
    // Taken together: what the segments hold is the library at this version.
    const { version, fields } = entry;
    const segments = entry.index.snapshot();
    if (!snapshots || version === entry.snapshotVersion) return;
    const fingerprint = await readFingerprint(db, scope, version);
    if (fingerprint === undefined) return;
    const startedMs = performance.now();
    await snapshots.write(scope.organizationId, { version, fingerprint, fields, segments });
    entry.snapshotVersion = version;
    const tookMs = Math.round(performance.now() - startedMs);
    logger.debug({ event: 'search_index.snapshot', organizationId: scope.organizationId, version, tookMs });
  };

  const inBackground = (scope: LibraryScope, entry: Entry, work: () => Promise<void>): void => {
    if (entry.busy || closing.signal.aborted) return;
    entry.busy = true;
    const { organizationId } = scope;
    const run = work()
      .catch((error: unknown) => {
        if (closing.signal.aborted) return;
        logger.warn({ event: 'search_index.background_failed', organizationId, reason: messageOf(error) });
      })
      .finally(() => {
        entry.busy = false;
        background.delete(run);
      });
    background.add(run);
  };

  /** Merges segments when there are many, and writes down what came of it. */
  const tidy = (scope: LibraryScope, entry: Entry): void => {
    const plan = entry.index.planMerge();
    if (!plan) return;
    inBackground(scope, entry, async () => {
      const parts = plan.parts.map(({ segment, stale }) => ({ data: segment.data, stale }));
      const { segments } = await runTask({ kind: 'merge', parts }, closing.signal);
      entry.index.finishMerge(plan, segments);
      await writeSnapshot(scope, entry);
    });
  };

  /** An index of these segments, which knows the types of their tag options. */
  const open = async (scope: LibraryScope, parts: Snapshot['segments']): Promise<LibraryIndex> => {
    const index = createLibraryIndex(parts);
    const ids = new Set(
      parts.flatMap(({ data }) =>
        ['tag_ids', `${ACTION_SECTIONS}tag_ids`].flatMap((name) => Array.from(data.sections[name] ?? [])),
      ),
    );
    await learnTagTypes(db, scope, { index, ids });
    return index;
  };

  const load = async (scope: LibraryScope, signal: AbortSignal) => {
    const { organizationId } = scope;
    const extent = await readExtent(db, scope);
    // The version before the fields: whatever becomes of them meanwhile is in the feed behind it.
    const before = await readVersion(db, scope);
    const present = indexFieldsOf(await listDetailFields(db, scope));
    const perAsset = BYTES_PER_ASSET + present.length * BYTES_PER_DETAIL;
    const bytes = extent.assets * perAsset + extent.actions * BYTES_PER_ACTION;
    if (bytes > options.maxBytes) return { tooLargeBytes: bytes };
    const snapshot = await snapshots?.read(
      organizationId,
      async (found) => (await readFingerprint(db, scope, found.version)) === found.fingerprint,
    );
    if (snapshot) {
      const { version, fields } = snapshot;
      const index = await open(scope, snapshot.segments);
      // What an older version wrote has no words until a start fills them in, which is no change of the feed.
      await refresh(db, scope, { index, ids: index.assetsWithoutWords(), fields, wordsOnly: true });
      const entry: Entry = { index, fields, version, snapshotVersion: version, busy: false };
      return { index: entry, version };
    }
    const { segments, version: read } = await readFromDatabase(scope, { extent, fields: present, signal });
    const version = Math.min(before, read);
    const index = await open(
      scope,
      segments.map((data) => ({ data, stale: [] })),
    );
    const entry: Entry = { index, fields: present, version, snapshotVersion: 0, busy: false };
    if (index.weight > smallLibrary) inBackground(scope, entry, () => writeSnapshot(scope, entry));
    return { index: entry, version };
  };

  const followers = createFollowers<Entry>({
    db,
    logger,
    name: 'search_index',
    load,
    async apply(scope, entry, { tx, changes, version }) {
      const { index } = entry;
      const ofFields = changes.some((change) => change.type.startsWith('detail_field.'));
      const learnt = ofFields ? await learnFields(tx, scope, entry.fields) : { fields: entry.fields, ids: [] };
      if (!learnt) return 'reload';
      const { fields } = learnt;
      const touched = new Set([...changes.flatMap((change) => touchedBy(change, index)), ...learnt.ids]);
      await refresh(tx, scope, { index, ids: [...touched], fields, wordsOnly: false });
      entry.fields = fields;
      entry.version = version;
      tidy(scope, entry);
      return undefined;
    },
    sizeOf: ({ index }) => ({ size: index.size, bytes: index.bytes }),
    freshness,
    maxBytes: options.maxBytes,
    idleMs: IDLE_MS,
    maxChangesBehind: MAX_CHANGES_BEHIND,
    ...(options.onChanges && { onChanges: options.onChanges }),
  });

  return {
    async search(scope, request) {
      const { version, signal, filter, facets } = request;
      const entry = await followers.current(scope, { version, signal, wait: false });
      const counted = facets.flatMap((facet) => ('detail' in facet ? [facet.detail] : []));
      const filters = [filter, ...facets.map((facet) => facet.filter)];
      const answers = entry && answersDetails(entry, { filters, counted });
      return answers ? entry.index.search(request) : options.whileLoading.search(scope, request);
    },
    async searchActions(scope, request) {
      const { version, signal } = request;
      const entry = await followers.current(scope, { version, signal, wait: false });
      const answers = entry && answersDetails(entry, { filters: [request.media], counted: [] });
      return answers ? entry.index.searchActions(request) : options.whileLoading.searchActions(scope, request);
    },
    stats: () => {
      const indexes = new Map(followers.entries().map(({ scope, index }) => [scope.organizationId, index.index]));
      return followers.stats().map((one) => {
        const index = indexes.get(one.organizationId);
        const { actions = 0, textBytes = 0, segments = 0 } = index ?? {};
        return { ...one, actions, textBytes, segments };
      });
    },
    async close() {
      const entries = followers.entries();
      await followers.close();
      closing.abort();
      await Promise.allSettled(background);
      for (const { scope, index: entry } of entries) {
        if (entry.index.weight <= smallLibrary || entry.version - entry.snapshotVersion < SNAPSHOT_BEHIND) continue;
        await writeSnapshot(scope, entry).catch((error: unknown) =>
          logger.warn({
            event: 'search_index.snapshot_failed',
            organizationId: scope.organizationId,
            reason: messageOf(error),
          }),
        );
      }
    },
  };
}
