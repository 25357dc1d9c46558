import type { LibraryScope } from '../../auth/index.ts';
import type { Queryable } from '../../db/index.ts';
import {
  findAssetsWithDetails,
  type IndexField,
  indexFieldsOf,
  listDetailFields,
  MAX_INDEXED_TEXT,
} from '../../library/index.ts';
import type { DetailTest, TestedField } from '../filter/detail-test.ts';
import { detailTestsOf, type Filter } from '../filter/filter-tree.ts';
import type { LibraryIndex } from './library-index.ts';

/** More assets than this that have something under the key of a new field are not read one by one: all are loaded anew. */
const MAX_ASSETS_OF_FIELDS = 2000;

/** Whether a text that is too long to be kept might pass, or fail, a test. */
function mindsLongTexts(test: DetailTest): boolean {
  if (test.kind === 'contains') return true;
  return (
    test.kind === 'compare' && test.values.some((value) => typeof value === 'string' && value.length > MAX_INDEXED_TEXT)
  );
}

/**
 * Whether an index has what a search asks of the organization's own fields: it may not have heard yet of a field that the
 * search was parsed with, and of long texts it only knows that they are there.
 */
export function answersDetails(
  { fields, index }: { readonly fields: readonly IndexField[]; readonly index: LibraryIndex },
  asked: { readonly filters: readonly Filter[]; readonly counted: readonly TestedField[] },
): boolean {
  const isKnown = ({ id, type }: TestedField) => fields.some((one) => one.id === id && one.type === type);
  const tests = asked.filters.flatMap(detailTestsOf);
  return (
    [...tests.map(({ detail }) => detail), ...asked.counted].every(isKnown) &&
    !tests.some(({ detail, test }) => mindsLongTexts(test) && index.hasLongText(detail.id))
  );
}

/**
 * The fields as they are, and the assets that have something under the key of one that the index does not know: what was
 * under it before, or while it was of another type, was not read. Undefined: there are too many of them.
 */
export async function learnFields(
  db: Queryable,
  scope: LibraryScope,
  known: readonly IndexField[],
): Promise<{ readonly fields: readonly IndexField[]; readonly ids: readonly number[] } | undefined> {
  const fields = indexFieldsOf(await listDetailFields(db, scope));
  const unknown = fields.filter(({ id, type }) => !known.some((one) => one.id === id && one.type === type));
  const keys = unknown.map(({ key }) => key);
  const ids = await findAssetsWithDetails(db, scope, { keys, limit: MAX_ASSETS_OF_FIELDS + 1 });
  return ids.length > MAX_ASSETS_OF_FIELDS ? undefined : { fields, ids };
}
