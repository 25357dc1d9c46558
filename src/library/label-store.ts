import { sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import type { Queryable } from '../db/index.ts';
import type { TagType } from './tag-types.ts';

export type TagLabel = { readonly type: TagType; readonly label: string };

/** What people call these tag options; unknown IDs are missing from the map. */
export async function findTagLabels(
  db: Queryable,
  scope: LibraryScope,
  ids: readonly number[],
): Promise<ReadonlyMap<number, TagLabel>> {
  if (ids.length === 0) return new Map();
  const found = await sql<TagLabel & { readonly id: number }>`SELECT id, type, label FROM tag_option
    WHERE organization_id = ${scope.organizationId} AND id = ANY(${[...ids]}::bigint[])`.execute(db);
  return new Map(found.rows.map(({ id, type, label }) => [id, { type, label }]));
}

/** The names of these collections; unknown IDs are missing from the map. */
export async function findCollectionNames(
  db: Queryable,
  scope: LibraryScope,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const found = await sql<{ id: number; name: string }>`SELECT id, name FROM collection
    WHERE organization_id = ${scope.organizationId} AND id = ANY(${[...ids]}::bigint[])`.execute(db);
  return new Map(found.rows.map(({ id, name }) => [id, name]));
}
