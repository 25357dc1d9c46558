import { isDeepStrictEqual } from 'node:util';
import { AppError, type FieldError, invalidField } from '../base/index.ts';
import { isUniqueViolation } from '../db/index.ts';
import type { LibraryWrite } from './changes-store.ts';
import { CORE_DETAILS, type DetailField, readDetailDate, readDetailValue } from './detail-field.ts';
import {
  countDetailValues,
  deleteDetailField,
  findOddValues,
  insertDetailField,
  listDetailFields,
  listDetailTexts,
  type NewDetailField,
  removeDetailValues,
  updateDetailField,
  type OddValues,
} from './detail-field-store.ts';

const MAX_FIELDS = 100;

type Details = Readonly<Record<string, unknown>>;

/**
 * Values of the organization's own fields as they are stored; free ones as they came.
 * @param details as a request gives them: null removes a value and fits every field
 * @throws AppError `validation_failed` naming each value that does not fit
 */
export async function checkDetails(
  { tx, scope }: Pick<LibraryWrite, 'tx' | 'scope'>,
  details: Details,
  options: { readonly pointer: string } = { pointer: '/details' },
): Promise<Record<string, unknown>> {
  const checked: Record<string, unknown> = { ...details };
  if (Object.keys(details).length === 0) return checked;
  const errors: FieldError[] = [];
  for (const field of await listDetailFields(tx, scope)) {
    const given = details[field.key];
    if (given === undefined || given === null) continue;
    const read = readDetailValue(field, given);
    if (read.ok) checked[field.key] = read.value;
    else {
      const received = JSON.stringify(given);
      const shown = received.length > 60 ? `${received.slice(0, 57)}...` : received;
      const detail = `expected ${read.expected}, received ${shown}`;
      errors.push({ pointer: `${options.pointer}/${field.key}`, code: 'invalid', detail });
    }
  }
  if (errors.length === 0) return checked;
  throw new AppError('validation_failed', errors.map((error) => `${error.pointer}: ${error.detail}`).join('; '), {
    errors,
  });
}

/**
 * The same for details that replace others: what stays as it was is not judged again.
 * @throws AppError `validation_failed`
 */
export async function checkChangedDetails(
  write: Pick<LibraryWrite, 'tx' | 'scope'>,
  before: Details,
  after: Details,
): Promise<Details> {
  const changed = Object.entries(after).filter(([key, value]) => !isDeepStrictEqual(before[key], value));
  return { ...after, ...(await checkDetails(write, Object.fromEntries(changed))) };
}

/** What a file says about itself, without what does not fit the organization's own fields; each of those is a warning. */
export async function fittingDetails(
  { tx, scope }: Pick<LibraryWrite, 'tx' | 'scope'>,
  details: Details,
): Promise<{ readonly details: Details; readonly warnings: readonly string[] }> {
  const kept: Record<string, unknown> = { ...details };
  const warnings: string[] = [];
  for (const field of await listDetailFields(tx, scope)) {
    if (!Object.hasOwn(details, field.key)) continue;
    const read = readDetailValue(field, details[field.key]);
    if (read.ok) kept[field.key] = read.value;
    else {
      delete kept[field.key];
      warnings.push(`the file's ${field.key} was left out: expected ${read.expected}`);
    }
  }
  return { details: kept, warnings };
}

/** The choices of a field fit its type. @throws AppError `validation_failed` */
function checkChoices({ type, choices }: Pick<DetailField, 'type' | 'choices'>): void {
  if (type === 'choice' && choices.length === 0) {
    throw invalidField('/choices', 'expected at least one choice of a field of type choice, received none');
  }
  if (type !== 'choice' && type !== 'list' && choices.length > 0) {
    throw invalidField(
      '/choices',
      `expected choices of fields of type choice and list only, received them for ${type}`,
    );
  }
}

async function findOdd(write: LibraryWrite, field: Pick<DetailField, 'key' | 'type' | 'choices'>): Promise<OddValues> {
  const odd = await findOddValues(write.tx, write.scope, field);
  if (field.type !== 'date' || odd.count > 0) return odd;
  const texts = await listDetailTexts(write.tx, write.scope, field.key);
  const others = texts.filter(({ text }) => readDetailDate(text) !== text);
  return {
    count: others.reduce((sum, one) => sum + one.count, 0),
    mediaIds: others.slice(0, 3).map((one) => one.mediaId),
  };
}

