import { sql } from 'kysely';
import { nextRevision } from './asset-revision-store.ts';
import type { BulkValues } from './bulk-edit.ts';
import type { LibraryWrite } from './changes-store.ts';
import { type SearchedTexts, writeSearchText } from './search-text-store.ts';

/** Writes the values of many assets in one statement. An asset's image URLs change where its usage does. */
export async function writeBulkValues(
  write: LibraryWrite,
  changes: readonly { readonly id: number; readonly values: BulkValues; readonly detailsChange: boolean }[],
): Promise<void> {
  if (changes.length === 0) return;
  const given = changes.map(({ id, values }) => ({
    id,
    usage: values.usage,
    usage_at: values.usageAt,
    rating: values.rating,
    captured_at: values.capturedAt,
    status: values.status,
    details: values.details,
    collections: values.collections,
  }));
  const written = await sql<SearchedTexts>`
    UPDATE asset a SET usage = g.usage, usage_at = g.usage_at, rating = g.rating, captured_at = g.captured_at,
      status = g.status, details = g.details,
      collection_ids = ARRAY(SELECT c::bigint FROM jsonb_array_elements_text(g.collections) AS c),
      revision = CASE WHEN (a.usage, a.usage_at) IS DISTINCT FROM (g.usage, g.usage_at)
        THEN ${nextRevision('a')} ELSE a.revision END,
      version = a.version + 1, updated_at = now()
    FROM jsonb_to_recordset(${JSON.stringify(given)}::jsonb) AS g (id bigint, usage text, usage_at timestamptz(3),
      rating int, captured_at timestamptz(3), status text, details jsonb, collections jsonb)
    WHERE a.id = g.id AND a.organization_id = ${write.scope.organizationId}
    RETURNING a.id, a.name, a.details`.execute(write.tx);
  const changed = new Set(changes.filter((change) => change.detailsChange).map((change) => change.id));
  await writeSearchText(
    write,
    written.rows.filter((row) => changed.has(row.id)),
  );
  for (const { id } of changes) write.record({ type: 'media.updated', objectId: id });
}

/** Runs a write and takes all of it back; what it recorded is dropped. */
export async function tryOut<T>(write: LibraryWrite, work: (write: LibraryWrite) => Promise<T>): Promise<T> {
  await sql`SAVEPOINT dry_run`.execute(write.tx);
  try {
    return await work({ ...write, record: () => undefined });
  } finally {
    await sql`ROLLBACK TO SAVEPOINT dry_run`.execute(write.tx);
  }
}
