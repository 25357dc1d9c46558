import { type ActionDraft, draftAction } from './action-parser.ts';
import type { ActionFilterInput } from './action-schema.ts';
import { draftDetails, type DraftDetail } from './detail-parser.ts';
import { checkDepth, type DraftIds, draftIds, draftScalar, draftText, reject } from './filter-draft.ts';
import { type FilterInput, ID_FIELDS, type IdField, MAX_FILTER_LEAVES, SCALAR_FIELDS } from './filter-schema.ts';
import type { ActionFilter, Filter } from './filter-tree.ts';
import { type IdResolver, resolveIds, type Resolved } from './resolved-ids.ts';

type Draft =
  | Exclude<Filter, { kind: 'all' | 'any' | 'none' } | { kind: 'ids' } | { kind: 'action' } | { kind: 'detail' }>
  | DraftDetail
  | DraftIds<IdField>
  | { readonly kind: 'action'; readonly filter: ActionDraft }
  | DraftGroup;
type DraftGroup = { readonly kind: 'all' | 'any' | 'none'; readonly filters: readonly Draft[] };
type DraftLeaf = Exclude<Draft, DraftGroup | { kind: 'action' }>;
type ActionDraftLeaf = Exclude<ActionDraft, { kind: 'all' | 'any' | 'none' }>;

function draftFilter(input: FilterInput, pointer: string, depth: number): Draft {
  checkDepth(pointer, depth);
  const drafts: Draft[] = [];
  for (const field of ID_FIELDS) {
    if (input[field] === undefined) continue;
    drafts.push(...draftIds(field, input[field], { pointer: `${pointer}/${field}`, listMeans: 'all' }));
  }
  for (const field of SCALAR_FIELDS) {
    if (input[field] !== undefined) drafts.push(...draftScalar(field, input[field], `${pointer}/${field}`));
  }
  if (input.name !== undefined) drafts.push({ kind: 'name', contains: input.name });
  if (input.text !== undefined) drafts.push(draftText(input.text, `${pointer}/text`));
  if (input.details !== undefined) drafts.push(...draftDetails(input.details, `${pointer}/details`));
  if (input.action !== undefined) {
    const filter = draftAction(input.action, `${pointer}/action`, depth + 1);
    drafts.push({ kind: 'action', filter });
  }
  for (const kind of ['all', 'any', 'none'] as const) {
    const children = input[kind];
    if (!children) continue;
    // The schema validated each child as a filter; recursion through $ref is beyond its static type.
    const filters = (children as FilterInput[]).map((child, at) =>
      draftFilter(child, `${pointer}/${kind}/${at}`, depth + 1),
    );
    drafts.push({ kind, filters });
  }
  return { kind: 'all', filters: drafts };
}

function actionLeavesOf(draft: ActionDraft): readonly ActionDraftLeaf[] {
  return 'filters' in draft ? draft.filters.flatMap(actionLeavesOf) : [draft];
}

function leavesOf(draft: Draft): readonly (DraftLeaf | ActionDraftLeaf)[] {
  if (draft.kind === 'action') return actionLeavesOf(draft.filter);
  return 'filters' in draft ? draft.filters.flatMap(leavesOf) : [draft];
}

function checkTests(leaves: readonly (DraftLeaf | ActionDraftLeaf)[]): void {
  // Each word and phrase of a text is a test.
  const tests = leaves.reduce((sum, leaf) => sum + (leaf.kind === 'text' ? leaf.query.clauses.length : 1), 0);
  if (tests <= MAX_FILTER_LEAVES) return;
  const detail = `expected at most ${MAX_FILTER_LEAVES} tests, words of texts included, received ${tests}`;
  throw reject([{ pointer: '', code: 'too_many_tests', detail }]);
}

function toActionFilter(draft: ActionDraft, resolved: Resolved): ActionFilter {
  if ('filters' in draft) {
    return { kind: draft.kind, filters: draft.filters.map((child) => toActionFilter(child, resolved)) };
  }
  if (draft.kind === 'types') {
    return { kind: 'ids', field: 'type', test: draft.test, ids: resolved.types(draft.types) };
  }
  if (!('pointer' in draft)) return draft;
  const { kind, field, test, roles } = draft;
  return { kind, field, test, ids: resolved.tags(draft.ids), ...(roles && { roles }) };
}

function toFilter(draft: Draft, resolved: Resolved): Filter {
  if ('filters' in draft) return { kind: draft.kind, filters: draft.filters.map((child) => toFilter(child, resolved)) };
  if (draft.kind === 'action') return { kind: 'action', filter: toActionFilter(draft.filter, resolved) };
  if (draft.kind === 'detail') return resolved.detail(draft);
  if (draft.kind !== 'ids') return draft;
  const { kind, field, test } = draft;
  return { kind, field, test, ids: resolved.tags(draft.ids) };
}

const hasPointer = <Leaf extends object>(leaf: Leaf): leaf is Extract<Leaf, { pointer: string }> => 'pointer' in leaf;

async function resolveLeaves(leaves: readonly (DraftLeaf | ActionDraftLeaf)[], ids: IdResolver): Promise<Resolved> {
  checkTests(leaves);
  return resolveIds(leaves.filter(hasPointer), ids);
}

/**
 * Turns a validated filter into the tree that engines evaluate.
 * @param pointer of the filter in the request
 * @throws AppError `validation_failed` (depth, leaves, an ID of another type), `unknown_tag_option`, `unknown_collection`,
 *   each naming the JSON pointer
 */
export async function parseFilter(input: FilterInput, ids: IdResolver, pointer = ''): Promise<Filter> {
  const draft = draftFilter(input, pointer, 0);
  return toFilter(draft, await resolveLeaves(leavesOf(draft), ids));
}

/**
 * Turns the validated filters of a search over actions into trees: what is asked of the actions, and of the assets they lie
 * in, whose pointers begin with `/media`.
 * @throws AppError as parseFilter does
 */
export async function parseActionFilters(
  input: { readonly action: ActionFilterInput; readonly media: FilterInput },
  ids: IdResolver,
): Promise<{ readonly filter: ActionFilter; readonly media: Filter }> {
  const action = draftAction(input.action, '', 0);
  const media = draftFilter(input.media, '/media', 1);
  const resolved = await resolveLeaves([...actionLeavesOf(action), ...leavesOf(media)], ids);
  return { filter: toActionFilter(action, resolved), media: toFilter(media, resolved) };
}
