/**
 * Brings the tag options of a library in line with a list of another system, of whatever length. The list is taken in
 * batches, each one short transaction, so that other writes get in between; a batch is written as a whole or not at all.
 * An item that refers to a later one waits, as a whole, until that one was written: the list is read again for those that
 * wait, until none is left or nothing moves any more.
 */
import type { LibraryScope } from '../auth/index.ts';
import { type AppError, MIB } from '../base/index.ts';
import type { Database } from '../db/index.ts';
import { readVersion, writeLibrary } from './changes-store.ts';
import { applyTagItems, createTagPreview } from './tag-batch.ts';
import { keysOf, type PlanOptions } from './tag-draft.ts';
import type { TagInput } from './tag-input.ts';
import type { TagOutcome } from './tag-plan.ts';
import { deactivateTags, findActiveTagsOfSource } from './tag-sync-store.ts';
import type { TagType } from './tag-types.ts';

/** One item of the list; one that cannot be read is an item that fails. `line` counts from 1, `index` from 0. */
export type SyncItem = { readonly index: number; readonly line: number } & (
  | { readonly input: TagInput; readonly bytes: number }
  | { readonly error: AppError }
);
export type SyncResult =
  | {
      readonly index: number;
      readonly status: 'created' | 'updated' | 'unchanged';
      /** Missing where a preview would create it. */
      readonly id: number | undefined;
    }
  | { readonly index: number; readonly line: number; readonly status: 'failed'; readonly error: AppError };

export type SyncSource = {
  /** The items in order, from the first on; only those of `wanted` where it is given. */
  read(wanted?: ReadonlySet<number>): AsyncIterable<SyncItem>;
  /** Whether an item of the list has this external ID, by `externalKey`. */
  has(key: string): boolean;
};

/** All options of a type with an external ID of a source. */
export type SyncedSet = { readonly type: TagType; readonly source: string };

export type SyncSummary = {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
  readonly deactivated: number;
  /** Why missing options were left active although that was asked for. */
  readonly notDeactivated: string | undefined;
  readonly version: number;
};

/** About 0.2 s of a transaction. */
const BATCH_ITEMS = 1000;
const BATCH_BYTES = 4 * MIB;

type ReadItem = SyncItem & { readonly input: TagInput };
type Batch = { readonly items: readonly ReadItem[]; readonly unreadable: readonly SyncResult[] };

async function* batchesOf(items: AsyncIterable<SyncItem>): AsyncGenerator<Batch, void, undefined> {
  let read: ReadItem[] = [];
  let unreadable: SyncResult[] = [];
  let bytes = 0;
  for await (const item of items) {
    if ('error' in item) unreadable.push({ ...item, status: 'failed' });
    else {
      read.push(item);
      bytes += item.bytes;
    }
    if (read.length + unreadable.length < BATCH_ITEMS && bytes < BATCH_BYTES) continue;
    yield { items: read, unreadable };
    [read, unreadable, bytes] = [[], [], 0];
  }
  if (read.length + unreadable.length > 0) yield { items: read, unreadable };
}

/** What has happened so far. */
type Progress = {
  readonly counts: Record<SyncResult['status'], number>;
  readonly written: Set<number>;
  /** `type:source` of items that were written. */
  readonly seen: Set<string>;
  version: number;
};

function settle(progress: Progress, item: ReadItem, outcome: Exclude<TagOutcome, { status: 'deferred' }>): SyncResult {
  const { index, line } = item;
  progress.counts[outcome.status] += 1;
  if (outcome.status === 'failed') return { index, line, status: 'failed', error: outcome.error };
  const { state, status } = outcome;
  progress.written.add(state.id);
  for (const [source, id] of Object.entries(item.input.externalIds ?? {})) {
    if (id !== null) progress.seen.add(`${state.values.type}:${source}`);
  }
  return { index, status, id: state.id > 0 ? state.id : undefined };
}

