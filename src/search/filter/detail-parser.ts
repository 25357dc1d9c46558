import type { FieldError } from '../../base/index.ts';
import { type DetailField, readDetailDate } from '../../library/index.ts';
import type { DetailTest, TestedField } from './detail-test.ts';
import { reject } from './filter-draft.ts';
import type { Comparison } from './filter-tree.ts';

/** One test of a field as it was given; what it means depends on the field's type. */
export type DraftDetail = {
  readonly kind: 'detail';
  readonly key: string;
  /** `value` and `list` without an operator. */
  readonly operator: string;
  readonly given: unknown;
  readonly pointer: string;
  /** Of the field, for one that is not known. */
  readonly fieldPointer: string;
};
export type ParsedDetail = { readonly kind: 'detail'; readonly detail: TestedField; readonly test: DetailTest };

/** The tests of the member `details`, each operator by itself. */
export function draftDetails(details: Readonly<Record<string, unknown>>, pointer: string): readonly DraftDetail[] {
  return Object.entries(details).flatMap(([key, test]): DraftDetail[] => {
    const fieldPointer = `${pointer}/${key}`;
    const draft = (operator: string, given: unknown, at: string): DraftDetail => ({
      kind: 'detail',
      key,
      operator,
      given,
      pointer: at,
      fieldPointer,
    });
    if (Array.isArray(test)) return [draft('list', test, fieldPointer)];
    if (typeof test !== 'object' || test === null) return [draft('value', test, fieldPointer)];
    return Object.entries(test).map(([operator, given]) => draft(operator, given, `${fieldPointer}/${operator}`));
  });
}

const TEXT_OPERATORS = ['eq', 'ne', 'in', 'contains', 'exists'] as const;
const ORDER_OPERATORS = ['eq', 'ne', 'in', 'gt', 'gte', 'lt', 'lte', 'exists'] as const;
const LIST_OPERATORS = ['all', 'any', 'none', 'exists'] as const;
const OPERATORS: Readonly<Record<DetailField['type'], readonly string[]>> = {
  text: TEXT_OPERATORS,
  choice: TEXT_OPERATORS,
  number: ORDER_OPERATORS,
  date: ORDER_OPERATORS,
  list: LIST_OPERATORS,
};

function fault(pointer: string, expected: string, received: unknown): FieldError {
  return { pointer, code: 'invalid', detail: `expected ${expected}, received ${JSON.stringify(received)}` };
}

/** A value of a test as its field's type compares it. @throws AppError `validation_failed` */
function readValue(field: DetailField, given: unknown, pointer: string): string | number | Date {
  const { type, choices } = field;
  if (type === 'number') {
    if (typeof given === 'number') return given;
    throw reject([fault(pointer, 'a number', given)]);
  }
  if (typeof given !== 'string') throw reject([fault(pointer, type === 'date' ? 'a date' : 'a text', given)]);
  if (type === 'date') {
    const date = readDetailDate(given);
    if (date === undefined) throw reject([fault(pointer, 'an RFC 3339 time or date that exists', given)]);
    return new Date(date);
  }
  if (choices.length > 0 && !choices.includes(given)) {
    throw reject([fault(pointer, `one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`, given)]);
  }
  return given;
}

/** What an operator without a name stands for. */
function operatorOf(type: DetailField['type'], operator: string): string {
  if (type === 'list') return operator === 'value' || operator === 'list' ? 'all' : operator;
  if (operator === 'value') return 'eq';
  return operator === 'list' ? 'in' : operator;
}

function readTest(field: DetailField, { operator: name, given, pointer }: DraftDetail): DetailTest {
  const { type } = field;
  const operator = operatorOf(type, name);
  if (!OPERATORS[type].includes(operator)) {
    const detail = `expected one of ${OPERATORS[type].join(', ')} for a field of type ${type}, received ${operator}`;
    throw reject([{ pointer, code: 'invalid', detail }]);
  }
  if (operator === 'exists') return { kind: 'exists', exists: given === true };
  if (operator === 'contains') return { kind: 'contains', text: String(given) };
  const values = (Array.isArray(given) ? given : [given]).map((one) => readValue(field, one, pointer));
  // Only the types of OPERATORS are left: of lists all, any and none, of the others the comparisons.
  if (type === 'list') return { kind: operator as 'all' | 'any' | 'none', texts: [...new Set(values.map(String))] };
  return { kind: 'compare', comparison: operator as Comparison, values };
}

/**
 * What drafts mean, given the fields of the organization that searches.
 * @throws AppError `validation_failed` for a key that is no searchable field (naming those that are), an operator or a
 *   value that its type does not take
 */
export function parseDetail(draft: DraftDetail, fields: readonly DetailField[]): ParsedDetail {
  const field = fields.find((one) => one.key === draft.key);
  if (!field?.searchable) {
    const known = fields.filter((one) => one.searchable).map((one) => one.key);
    const expected = known.length === 0 ? 'no detail field (none is defined)' : `one of the fields ${known.join(', ')}`;
    const what = field ? `${draft.key}, which is not searchable` : draft.key;
    throw reject([
      { pointer: draft.fieldPointer, code: 'unknown_field', detail: `expected ${expected}, received ${what}` },
    ]);
  }
  const { id, key, type } = field;
  return { kind: 'detail', detail: { id, key, type }, test: readTest(field, draft) };
}
