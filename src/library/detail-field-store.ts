import { type RawBuilder, sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import type { Queryable } from '../db/index.ts';
import type { LibraryWrite } from './changes-store.ts';
import type { DetailField, DetailType } from './detail-field.ts';
import { type SearchedTexts, writeSearchText } from './search-text-store.ts';

/** The fields of an organization by position; there are at most 100. */
export async function listDetailFields(db: Queryable, scope: LibraryScope): Promise<readonly DetailField[]> {
  const rows = await db
    .selectFrom('detail_field')
    .selectAll()
    .where('organization_id', '=', scope.organizationId)
    .orderBy('position')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    key: row.key,
    label: row.label,
    // The table's own check.
    type: row.type as DetailType,
    choices: row.choices,
    searchable: row.searchable,
    position: row.position,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }));
}

export async function findDetailField(
  db: Queryable,
  scope: LibraryScope,
  id: number,
): Promise<DetailField | undefined> {
  return (await listDetailFields(db, scope)).find((field) => field.id === id);
}

export type NewDetailField = Pick<DetailField, 'key' | 'label' | 'type' | 'choices' | 'searchable' | 'position'>;

export async function insertDetailField(db: Queryable, scope: LibraryScope, field: NewDetailField): Promise<number> {
  const row = await db
    .insertInto('detail_field')
    .values({ ...field, choices: [...field.choices], organization_id: scope.organizationId })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function updateDetailField(db: Queryable, scope: LibraryScope, field: DetailField): Promise<void> {
  await db
    .updateTable('detail_field')
    .set({
      label: field.label,
      type: field.type,
      choices: [...field.choices],
      searchable: field.searchable,
      position: field.position,
      version: sql`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', field.id)
    .execute();
}

export async function deleteDetailField(db: Queryable, scope: LibraryScope, id: number): Promise<void> {
  await db
    .deleteFrom('detail_field')
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .execute();
}

/** Assets with a value under a key, those in the bin too: a value there comes back with its asset. */
export async function countDetailValues(db: Queryable, scope: LibraryScope, key: string): Promise<number> {
  const found = await sql<{ count: number }>`SELECT count(*)::int AS count FROM asset
    WHERE organization_id = ${scope.organizationId} AND details ? ${key}`.execute(db);
  return found.rows[0]?.count ?? 0;
}

/** True of values that no reading of the field would leave as they are; dates are judged by `countOddDates`. */
function isOdd({ key, type, choices }: Pick<DetailField, 'key' | 'type' | 'choices'>): RawBuilder<boolean> {
  const value = sql`details -> ${key}::text`;
  const kind = sql`jsonb_typeof(${value})`;
  const known = sql`${[...choices]}::text[]`;
  switch (type) {
    case 'text':
      return sql`${kind} <> 'string'`;
    case 'number':
      return sql`${kind} <> 'number'`;
    case 'date':
      return sql`${kind} <> 'string'`;
    case 'choice':
      return sql`(${kind} <> 'string' OR details ->> ${key}::text <> ALL (${known}))`;
    case 'list': {
      const items = sql`jsonb_array_elements(CASE WHEN ${kind} = 'array' THEN ${value} ELSE '[]' END) AS item`;
      const beyond = choices.length === 0 ? sql`` : sql` OR item #>> '{}' <> ALL (${known})`;
      return sql`(${kind} <> 'array' OR EXISTS (SELECT FROM ${items} WHERE jsonb_typeof(item) <> 'string'${beyond}))`;
    }
  }
}

export type OddValues = { readonly count: number; readonly mediaIds: readonly number[] };

/** Assets whose value under a field's key is none that the field takes, and the first few of them. */
export async function findOddValues(
  db: Queryable,
  scope: LibraryScope,
  field: Pick<DetailField, 'key' | 'type' | 'choices'>,
): Promise<OddValues> {
  const found = await sql<{ count: number; media_ids: number[] }>`
    SELECT count(*)::int AS count, (array_agg(id ORDER BY id))[1:3] AS media_ids FROM asset
    WHERE organization_id = ${scope.organizationId} AND details ? ${field.key} AND ${isOdd(field)}`.execute(db);
  const [row] = found.rows;
  return { count: row?.count ?? 0, mediaIds: row?.media_ids ?? [] };
}

/** Every text under a key, once, with the first asset that has it. */
export async function listDetailTexts(
  db: Queryable,
  scope: LibraryScope,
  key: string,
): Promise<readonly { readonly text: string; readonly count: number; readonly mediaId: number }[]> {
  const found = await sql<{ text: string; count: number; mediaId: number }>`
    SELECT details ->> ${key}::text AS text, count(*)::int AS count, min(id) AS "mediaId" FROM asset
    WHERE organization_id = ${scope.organizationId} AND details ? ${key} GROUP BY 1`.execute(db);
  return found.rows;
}

const REMOVED_AT_ONCE = 2000;

/** Removes what lies under a key from every asset, as one `media.updated` each. Answers how many there were. */
export async function removeDetailValues(write: LibraryWrite, key: string): Promise<number> {
  let count = 0;
  for (;;) {
    const changed = await sql<SearchedTexts>`
      UPDATE asset SET details = details - ${key}::text, version = version + 1, updated_at = now()
      WHERE id IN (SELECT id FROM asset WHERE organization_id = ${write.scope.organizationId} AND details ? ${key}
        ORDER BY id LIMIT ${REMOVED_AT_ONCE})
      RETURNING id, name, details`.execute(write.tx);
    await writeSearchText(write, changed.rows);
    for (const { id } of changed.rows) write.record({ type: 'media.updated', objectId: id });
    count += changed.rows.length;
    if (changed.rows.length < REMOVED_AT_ONCE) return count;
  }
}