async function deactivateMissing(
  db: Database,
  scope: LibraryScope,
  options: {
    readonly progress: Progress;
    readonly before: ReadonlyMap<SyncedSet, readonly number[]>;
    readonly preview: boolean;
    readonly signal: AbortSignal;
  },
): Promise<{ readonly count: number; readonly why: string | undefined }> {
  const { progress, before, preview, signal } = options;
  if (before.size === 0) return { count: 0, why: undefined };
  if (progress.counts.failed > 0) return { count: 0, why: `${progress.counts.failed} items failed` };
  const absent = [...before.keys()].find(({ type, source }) => !progress.seen.has(`${type}:${source}`));
  // Rather a mistake than a roster without players.
  if (absent) return { count: 0, why: `no item was a ${absent.type} with an external id of ${absent.source}` };
  const missing = [...new Set([...before.values()].flat())].filter((id) => !progress.written.has(id));
  if (preview) return { count: missing.length, why: undefined };
  let count = 0;
  for (let at = 0; at < missing.length; at += BATCH_ITEMS) {
    signal.throwIfAborted();
    const ids = missing.slice(at, at + BATCH_ITEMS);
    const { result, version } = await writeLibrary(db, scope, (write) => deactivateTags(write, ids));
    count += result;
    progress.version = version;
  }
  return { count, why: undefined };
}

type Apply = (
  items: readonly ReadItem[],
  options: PlanOptions,
) => Promise<{ readonly outcomes: readonly TagOutcome[]; readonly version?: number }>;

function writing(db: Database, scope: LibraryScope): Apply {
  return async (items, options) => {
    const { result, version } = await writeLibrary(db, scope, (write) => applyTagItems(write, items, options));
    return { outcomes: result, version };
  };
}

function previewing(db: Database, scope: LibraryScope): Apply {
  const preview = createTagPreview(db, scope);
  return async (items, options) => ({ outcomes: await preview(items, options) });
}

/**
 * Creates and changes tag options by external ID. Yields the results of each batch after its commit (not in the order of
 * the items: see `index`) and answers the summary at the end. Ends with the signal's reason between two batches.
 */
export async function* syncTags(
  db: Database,
  scope: LibraryScope,
  options: {
    readonly source: SyncSource;
    /** Active options of these sets that no item was about are deactivated at the end, if no item failed. */
    readonly deactivateMissing: readonly SyncedSet[];
    /** Says what would happen, and writes nothing. */
    readonly preview: boolean;
    readonly signal: AbortSignal;
  },
): AsyncGenerator<readonly SyncResult[], SyncSummary, undefined> {
  const { source, preview, signal } = options;
  const apply = preview ? previewing(db, scope) : writing(db, scope);
  const before = new Map<SyncedSet, readonly number[]>();
  for (const set of options.deactivateMissing) before.set(set, await findActiveTagsOfSource(db, scope, set));
  const progress: Progress = {
    counts: { created: 0, updated: 0, unchanged: 0, failed: 0 },
    written: new Set(),
    seen: new Set(),
    version: await readVersion(db, scope),
  };
  let wanted: Set<number> | undefined;
  for (let last = false; ; ) {
    const deferred = new Set<number>();
    const deferredKeys = new Set<string>();
    const comesLater = last ? () => false : source.has;
    for await (const { items, unreadable } of batchesOf(source.read(wanted))) {
      signal.throwIfAborted();
      const { outcomes, version = progress.version } = await apply(items, { comesLater, deferredKeys });
      progress.version = version;
      progress.counts.failed += unreadable.length;
      const results = items.flatMap((item, at): readonly SyncResult[] => {
        const outcome = outcomes[at];
        if (outcome && outcome.status !== 'deferred') return [settle(progress, item, outcome)];
        deferred.add(item.index);
        for (const key of keysOf(item.input)) deferredKeys.add(key);
        return [];
      });
      yield [...results, ...unreadable];
    }
    if (deferred.size === 0) break;
    // What still waits although all others were written waits for an item that failed.
    last = deferred.size === wanted?.size;
    wanted = deferred;
  }
  const { count, why } = await deactivateMissing(db, scope, { progress, before, preview, signal });
  return { ...progress.counts, deactivated: count, notDeactivated: why, version: progress.version };
}
