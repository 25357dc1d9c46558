import { sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import type { Queryable } from '../db/index.ts';

export type SavedSearch = {
  readonly id: number;
  readonly name: string;
  /** Filter and options of a media search, as its schema had them when it was saved. */
  readonly request: Readonly<Record<string, unknown>>;
  /** Tells when an asset begins to match. */
  readonly notify: boolean;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

const COLUMNS = [
  'id',
  'name',
  'request',
  'notify',
  'version',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const;

export async function findSavedSearch(
  db: Queryable,
  scope: LibraryScope,
  id: number,
): Promise<SavedSearch | undefined> {
  return db
    .selectFrom('saved_search')
    .select(COLUMNS)
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** In order of ID, after `afterId`. */
export async function listSavedSearches(
  db: Queryable,
  scope: LibraryScope,
  page: { readonly afterId: number; readonly limit: number },
): Promise<readonly SavedSearch[]> {
  return db
    .selectFrom('saved_search')
    .select(COLUMNS)
    .where('organization_id', '=', scope.organizationId)
    .where('id', '>', page.afterId)
    .orderBy('id')
    .limit(page.limit)
    .execute();
}

export async function insertSavedSearch(
  db: Queryable,
  scope: LibraryScope,
  values: Pick<SavedSearch, 'name' | 'request' | 'notify'>,
): Promise<SavedSearch> {
  return db
    .insertInto('saved_search')
    .values({
      organization_id: scope.organizationId,
      name: values.name,
      request: JSON.stringify(values.request),
      notify: values.notify,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

export async function updateSavedSearch(
  db: Queryable,
  scope: LibraryScope,
  values: Pick<SavedSearch, 'id' | 'name' | 'request' | 'notify'>,
): Promise<SavedSearch> {
  return db
    .updateTable('saved_search')
    .set({
      name: values.name,
      request: JSON.stringify(values.request),
      notify: values.notify,
      version: sql`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', values.id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

export async function deleteSavedSearch(db: Queryable, scope: LibraryScope, id: number): Promise<void> {
  await db
    .deleteFrom('saved_search')
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .execute();
}
