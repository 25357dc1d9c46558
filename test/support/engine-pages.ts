import type { EngineResult, SortKey } from '../../src/search/engine.ts';

type Paged = { readonly offset: number; readonly after: SortKey | undefined; readonly facets: readonly unknown[] };

/** More pages than any search of a test has: an engine that never ends fails instead of hanging. */
const MAX_PAGES = 200;

/** Every page of a search from the first to the last. */
export async function walkPages<Request extends Paged>(
  request: Request,
  ask: (request: Request) => Promise<EngineResult>,
): Promise<readonly EngineResult[]> {
  const pages: EngineResult[] = [];
  for (let after: SortKey | undefined; ; ) {
    // Facets are asked for once, as clients do.
    const page = await ask({ ...request, after, ...(after && { facets: [], offset: 0 }) });
    pages.push(page);
    // What a client sends back went through JSON.
    after = page.nextKey && (JSON.parse(JSON.stringify(page.nextKey)) as SortKey);
    if (after === undefined || pages.length > MAX_PAGES) return pages;
  }
}