/** Whatever is stored fits its field: filters rely on it. @throws AppError `conflict` naming how many values do not */
async function checkStoredValues(
  write: LibraryWrite,
  field: Pick<DetailField, 'key' | 'type' | 'choices'>,
): Promise<void> {
  const { count, mediaIds } = await findOdd(write, field);
  if (count === 0) return;
  const what = field.choices.length > 0 ? `a ${field.type} of ${field.choices.join(', ')}` : `a ${field.type}`;
  const detail = `expected every value of ${field.key} to be ${what}; ${count} asset${count === 1 ? ' has' : 's have'} another one (${mediaIds.join(', ')}${count > mediaIds.length ? ', ...' : ''})`;
  throw new AppError('conflict', detail, {
    errors: [{ pointer: field.choices.length > 0 ? '/choices' : '/type', code: 'in_use', detail }],
  });
}

/**
 * Defines a field. Values that assets already have under its key become values of the field.
 * @throws AppError `validation_failed` (a reserved key, choices that the type does not take), `conflict` (the key is taken,
 *   there are 100 fields, or assets have values that do not fit)
 */
export async function createDetailField(
  write: LibraryWrite,
  input: Omit<NewDetailField, 'position'> & { readonly position?: number | undefined },
): Promise<number> {
  if (CORE_DETAILS.has(input.key)) {
    throw invalidField('/key', `expected a name that the library does not use itself, received ${input.key}`);
  }
  checkChoices(input);
  const fields = await listDetailFields(write.tx, write.scope);
  if (fields.length >= MAX_FIELDS) {
    throw new AppError('conflict', `expected at most ${MAX_FIELDS} fields in an organization, received one more`);
  }
  await checkStoredValues(write, input);
  const last = fields.reduce((highest, field) => Math.max(highest, field.position), 0);
  try {
    const position = input.position ?? last + 1;
    const id = await insertDetailField(write.tx, write.scope, { ...input, position });
    write.record({ type: 'detail_field.created', objectId: id });
    return id;
  } catch (error) {
    if (!isUniqueViolation(error, 'detail_field_key')) throw error;
    const detail = `expected a key that no other field has, received ${input.key}`;
    throw new AppError('conflict', detail, { errors: [{ pointer: '/key', code: 'taken', detail }] });
  }
}

/**
 * Changes a field. Its type changes only while no asset has a value.
 * @throws AppError `validation_failed`, `conflict` when stored values would not fit any more, naming how many
 */
export async function editDetailField(
  write: LibraryWrite,
  field: DetailField,
  patch: {
    readonly [Name in 'label' | 'type' | 'choices' | 'searchable' | 'position']?: DetailField[Name] | undefined;
  },
): Promise<void> {
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  const edited: DetailField = { ...field, ...given };
  checkChoices(edited);
  if (edited.type !== field.type) {
    const count = await countDetailValues(write.tx, write.scope, field.key);
    if (count > 0) {
      const detail = `expected the type ${field.type} to stay, since ${count} asset${count === 1 ? ' has' : 's have'} a value; received ${edited.type}`;
      throw new AppError('conflict', detail, {
        errors: [{ pointer: '/type', code: 'in_use', detail }],
      });
    }
  }
  if (edited.choices !== field.choices) await checkStoredValues(write, edited);
  await updateDetailField(write.tx, write.scope, edited);
  write.record({ type: 'detail_field.updated', objectId: field.id });
}

/** Removes a field; its values stay as free details, or go with it. Answers how many were removed. */
export async function removeDetailField(
  write: LibraryWrite,
  field: DetailField,
  options: { readonly removeValues: boolean },
): Promise<number> {
  const removed = options.removeValues ? await removeDetailValues(write, field.key) : 0;
  await deleteDetailField(write.tx, write.scope, field.id);
  write.record({ type: 'detail_field.deleted', objectId: field.id });
  return removed;
}
