import type pg from 'pg';
import { type Asset, generateAssets, generateTags } from './generator.ts';
import type { TagCounts } from './queries.ts';
import workload from './workload.json' with { type: 'json' };

async function insertBatch(client: pg.Client, organizationId: number, assets: readonly Asset[]): Promise<void> {
  await client.query(
    `INSERT INTO asset (id, organization_id, media_type, status, name, sha256, bytes, mime_type, extension, width, height,
       orientation, duration_ms, captured_at, rating, people_count, tag_ids, url_nonce, created_at, updated_at, deleted_at)
     OVERRIDING SYSTEM VALUE
     SELECT id, $1, CASE WHEN video THEN 'video' ELSE 'photo' END, status, name, encode(sha256(name::bytea || id::text::bytea), 'hex'),
       8000000, CASE WHEN video THEN 'video/mp4' ELSE 'image/jpeg' END, right(name, 3), 6000, 4000, 'landscape',
       CASE WHEN video THEN 30000 END, to_timestamp(captured_at / 1000), rating, people_count, tag_ids::bigint[], 'abcdefgh',
       to_timestamp(created_at / 1000), to_timestamp(created_at / 1000),
       CASE WHEN in_bin THEN to_timestamp(created_at / 1000) END
     FROM unnest($2::bigint[], $3::bool[], $4::text[], $5::text[], $6::float8[], $7::int[], $8::int[], $9::text[], $10::float8[], $11::bool[])
       AS r (id, video, status, name, captured_at, rating, people_count, tag_ids, created_at, in_bin)`,
    [
      organizationId,
      assets.map((one) => one.id),
      assets.map((one) => one.isVideo),
      assets.map((one) => one.status),
      assets.map((one) => one.name),
      assets.map((one) => one.capturedAt),
      assets.map((one) => one.rating),
      assets.map((one) => one.peopleCount),
      assets.map((one) => `{${one.tagIds.join(',')}}`),
      assets.map((one) => one.createdAt),
      assets.map((one) => one.inBin),
    ],
  );
}

/**
 * Puts a library of `count` assets straight into the tables, whose secondary indexes are built afterwards, and has
 * PostgreSQL collect its statistics. Answers how often each tag option occurs.
 */
export async function insertLibrary(
  client: pg.Client,
  { organizationId, count }: { readonly organizationId: number; readonly count: number },
): Promise<TagCounts> {
  const tags = generateTags();
  await client.query(
    `INSERT INTO tag_option (id, organization_id, type, label) OVERRIDING SYSTEM VALUE
     SELECT id, $1, type, label FROM unnest($2::bigint[], $3::text[], $4::text[]) AS r (id, type, label)`,
    [organizationId, tags.map((tag) => tag.id), tags.map((tag) => tag.type), tags.map((tag) => tag.label)],
  );
  const indexes = await client.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE tablename = 'asset' AND indexname <> 'asset_pkey'`,
  );
  for (const { name } of indexes.rows) await client.query(`DROP INDEX ${name}`);
  const counts = new Uint32Array((tags.at(-1)?.id ?? 0) + 1);
  let batch: Asset[] = [];
  for (const asset of generateAssets(count)) {
    for (const id of asset.tagIds) counts[id] = (counts[id] ?? 0) + 1;
    if (batch.push(asset) < workload.insert_batch) continue;
    await insertBatch(client, organizationId, batch);
    batch = [];
  }
  if (batch.length > 0) await insertBatch(client, organizationId, batch);
  await client.query(`SET maintenance_work_mem = '512MB'`);
  for (const { definition } of indexes.rows) await client.query(definition);
  await client.query('VACUUM ANALYZE asset');
  await client.query('ANALYZE tag_option');
  return counts;
}
