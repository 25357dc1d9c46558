import { AppError, type FieldError } from '../../base/index.ts';
import type { TagSummary } from '../../library/index.ts';
import {
  type FilterInput,
  ID_FIELDS,
  type IdField,
  MAX_FILTER_DEPTH,
  MAX_FILTER_LEAVES,
  SCALAR_FIELDS,
  type ScalarField,
} from './filter-schema.ts';
import { parseTextQuery } from '../text/text-query.ts';
import type { Comparison, Filter, ScalarValue } from './filter-tree.ts';

/** Looks up what the IDs of a filter are: tag options and collections of the organization that searches. */
export type IdResolver = {
  tags(ids: readonly number[]): Promise<ReadonlyMap<number, TagSummary>>;
  missingCollections(ids: readonly number[]): Promise<readonly number[]>;
};

type IdLeaf = Extract<Filter, { kind: 'ids' }> & { readonly pointer: string };
type Draft = Exclude<Filter, { kind: 'all' | 'any' | 'none' } | { kind: 'ids' }> | IdLeaf | DraftGroup;
type DraftGroup = { readonly kind: 'all' | 'any' | 'none'; readonly filters: readonly Draft[] };

const COMPARISONS: readonly Comparison[] = ['eq', 'ne', 'in', 'gt', 'gte', 'lt', 'lte'];
const TIMES: ReadonlySet<string> = new Set<ScalarField>(['captured_at', 'created_at', 'updated_at']);

function reject(errors: readonly FieldError[]): AppError {
  return new AppError('validation_failed', errors.map((error) => `${error.pointer}: ${error.detail}`).join('; '), {
    errors,
  });
}

function toValue(field: ScalarField, given: string | number, pointer: string): ScalarValue {
  if (!TIMES.has(field)) return given;
  const time = new Date(given);
  const day = String(given).slice(0, 10);
  // JavaScript takes 30 February for 2 March.
  const midnight = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(time.getTime()) || Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) {
    throw reject([{ pointer, code: 'invalid', detail: `expected a time that exists, received ${given}` }]);
  }
  return time;
}

function draftIds(field: IdField, test: unknown, pointer: string): Draft[] {
  if (typeof test === 'number') return [{ kind: 'ids', field, test: 'all', ids: [test], pointer }];
  if (Array.isArray(test)) {
    return test.length === 0 ? [] : [{ kind: 'ids', field, test: 'all', ids: test as number[], pointer }];
  }
  return Object.entries(test as Record<'all' | 'any' | 'none' | 'only', number[]>).map(([kind, ids]) => ({
    kind: 'ids',
    field,
    test: kind as 'all' | 'any' | 'none' | 'only',
    ids,
    pointer: `${pointer}/${kind}`,
  }));
}

function draftScalar(field: ScalarField, test: unknown, pointer: string): Draft[] {
  const compare = (comparison: Comparison, given: unknown, at: string): Draft => ({
    kind: 'compare',
    field,
    comparison,
    values: (Array.isArray(given) ? given : [given]).map((value: string | number) => toValue(field, value, at)),
  });
  if (Array.isArray(test)) return [compare('in', test, pointer)];
  if (typeof test !== 'object' || test === null) return [compare('eq', test, pointer)];
  const operators = test as Partial<Record<Comparison | 'exists', unknown>>;
  const drafts = COMPARISONS.flatMap((comparison) =>
    operators[comparison] === undefined ? [] : [compare(comparison, operators[comparison], `${pointer}/${comparison}`)],
  );
  if (typeof operators.exists === 'boolean') drafts.push({ kind: 'exists', field, exists: operators.exists });
  return drafts;
}

