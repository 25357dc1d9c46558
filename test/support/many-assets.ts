import { sql } from 'kysely';
import type { TestApp } from './app.ts';

/**
 * Writes assets that are one asset again and again, with names of their own and its thumbnail for their only file. They are written
 * beside the change feed, which the index in memory follows: the service has to search in PostgreSQL.
 */
export async function copyAsset(service: TestApp, original: { readonly id: number; readonly count: number }) {
  const { db } = service.app.installation;
  const { id, count } = original;
  const columns = await sql<{ names: string }>`SELECT string_agg(quote_ident(attname), ', ') AS names
    FROM pg_attribute WHERE attrelid = 'asset'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
      AND attname NOT IN ('id', 'name', 'sha256', 'external_id', 'url_nonce')`.execute(db);
  const names = sql.raw(columns.rows[0]?.names ?? '');
  await sql`INSERT INTO asset (name, sha256, url_nonce, ${names})
    SELECT 'photo ' || n || '.jpg', encode(sha256(n::text::bytea), 'hex'), left(md5(n::text), 22), ${names}
    FROM asset, generate_series(1, ${count}::int) AS n WHERE id = ${id}`.execute(db);
  await sql`INSERT INTO asset_file (asset_id, quality, storage_key, width, height, bytes, mime_type)
    SELECT a.id, quality, storage_key, f.width, f.height, f.bytes, f.mime_type
    FROM asset a, asset_file f
    WHERE f.asset_id = ${id} AND f.quality = 'thumbnail' AND a.id > ${id}`.execute(db);
}
