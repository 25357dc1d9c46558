import { type RawBuilder, sql } from 'kysely';
import type { LibraryScope } from '../../auth/index.ts';
import type { ActionEngineRequest, ActionSortField, EngineResult } from '../engine.ts';
import type { ActionFilter } from '../filter/filter-tree.ts';
import { ACTION_COLUMNS, matchingAction } from './action-condition-store.ts';
import { countActionFacet } from './action-facet-store.ts';
import { matching } from './condition-store.ts';
import { ACTIONS } from './document-store.ts';
import type { Condition } from './leaf-store.ts';
import { loadPage, type Order } from './page-store.ts';
import { loadWeights, scoreOf } from './relevance-store.ts';
import { resolveTexts } from './resolved-text-store.ts';
import type { RunStatement } from './snapshot-store.ts';
import { actionTextsOf, scoredClauses, textsOf, textsOfActions } from './text-store.ts';

type Shape = Omit<Order, 'descending'>;

const shape = (column: RawBuilder<unknown>, type: Shape['type'], alwaysThere: boolean): Shape => ({
  column,
  type,
  alwaysThere,
});
const SHAPES: Readonly<Record<Exclude<ActionSortField, 'relevance'>, Shape>> = {
  created_at: shape(ACTION_COLUMNS.created_at, 'timestamptz', true),
  updated_at: shape(ACTION_COLUMNS.updated_at, 'timestamptz', true),
  wallclock_at: shape(ACTION_COLUMNS.wallclock_at, 'timestamptz', false),
  start_ms: shape(ACTION_COLUMNS.start_ms, 'bigint', true),
  clock_ms: shape(ACTION_COLUMNS.clock_ms, 'bigint', false),
};

/** A search over actions in videos, on one state of the library. */
export async function searchActionsIn(
  run: RunStatement,
  scope: LibraryScope,
  request: ActionEngineRequest,
): Promise<EngineResult> {
  const filters = [request.filter, ...request.facets.map((facet) => facet.filter)];
  const texts = await resolveTexts(run, scope, {
    ofAssets: textsOf(request.media),
    ofActions: [...filters.flatMap(textsOfActions), ...actionTextsOf(request.media)],
    tagWords: request.tagWords,
  });
  const inMedia = matching(scope, request.media, texts);
  const atHome = request.homeOnly ? sql`m.asset_id = c.asset_id` : sql`true`;
  const matches = (filter: ActionFilter): Condition =>
    sql`${matchingAction(scope, filter, texts)} AND ${atHome} AND ${inMedia}`;
  const facets = [];
  for (const facet of request.facets) facets.push(await countActionFacet(run, facet, matches(facet.filter)));
  const found = { documents: ACTIONS, matches: matches(request.filter) };
  const { field, descending } = request.sort;
  if (field !== 'relevance') {
    return { ...(await loadPage(run, request, { ...found, order: { ...SHAPES[field], descending } })), facets };
  }
  const clauses = scoredClauses(request.filter, texts);
  const weights = request.after?.weights ?? (await loadWeights(run, scope, { documents: ACTIONS, clauses }));
  const order: Order = { ...shape(scoreOf(ACTIONS, { clauses, weights }), 'bigint', true), descending: true };
  const page = await loadPage(run, request, { ...found, order });
  return { ...page, nextKey: page.nextKey && { ...page.nextKey, weights }, facets };
}