function draftFilter(input: FilterInput, pointer: string, depth: number): DraftGroup {
  if (depth > MAX_FILTER_DEPTH) {
    const detail = `expected all, any and none nested to depth ${MAX_FILTER_DEPTH} at most`;
    throw reject([{ pointer, code: 'too_deep', detail }]);
  }
  const drafts: Draft[] = [];
  for (const field of ID_FIELDS) {
    if (input[field] !== undefined) drafts.push(...draftIds(field, input[field], `${pointer}/${field}`));
  }
  for (const field of SCALAR_FIELDS) {
    if (input[field] !== undefined) drafts.push(...draftScalar(field, input[field], `${pointer}/${field}`));
  }
  if (input.name !== undefined) drafts.push({ kind: 'name', contains: input.name });
  if (input.text !== undefined) {
    const query = parseTextQuery(input.text);
    if (!query) {
      const detail = `expected a text with at least one letter or digit, received ${JSON.stringify(input.text)}`;
      throw reject([{ pointer: `${pointer}/text`, code: 'invalid', detail }]);
    }
    drafts.push({ kind: 'text', query });
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

function leavesOf(draft: Draft): Exclude<Draft, DraftGroup>[] {
  return 'filters' in draft ? draft.filters.flatMap(leavesOf) : [draft];
}

function checkIds(leaf: IdLeaf, known: ReadonlyMap<number, TagSummary>): FieldError[] {
  return leaf.ids.flatMap((id): FieldError[] => {
    const found = known.get(id);
    if (!found) {
      return [
        {
          pointer: leaf.pointer,
          code: 'unknown_tag_option',
          detail: `expected IDs of tag options, received unknown ${id}`,
        },
      ];
    }
    if (leaf.field === 'tag_options' || found.type === leaf.field) return [];
    const detail = `expected IDs of type ${leaf.field}, received ${id} of type ${found.type}`;
    return [{ pointer: leaf.pointer, code: 'wrong_type', detail }];
  });
}

function resolve(draft: Draft, known: ReadonlyMap<number, TagSummary>): Filter {
  if ('filters' in draft) return { kind: draft.kind, filters: draft.filters.map((child) => resolve(child, known)) };
  if (draft.kind !== 'ids') return draft;
  const ids = [...new Set(draft.ids.map((id) => known.get(id)?.mergedInto ?? id))];
  return { kind: 'ids', field: draft.field, test: draft.test, ids };
}

/**
 * Turns a validated filter into the tree that engines evaluate.
 * @throws AppError `validation_failed` (depth, leaves, an ID of another type), `unknown_tag_option`, `unknown_collection`,
 *   each naming the JSON pointer
 */
export async function parseFilter(input: FilterInput, ids: IdResolver): Promise<Filter> {
  const draft = draftFilter(input, '', 0);
  const leaves = leavesOf(draft);
  // Each word and phrase of a text is a test.
  const tests = leaves.reduce((sum, leaf) => sum + (leaf.kind === 'text' ? leaf.query.clauses.length : 1), 0);
  if (tests > MAX_FILTER_LEAVES) {
    const detail = `expected at most ${MAX_FILTER_LEAVES} tests, words of texts included, received ${tests}`;
    throw reject([{ pointer: '', code: 'too_many_tests', detail }]);
  }
  const idLeaves = leaves.filter((leaf) => leaf.kind === 'ids');
  const tagLeaves = idLeaves.filter((leaf) => leaf.field !== 'collection');
  const known = await ids.tags([...new Set(tagLeaves.flatMap((leaf) => leaf.ids))]);
  const errors = tagLeaves.flatMap((leaf) => checkIds(leaf, known));
  const collections = idLeaves.filter((leaf) => leaf.field === 'collection');
  const missing = new Set(await ids.missingCollections([...new Set(collections.flatMap((leaf) => leaf.ids))]));
  for (const leaf of collections) {
    for (const id of leaf.ids.filter((id) => missing.has(id))) {
      const detail = `expected IDs of collections, received unknown ${id}`;
      errors.push({ pointer: leaf.pointer, code: 'unknown_collection', detail });
    }
  }
  const unknown = errors.find((error) => error.code.startsWith('unknown_'));
  if (unknown) {
    const code = unknown.code === 'unknown_collection' ? 'unknown_collection' : 'unknown_tag_option';
    const ids = code === 'unknown_collection' ? [...missing] : tagLeaves.flatMap((leaf) => leaf.ids);
    throw new AppError(code, errors.map((error) => `${error.pointer}: ${error.detail}`).join('; '), {
      errors,
      details: { unknown: [...new Set(ids.filter((id) => !known.has(id)))] },
    });
  }
  if (errors.length > 0) throw reject(errors);
  return resolve(draft, known);
}
