import type { IndexAction, IndexRow, TagType } from '../../src/library/index.ts';
import type { ActionFacetField } from '../../src/search/engine.ts';
import type { ActionFilter } from '../../src/search/filter/filter-tree.ts';
import { actionVisibility } from '../../src/search/filter/visibility.ts';
import type { TagWords } from '../../src/search/text/tag-words.ts';
import { compares, type Value } from './index-page.ts';
import { meets, resolveIn } from './index-text.ts';

/** An action in a list of rows, with its asset. */
export type PlacedAction = IndexAction & { readonly asset: IndexRow };

export type ActionContext = {
  /** All of the rows. */
  readonly actions: readonly PlacedAction[];
  readonly tagWords: TagWords;
  readonly tagType: (id: number) => TagType | undefined;
};

const actionsOfRows = new WeakMap<readonly IndexRow[], readonly PlacedAction[]>();

export function actionsIn(rows: readonly IndexRow[]): readonly PlacedAction[] {
  const known = actionsOfRows.get(rows) ?? rows.flatMap((asset) => asset.actions.map((one) => ({ ...one, asset })));
  actionsOfRows.set(rows, known);
  return known;
}

type Leaf<Kind extends ActionFilter['kind']> = Extract<ActionFilter, { kind: Kind }>;

function holdsIds({ tagType }: ActionContext, action: PlacedAction, leaf: Leaf<'ids'>): boolean {
  const { field, test, ids, roles } = leaf;
  const inRole = roles && action.roles.filter(({ role }) => roles.includes(role)).map(({ player }) => player);
  const own =
    field === 'type'
      ? [action.type_id]
      : field === 'media'
        ? [action.asset.id]
        : field === 'player' && inRole
          ? inRole
          : action.tag_ids;
  if (test === 'all') return ids.every((id) => own.includes(id));
  const some = ids.some((id) => own.includes(id));
  if (test !== 'only') return some === (test === 'any');
  if (field === 'type' || field === 'media') return some;
  const type = field === 'tag_options' ? 'player' : field;
  return some && own.filter((id) => tagType(id) === type).every((id) => ids.includes(id));
}

function holds(context: ActionContext, action: PlacedAction, filter: ActionFilter): boolean {
  switch (filter.kind) {
    case 'all':
      return filter.filters.every((child) => holds(context, action, child));
    case 'any':
      return filter.filters.some((child) => holds(context, action, child));
    case 'none':
      return !filter.filters.some((child) => holds(context, action, child));
    case 'ids':
      return holdsIds(context, action, filter);
    case 'compare': {
      if (filter.field !== 'role') return compares(action[filter.field], filter);
      const some = action.roles.some(({ role }) => filter.values.includes(role));
      return some === (filter.comparison !== 'ne');
    }
    case 'exists':
      return (filter.field === 'role' ? action.roles.length > 0 : action[filter.field] !== null) === filter.exists;
    case 'text':
      return meets(action, resolveIn(context.actions, filter.query, context.tagWords));
  }
}

export function meetsAction(context: ActionContext, action: PlacedAction, filter: ActionFilter): boolean {
  const visible = actionVisibility(filter) === 'everything' || action.status !== 'retracted';
  return visible && holds(context, action, filter);
}

/** The values of an action that a facet counts. */
export function actionKeys(
  { tagType }: ActionContext,
  action: PlacedAction,
  field: ActionFacetField,
): (string | number)[] {
  const single = (value: Value) => (value === null ? [] : [value]);
  switch (field) {
    case 'type':
      return [action.type_id];
    case 'tag_options':
      return [...action.tag_ids];
    case 'role':
      return [...new Set(action.roles.map(({ role }) => role))];
    case 'status':
    case 'outcome':
    case 'source':
    case 'angle':
    case 'period':
    case 'minute':
      return single(action[field]);
    default:
      return action.tag_ids.filter((id) => tagType(id) === field);
  }
}
