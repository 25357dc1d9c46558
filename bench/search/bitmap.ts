/** The bitmap engine, loaded, with what loading took. */
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { LibraryScope } from '../../src/auth/index.ts';
import { createLogger } from '../../src/base/index.ts';
import type { Database } from '../../src/db/index.ts';
import { type EngineRequest, type SearchEngine, SORT_FIELDS } from '../../src/search/engine.ts';
import { createBitmapEngine } from '../../src/search/index.ts';
import type { TagWords } from '../../src/search/text/tag-words.ts';
import { mib, timed } from './statistics.ts';

const LOAD_LIMIT_MS = 20 * 60_000;

setFlagsFromString('--expose-gc');
// The global `gc` appears only in contexts made after the flag was set.
const collectGarbage = runInNewContext('gc') as () => void;

export function memory(): { readonly rss: number; readonly used: number } {
  collectGarbage();
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  return { rss, used: heapUsed + arrayBuffers };
}

/** The engine with its index loaded. Until then it hands searches on, which is how it is set to work here. */
export async function loadBitmapEngine(
  options: {
    readonly db: Database;
    readonly scope: LibraryScope;
    readonly postgres: SearchEngine;
    readonly tagWords: TagWords;
  },
  print: (line: string) => void,
): Promise<SearchEngine> {
  const { db, scope, postgres, tagWords } = options;
  const before = memory();
  const engine = createBitmapEngine({ db, whileLoading: postgres, logger: createLogger({ level: 'warn' }) });
  const request: EngineRequest = {
    filter: { kind: 'all', filters: [] },
    sort: { field: 'created_at', descending: true },
    limit: 1,
    offset: 0,
    after: undefined,
    facets: [],
    tagWords,
  };
  const { ms } = await timed(async () => {
    const startedMs = performance.now();
    void engine.search(scope, request).catch(() => {});
    while (engine.stats().length === 0) {
      if (performance.now() - startedMs > LOAD_LIMIT_MS)
        throw new Error('expected the index to load within 20 minutes');
      await delay(5);
    }
  });
  const firsts: string[] = [];
  for (const field of SORT_FIELDS) {
    const sorted = { ...request, sort: { field, descending: true } };
    firsts.push(`${field} ${(await timed(() => engine.search(scope, sorted))).ms.toFixed(1)}`);
  }
  const after = memory();
  const [stats] = engine.stats();
  if (!stats) throw new Error('expected a loaded index, received none');
  print(
    `index built from PostgreSQL in ${(ms / 1000).toFixed(1)} s; first search by each sort, ms: ${firsts.join(', ')}`,
  );
  print(
    `bytes an asset: ${((after.used - before.used) / stats.size).toFixed(0)} measured as growth of heap and buffers; ` +
      `its own figures: ${JSON.stringify(stats)}`,
  );
  print(`process RSS: ${mib(before.rss)} before, ${mib(after.rss)} after`);
  return engine;
}
