import { type RawBuilder, sql } from 'kysely';
import type { LibraryScope } from '../../auth/index.ts';
import type { ActionFilter, ActionKeywordField, ActionNumberField } from '../filter/filter-tree.ts';
import { actionVisibility } from '../filter/visibility.ts';
import { ACTIONS } from './document-store.ts';
import { bigints, carriesTags, compares, type Condition } from './leaf-store.ts';
import { meetsText, type ResolvedTexts } from './text-store.ts';

type Leaf<Kind extends ActionFilter['kind']> = Extract<ActionFilter, { kind: Kind }>;

/** Scalar fields of the action `c` in its place `m` of the asset `a`. */
export const ACTION_COLUMNS: Readonly<
  Record<Exclude<ActionKeywordField, 'role'> | ActionNumberField, RawBuilder<unknown>>
> = {
  status: sql.ref('c.status'),
  outcome: sql.ref('c.outcome'),
  source: sql.ref('c.source'),
  angle: sql`(a.timeline ->> 'angle')`,
  start_ms: sql.ref('m.start_ms'),
  period: sql.ref('c.period'),
  clock_ms: sql.ref('c.clock_ms'),
  minute: sql.ref('c.minute'),
  stoppage: sql.ref('c.stoppage'),
  // The number that the shortest text of the stored one stands for, as clients and indexes read it: 0.9, not 0.89999998.
  confidence: sql`(c.confidence::text::float8)`,
  wallclock_at: sql.ref('c.wallclock_at'),
  created_at: sql.ref('c.created_at'),
  updated_at: sql.ref('c.updated_at'),
};

/** The players of the action `c` with their roles. */
export const PLAYERS = sql`jsonb_to_recordset(c.players) AS p (id bigint, role text)`;

const texts = (words: readonly string[]) => sql`${[...words]}::text[]`;

const somePlayer = (condition: Condition): Condition => sql`EXISTS (SELECT FROM ${PLAYERS} WHERE ${condition})`;

function playersInRoles(leaf: Leaf<'ids'>, roles: readonly string[]): Condition {
  const ids = bigints(leaf.ids);
  const inRole: Condition = sql`p.role = ANY (${texts(roles)})`;
  const some = somePlayer(sql`p.id = ANY (${ids}) AND ${inRole}`);
  switch (leaf.test) {
    case 'all':
      // The first test is implied by the second, and an index answers it.
      return sql`(c.tag_ids @> ${ids} AND NOT EXISTS (SELECT FROM unnest(${ids}) AS wanted (id)
        WHERE NOT ${somePlayer(sql`p.id = wanted.id AND ${inRole}`)}))`;
    case 'any':
      return sql`(c.tag_ids && ${ids} AND ${some})`;
    case 'none':
      return sql`NOT ${some}`;
    case 'only':
      return sql`(c.tag_ids && ${ids} AND ${some} AND NOT ${somePlayer(sql`p.id <> ALL (${ids}) AND ${inRole}`)})`;
  }
}

function idsCondition(leaf: Leaf<'ids'>): Condition {
  const { field, test } = leaf;
  if (field === 'type' || field === 'media') {
    const column = field === 'type' ? sql.ref('c.type_id') : sql.ref('m.asset_id');
    const ids = bigints(leaf.ids);
    if (test === 'all') return sql`${column} = ALL (${ids})`;
    return test === 'none' ? sql`${column} <> ALL (${ids})` : sql`${column} = ANY (${ids})`;
  }
  if (field === 'player' && leaf.roles) return playersInRoles(leaf, leaf.roles);
  return carriesTags(sql.ref('c.tag_ids'), leaf);
}

function compareCondition(leaf: Leaf<'compare'>): Condition {
  if (leaf.field !== 'role') return compares(ACTION_COLUMNS[leaf.field], leaf);
  const some = somePlayer(sql`p.role = ANY (${texts(leaf.values.map(String))})`);
  return leaf.comparison === 'ne' ? sql`NOT ${some}` : some;
}

function existsCondition({ field, exists }: Leaf<'exists'>): Condition {
  if (field === 'role') {
    const some = somePlayer(sql`p.role IS NOT NULL`);
    return exists ? some : sql`NOT ${some}`;
  }
  return exists ? sql`${ACTION_COLUMNS[field]} IS NOT NULL` : sql`${ACTION_COLUMNS[field]} IS NULL`;
}

/** As for assets (condition-store.ts): below a `none`, a test of a missing value is false instead of unknown. */
function condition(
  filter: ActionFilter,
  context: { readonly resolved: ResolvedTexts; readonly negated: boolean },
): Condition {
  const { resolved, negated } = context;
  const each = (filters: readonly ActionFilter[], below: boolean) =>
    filters.map((child) => condition(child, { resolved, negated: below }));
  switch (filter.kind) {
    case 'all':
      return filter.filters.length === 0 ? sql`true` : sql`(${sql.join(each(filter.filters, negated), sql` AND `)})`;
    case 'any':
      return filter.filters.length === 0 ? sql`false` : sql`(${sql.join(each(filter.filters, negated), sql` OR `)})`;
    case 'none':
      return filter.filters.length === 0 ? sql`true` : sql`NOT (${sql.join(each(filter.filters, true), sql` OR `)})`;
    case 'ids':
      return idsCondition(filter);
    case 'compare':
      return negated ? sql`COALESCE(${compareCondition(filter)}, false)` : compareCondition(filter);
    case 'exists':
      return existsCondition(filter);
    case 'text':
      return meetsText(resolved.get(filter.query) ?? [], { documents: ACTIONS, known: negated });
  }
}

/** Whether the action `c` in its place `m` of the asset `a` may be seen and meets the filter. */
export function matchingAction(scope: LibraryScope, filter: ActionFilter, resolved: ResolvedTexts): Condition {
  const visible = actionVisibility(filter) === 'everything' ? sql`true` : sql`c.status <> 'retracted'`;
  const found = condition(filter, { resolved, negated: false });
  return sql`c.organization_id = ${scope.organizationId} AND ${visible} AND ${found}`;
}

/** The places in the asset `a`; the asset is that of the query around. */
const IN_ASSET = sql`FROM action_media m JOIN action c ON c.id = m.action_id WHERE m.asset_id = a.id`;

/** Whether some action that lies in the asset `a` meets the filter. */
export function hasAction(scope: LibraryScope, filter: ActionFilter, resolved: ResolvedTexts): Condition {
  return sql`EXISTS (SELECT ${IN_ASSET} AND ${matchingAction(scope, filter, resolved)})`;
}

/** Where the earliest of these actions begins in the asset `a`; unknown when it has none. */
export function earliestStart(
  scope: LibraryScope,
  filter: ActionFilter,
  resolved: ResolvedTexts,
): RawBuilder<number | null> {
  return sql`(SELECT min(m.start_ms) ${IN_ASSET} AND ${matchingAction(scope, filter, resolved)})`;
}
