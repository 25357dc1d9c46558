import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scopeOf } from '../../src/auth/index.ts';
import type { Tx } from '../../src/db/index.ts';
import { findAssets } from '../../src/library/index.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { plainPhoto } from '../support/library.ts';

const OPTIONS = 20_000;
let service: TestApp;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service?.close());

/** Rows of the table that this connection has read, by an index or without. */
const rowsRead = async (tx: Tx, table: string): Promise<number> => {
  const found = await sql<{ rows: number }>`
    SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) AS rows FROM pg_stat_xact_user_tables WHERE relname = ${table}`.execute(
    tx,
  );
  return found.rows[0]?.rows ?? 0;
};

test('the tags of assets are found by their keys, even where many are expected for each', async () => {
  const { db } = service.app.installation;
  const upload = async (n: number): Promise<number> => (await service.upload(await plainPhoto(n))).body['media'].id;
  const [many, few] = [await upload(1), await upload(2)];
  const options = await sql<{ id: number }>`INSERT INTO tag_option (organization_id, type, label)
    SELECT ${service.organizationId}, 'player', 'Player ' || n FROM generate_series(1, ${OPTIONS}::int) AS n
    RETURNING id`.execute(db);
  const ids = options.rows.map(({ id }) => id);
  const last = ids.at(-1);
  await sql`INSERT INTO asset_tag (asset_id, tag_option_id, source)
    SELECT ${many}, id, 'manual' FROM unnest(${ids}::bigint[]) AS id`.execute(db);
  await sql`INSERT INTO asset_tag (asset_id, tag_option_id, source) VALUES (${few}, ${last}, 'manual')`.execute(db);
  // All that PostgreSQL knows now is that assets have thousands of tags.
  await sql`ANALYZE asset_tag, tag_option`.execute(db);
  await db.transaction().execute(async (tx) => {
    const before = await rowsRead(tx, 'tag_option');
    const [asset] = await findAssets(tx, scopeOf(service.organizationId), [few]);
    expect(asset?.tags).toMatchObject([{ id: last, type: 'player', label: `Player ${OPTIONS}` }]);
    expect((await rowsRead(tx, 'tag_option')) - before).toBe(1);
  });
});
