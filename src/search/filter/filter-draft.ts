import { AppError, type FieldError } from '../../base/index.ts';
import { parseTextQuery } from '../text/text-query.ts';
import { MAX_FILTER_DEPTH } from './filter-schema.ts';
import type { Comparison, ScalarValue } from './filter-tree.ts';

/** What a filter over assets and one over actions have in common on the way from request to tree. */

export function reject(errors: readonly FieldError[]): AppError {
  return new AppError('validation_failed', errors.map((error) => `${error.pointer}: ${error.detail}`).join('; '), {
    errors,
  });
}

export function checkDepth(pointer: string, depth: number): void {
  if (depth <= MAX_FILTER_DEPTH) return;
  const detail = `expected all, any, none and action nested to depth ${MAX_FILTER_DEPTH} at most`;
  throw reject([{ pointer, code: 'too_deep', detail }]);
}

const TIMES: ReadonlySet<string> = new Set(['captured_at', 'created_at', 'updated_at', 'wallclock_at']);

function toValue(field: string, given: string | number, pointer: string): ScalarValue {
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

/** IDs of a request with the place where they stood; not resolved yet. */
export type DraftIds<Field extends string> = {
  readonly kind: 'ids';
  readonly field: Field;
  readonly test: 'all' | 'any' | 'none' | 'only';
  readonly ids: readonly number[];
  readonly pointer: string;
};

/** The tests of an ID field; a list means `listMeans`. */
export function draftIds<Field extends string>(
  field: Field,
  test: unknown,
  { pointer, listMeans }: { readonly pointer: string; readonly listMeans: 'all' | 'any' },
): readonly DraftIds<Field>[] {
  if (typeof test === 'number') return [{ kind: 'ids', field, test: listMeans, ids: [test], pointer }];
  if (Array.isArray(test)) {
    return test.length === 0 ? [] : [{ kind: 'ids', field, test: listMeans, ids: test as number[], pointer }];
  }
  return Object.entries(test as Record<'all' | 'any' | 'none' | 'only', number[]>).map(([kind, ids]) => ({
    kind: 'ids',
    field,
    test: kind as 'all' | 'any' | 'none' | 'only',
    ids,
    pointer: `${pointer}/${kind}`,
  }));
}

const COMPARISONS: readonly Comparison[] = ['eq', 'ne', 'in', 'gt', 'gte', 'lt', 'lte'];

type DraftScalar<Field extends string> =
  | {
      readonly kind: 'compare';
      readonly field: Field;
      readonly comparison: Comparison;
      readonly values: readonly ScalarValue[];
    }
  | { readonly kind: 'exists'; readonly field: Field; readonly exists: boolean };

/** The tests of a scalar field: a value, a list (= in), or operators. */
export function draftScalar<Field extends string>(
  field: Field,
  test: unknown,
  pointer: string,
): readonly DraftScalar<Field>[] {
  const compare = (comparison: Comparison, given: unknown, at: string): DraftScalar<Field> => ({
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

export function draftText(text: string, pointer: string) {
  const query = parseTextQuery(text);
  if (!query) {
    const detail = `expected a text with at least one letter or digit, received ${JSON.stringify(text)}`;
    throw reject([{ pointer, code: 'invalid', detail }]);
  }
  return { kind: 'text', query } as const;
}
