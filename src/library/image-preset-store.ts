import { sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import type { Queryable } from '../db/index.ts';

/** Image parameters under a name. */
export type ImagePreset = {
  readonly id: number;
  readonly name: string;
  /** By the names that have no alias. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** By name; there are at most 200. */
export async function listImagePresets(db: Queryable, scope: LibraryScope): Promise<readonly ImagePreset[]> {
  const rows = await db
    .selectFrom('image_preset')
    .selectAll()
    .where('organization_id', '=', scope.organizationId)
    .orderBy('name')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    parameters: row.parameters,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }));
}

export async function findImagePreset(
  db: Queryable,
  scope: LibraryScope,
  id: number,
): Promise<ImagePreset | undefined> {
  return (await listImagePresets(db, scope)).find((preset) => preset.id === id);
}

type Values = Pick<ImagePreset, 'name' | 'parameters'>;

export async function insertImagePreset(
  db: Queryable,
  scope: LibraryScope,
  { name, parameters }: Values,
): Promise<number> {
  const row = await db
    .insertInto('image_preset')
    .values({ organization_id: scope.organizationId, name, parameters: JSON.stringify(parameters) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function updateImagePreset(
  db: Queryable,
  scope: LibraryScope,
  { id, name, parameters }: Values & { readonly id: number },
): Promise<void> {
  await db
    .updateTable('image_preset')
    .set({
      name,
      parameters: JSON.stringify(parameters),
      version: sql`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .execute();
}

export async function deleteImagePreset(db: Queryable, scope: LibraryScope, id: number): Promise<void> {
  await db
    .deleteFrom('image_preset')
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .execute();
}
