import { type RawBuilder, sql } from 'kysely';
import type { LibraryScope } from '../../auth/index.ts';
import type { Database } from '../../db/index.ts';
import type { EngineRequest, EngineResult, SearchEngine, Sort } from '../engine.ts';
import { firstActionOf } from '../filter/filter-tree.ts';
import { earliestStart } from './action-condition-store.ts';
import { searchActionsIn } from './action-search-store.ts';
import { matching } from './condition-store.ts';
import { ASSETS } from './document-store.ts';
import { countFacet } from './facet-store.ts';
import { loadPage, type Order } from './page-store.ts';
import { loadWeights, scoreOf } from './relevance-store.ts';
import { resolveTexts } from './resolved-text-store.ts';
import { inSnapshot, type RunStatement } from './snapshot-store.ts';
import { actionTextsOf, type ResolvedTexts, scoredClauses, textsOf } from './text-store.ts';

type Shape = Omit<Order, 'descending'>;

const time = (column: RawBuilder<unknown>, alwaysThere: boolean): Shape => ({
  column,
  type: 'timestamptz',
  alwaysThere,
});
const SHAPES: Readonly<Record<Exclude<Sort['field'], 'relevance' | 'action.start_ms'>, Shape>> = {
  created_at: time(sql.ref('a.created_at'), true),
  captured_at: time(sql.ref('a.captured_at'), false),
  updated_at: time(sql.ref('a.updated_at'), true),
  name: { column: sql`a.name COLLATE "C"`, type: 'text', alwaysThere: true },
  rating: { column: sql.ref('a.rating'), type: 'integer', alwaysThere: false },
};

function shapeOf(
  field: Exclude<Sort['field'], 'relevance'>,
  scope: LibraryScope,
  asked: { readonly request: EngineRequest; readonly texts: ResolvedTexts },
): Shape {
  if (field !== 'action.start_ms') return SHAPES[field];
  const action = firstActionOf(asked.request.filter);
  const column = action ? earliestStart(scope, action, asked.texts) : sql`NULL::bigint`;
  return { column, type: 'bigint', alwaysThere: false };
}

async function searchIn(run: RunStatement, scope: LibraryScope, request: EngineRequest): Promise<EngineResult> {
  // Texts of the search's own filter and of its facets' filters, which mostly repeat it.
  const filters = [request.filter, ...request.facets.map((facet) => facet.filter)];
  const texts = await resolveTexts(run, scope, {
    ofAssets: filters.flatMap(textsOf),
    ofActions: filters.flatMap(actionTextsOf),
    tagWords: request.tagWords,
  });
  const matches = matching(scope, request.filter, texts);
  const facets = [];
  for (const facet of request.facets) facets.push(await countFacet(run, facet, { scope, texts }));
  const { field, descending } = request.sort;
  if (field !== 'relevance') {
    const order = { ...shapeOf(field, scope, { request, texts }), descending };
    return { ...(await loadPage(run, request, { documents: ASSETS, matches, order })), facets };
  }
  const clauses = scoredClauses(request.filter, texts);
  const weights = request.after?.weights ?? (await loadWeights(run, scope, { documents: ASSETS, clauses }));
  // The best first, whichever way was asked for.
  const order: Order = {
    column: scoreOf(ASSETS, { clauses, weights }),
    type: 'bigint',
    alwaysThere: true,
    descending: true,
  };
  const page = await loadPage(run, request, { documents: ASSETS, matches, order });
  return { ...page, nextKey: page.nextKey && { ...page.nextKey, weights }, facets };
}

/** The reference engine: the filter as SQL over GIN indexes. Correct on any PostgreSQL, whatever the memory. */
export function createPostgresEngine(db: Database): SearchEngine {
  return {
    async search(scope, request) {
      const severalStatements =
        request.facets.length > 0 ||
        request.sort.field === 'relevance' ||
        textsOf(request.filter).length > 0 ||
        actionTextsOf(request.filter).length > 0;
      return inSnapshot(db, { signal: request.signal, severalStatements }, (run) => searchIn(run, scope, request));
    },
    async searchActions(scope, request) {
      const { signal } = request;
      return inSnapshot(db, { signal, severalStatements: true }, (run) => searchActionsIn(run, scope, request));
    },
  };
}
