import { sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import type { Queryable } from '../db/index.ts';
import type { LibraryWrite } from './changes-store.ts';
import type { TagType } from './tag-types.ts';

/** Active options of a type that have an external ID of a source. */
export async function findActiveTagsOfSource(
  db: Queryable,
  scope: LibraryScope,
  { type, source }: { readonly type: TagType; readonly source: string },
): Promise<readonly number[]> {
  const found = await sql<{ id: number }>`
    SELECT o.id FROM tag_external_id e JOIN tag_option o ON o.id = e.tag_option_id
    WHERE e.organization_id = ${scope.organizationId} AND e.source = ${source} AND o.type = ${type} AND o.status = 'active'
    ORDER BY o.id`.execute(db);
  return found.rows.map((row) => row.id);
}

/** Deactivates those that are still active; answers how many. */
export async function deactivateTags(write: LibraryWrite, ids: readonly number[]): Promise<number> {
  const changed = await sql<{ id: number }>`
    UPDATE tag_option SET status = 'deactivated', version = version + 1, updated_at = now()
    WHERE organization_id = ${write.scope.organizationId} AND id = ANY(${[...ids]}::bigint[]) AND status = 'active'
    RETURNING id`.execute(write.tx);
  for (const { id } of changed.rows) write.record({ type: 'tag_option.updated', objectId: id });
  return changed.rows.length;
}
