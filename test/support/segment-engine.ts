import type { Database } from '../../src/db/index.ts';
import { findTagSummaries, indexFieldsOf, listDetailFields, readIndexRows } from '../../src/library/index.ts';
import { createLibraryIndex, type LibraryIndex } from '../../src/search/bitmap/library-index.ts';
import { createSegmentBuilder } from '../../src/search/bitmap/segment/segment-builder.ts';
import type { SearchEngine } from '../../src/search/engine.ts';

/**
 * The bitmap engine's index without its follower, over libraries that do not change: in several segments, some of whose
 * assets are stale, and with the last ones kept as rows.
 */
export function createSegmentEngine(db: Database): SearchEngine {
  const indexes = new Map<number, LibraryIndex>();
  const load = async (scope: Parameters<SearchEngine['search']>[0]): Promise<LibraryIndex> => {
    const fields = indexFieldsOf(await listDetailFields(db, scope));
    const rows = await readIndexRows(db, scope, { afterId: 0, limit: 100_000, fields });
    const builder = createSegmentBuilder();
    // Every third asset has an older state in the first segment, that of its neighbour; every seventh was never there.
    for (const [at, row] of rows.entries()) {
      const other = rows[at + 1] ?? row;
      if (at % 7 !== 0) builder.add(at % 3 === 0 ? { ...other, id: row.id } : row);
    }
    const index = createLibraryIndex(builder.size === 0 ? [] : [{ data: builder.finish(), stale: [] }]);
    const later = rows.filter((_, at) => at % 7 === 0 || at % 3 === 0);
    const half = Math.floor(later.length / 2);
    await index.apply({ rows: later.slice(0, half), removed: [] });
    await index.apply({ rows: later.slice(half), removed: [] });
    const ids = [...new Set(rows.flatMap((row) => [row, ...row.actions]).flatMap((one) => one.tag_ids))];
    const summaries = await findTagSummaries(db, scope, ids);
    index.setTagTypes(new Map([...summaries].map(([id, { type }]) => [id, type])));
    return index;
  };
  const indexOf = async (scope: Parameters<SearchEngine['search']>[0]): Promise<LibraryIndex> => {
    const index = indexes.get(scope.organizationId) ?? (await load(scope));
    indexes.set(scope.organizationId, index);
    return index;
  };
  return {
    search: async (scope, request) => (await indexOf(scope)).search(request),
    searchActions: async (scope, request) => (await indexOf(scope)).searchActions(request),
  };
}
