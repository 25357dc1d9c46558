import { sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import type { Queryable } from '../db/index.ts';

/** An asset as a search index reads it: what can be filtered and sorted by. Times are milliseconds since 1970. */
export type IndexRow = {
  readonly id: number;
  readonly media_type: string;
  /** `deleted` for assets in the bin. */
  readonly status: string;
  readonly orientation: string | null;
  readonly usage: string;
  readonly captured_at: number | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly duration_ms: number | null;
  readonly people_count: number;
  readonly rating: number | null;
  readonly name: string;
  readonly tag_ids: readonly number[];
  readonly collection_ids: readonly number[];
};

// Epochs are computed by the server: a Date object per value would double the time a large library takes to load.
const SELECT = sql`
  SELECT id, media_type, CASE WHEN deleted_at IS NULL THEN status ELSE 'deleted' END AS status, orientation, usage,
    (extract(epoch FROM captured_at) * 1000)::float8 AS captured_at,
    (extract(epoch FROM created_at) * 1000)::float8 AS created_at,
    (extract(epoch FROM updated_at) * 1000)::float8 AS updated_at,
    width, height, duration_ms, people_count, rating, name, tag_ids, collection_ids
  FROM asset`;

/** Index rows of these assets, or of the whole organization after `afterId` in ID order; assets in the bin included. */
export async function readIndexRows(
  db: Queryable,
  scope: LibraryScope,
  request: { readonly ids: readonly number[] } | { readonly afterId: number; readonly limit: number },
): Promise<readonly IndexRow[]> {
  const found =
    'ids' in request
      ? await sql<IndexRow>`${SELECT} WHERE organization_id = ${scope.organizationId}
          AND id = ANY(${[...request.ids]}::bigint[])`.execute(db)
      : await sql<IndexRow>`${SELECT} WHERE organization_id = ${scope.organizationId} AND id > ${request.afterId}
          ORDER BY id LIMIT ${request.limit}`.execute(db);
  return found.rows;
}
