import { sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import type { Queryable } from '../db/index.ts';

export type Collection = {
  readonly id: number;
  readonly name: string;
  readonly mediaCount: number;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

const SELECT = sql`
  SELECT c.id, c.name, c.version, c.created_at AS "createdAt", c.updated_at AS "updatedAt",
    (SELECT count(*) FROM asset a WHERE a.collection_ids @> ARRAY[c.id] AND a.deleted_at IS NULL) AS "mediaCount"
  FROM collection c`;

export async function findCollection(db: Queryable, scope: LibraryScope, id: number): Promise<Collection | undefined> {
  const found =
    await sql<Collection>`${SELECT} WHERE c.organization_id = ${scope.organizationId} AND c.id = ${id}`.execute(db);
  return found.rows[0];
}

/** In order of ID, after `afterId`. */
export async function listCollections(
  db: Queryable,
  scope: LibraryScope,
  page: { readonly afterId: number; readonly limit: number },
): Promise<readonly Collection[]> {
  const found =
    await sql<Collection>`${SELECT} WHERE c.organization_id = ${scope.organizationId} AND c.id > ${page.afterId}
    ORDER BY c.id LIMIT ${page.limit}`.execute(db);
  return found.rows;
}

export async function insertCollection(db: Queryable, scope: LibraryScope, name: string): Promise<number> {
  const row = await db
    .insertInto('collection')
    .values({ organization_id: scope.organizationId, name })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function renameCollection(
  db: Queryable,
  scope: LibraryScope,
  values: { readonly id: number; readonly name: string },
): Promise<void> {
  await db
    .updateTable('collection')
    .set({ name: values.name, version: sql`version + 1`, updated_at: sql<Date>`now()` })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', values.id)
    .execute();
}

/** Removes the collection and its place on every asset; the assets stay. */
export async function deleteCollection(db: Queryable, scope: LibraryScope, id: number): Promise<void> {
  await sql`UPDATE asset SET collection_ids = array_remove(collection_ids, ${id}::bigint), version = version + 1, updated_at = now()
    WHERE organization_id = ${scope.organizationId} AND collection_ids @> ARRAY[${id}]::bigint[]`.execute(db);
  await db.deleteFrom('collection').where('organization_id', '=', scope.organizationId).where('id', '=', id).execute();
}

/** Those of `ids` that are not collections of the organization. */
export async function findMissingCollections(
  db: Queryable,
  scope: LibraryScope,
  ids: readonly number[],
): Promise<readonly number[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('collection')
    .select('id')
    .where('organization_id', '=', scope.organizationId)
    .where('id', 'in', [...ids])
    .execute();
  const found = new Set(rows.map((row) => row.id));
  return ids.filter((id) => !found.has(id));
}
