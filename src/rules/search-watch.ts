/** Saved searches that tell when an asset begins to match. */
import type { LibraryScope } from '../auth/index.ts';
import {
  type ChangeRow,
  findNotifiedMatches,
  listNotifyingSearches,
  noteNotifiedMatches,
  writeLibrary,
} from '../library/index.ts';
import { findUnfinished } from './trigger-store.ts';
import type { RunnerDeps } from './rule-runner.ts';
import { refusalOf } from './rule-steps.ts';

/** Options of a search, which a filter has not. */
const OPTIONS: ReadonlySet<string> = new Set(['sort', 'limit', 'facets', 'include', 'images', 'highlight']);

function touchedBy({ type, objectId, data }: ChangeRow): readonly number[] {
  if (type.startsWith('media.')) return [objectId];
  const ids = data['media_ids'];
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'number') : [];
}

/**
 * Judges the assets of a batch by each search that tells, and records an event for those that begin to match. An asset that
 * is still being processed does not match yet. Safe to do again: what a search found is kept with the event.
 */
export async function watchSavedSearches(
  deps: RunnerDeps,
  batch: {
    readonly scope: LibraryScope;
    readonly changes: readonly ChangeRow[];
    readonly version: number;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const { scope, version, signal } = batch;
  const searches = await listNotifyingSearches(deps.db, scope);
  if (searches.length === 0) return;
  const touched = [...new Set(batch.changes.flatMap(touchedBy))];
  const unfinished = await findUnfinished(deps.db, scope, touched);
  const mediaIds = touched.filter((id) => !unfinished.has(id));
  for (const search of searches) {
    signal.throwIfAborted();
    const filter = Object.fromEntries(Object.entries(search.request).filter(([name]) => !OPTIONS.has(name)));
    let found: ReadonlySet<number>;
    try {
      found = await deps.tools.judge.assets(scope, { filter, mediaIds }, { version, signal, pointer: '/request' });
    } catch (error) {
      // As a search of it would be refused: what it names is gone.
      if (refusalOf(error)) found = new Set();
      else throw error;
    }
    const known = await findNotifiedMatches(deps.db, scope, { id: search.id, mediaIds });
    const begun = [...found].filter((id) => !known.has(id)).toSorted((a, b) => a - b);
    const ended = [...known].filter((id) => !found.has(id));
    if (begun.length === 0 && ended.length === 0) continue;
    await writeLibrary(deps.db, scope, (write) =>
      noteNotifiedMatches(write, { id: search.id, version: search.version, begun, ended }),
    );
  }
}
