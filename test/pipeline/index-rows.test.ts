import { sql } from 'kysely';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scopeOf } from '../../src/auth/index.ts';
import {
  type IndexAction,
  type IndexAsset,
  type IndexRow,
  readIndexRows,
  readVersion,
  withIndexSnapshot,
} from '../../src/library/index.ts';
import { createIndexRowReader, INDEX_ROW_COLUMNS } from '../../src/library/index-row-reader.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { createTag } from '../support/library.ts';
import { type ActionRow, insertActions, setAngles } from '../support/action-library.ts';
import { type AssetRow, insertAssets } from '../support/search-library.ts';

const applicationName = 'touchline-test-index';
let service: TestApp;
let ids: number[];
let large: number;

const scope = () => scopeOf(service.organizationId);
const byId = (rows: readonly IndexRow[]) =>
  rows.map((row) => ({ ...row, actions: row.actions.toSorted((a, b) => a.id - b.id) })).toSorted((a, b) => a.id - b.id);

/** All rows of an organization as a worker would read them. */
function readAll(organizationId: number): Promise<{ version: number; rows: IndexRow[] }> {
  const { connection } = service.app.installation;
  return withIndexSnapshot(connection, { scope: scopeOf(organizationId), applicationName }, async (snapshot) => {
    const actions = new Map<number, IndexAction[]>();
    for await (const batch of snapshot.actions()) {
      for (const { assetId, action } of batch) actions.set(assetId, [...(actions.get(assetId) ?? []), action]);
    }
    const rows: IndexRow[] = [];
    for await (const batch of snapshot.assets()) {
      rows.push(...batch.map((asset) => ({ ...asset, actions: actions.get(asset.id) ?? [] })));
    }
    return { version: snapshot.version, rows };
  });
}

const connectionsLeft = async (): Promise<number> => {
  const found = await sql<{ n: number }>`SELECT count(*)::int AS n FROM pg_stat_activity
    WHERE application_name = ${applicationName}`.execute(service.app.installation.db);
  return found.rows[0]?.n ?? -1;
};

function rowsOfEveryKind(tags: readonly number[]): AssetRow[] {
  const long = Array.from({ length: 1900 }, (_, n) => `word${n}`).join(' ');
  return [
    { name: '' },
    { name: 'Šeško 東京 𐐷.jpg', details: { caption: 'goal goal goal', keywords: ['Łódź', 'goal'] } },
    { name: 'x'.repeat(300), details: { caption: long }, tags, collections: [9_007_199_254_740_991] },
    { status: 'deleted', mediaType: 'video', durationMs: 5_400_000_123, usage: 'embargoed' },
    {
      capturedAt: '1969-12-31T23:59:59.999Z',
      createdAt: '1999-12-31T23:59:59.998Z',
      updatedAt: '2038-01-19T03:14:08.001Z',
    },
    { width: 6000, height: 4000, orientation: 'landscape', peopleCount: 3, rating: 0, tags: tags.slice(1) },
    ...Array.from(
      { length: 300 },
      (_, n): AssetRow => ({ name: `frame ${n}.jpg`, details: { caption: `no ${n % 7} here` } }),
    ),
  ];
}

function actionsOfEveryKind(media: readonly number[], tags: readonly number[]): ActionRow[] {
  const [first = 0, second = 0, third = 0, fourth = 0] = media;
  const [typeId = 0, one = 0, other = 0] = tags;
  const at = (mediaId: number, startMs: number) => ({ mediaId, startMs, endMs: startMs + 5 });
  return [
    { mediaId: first, places: [at(first, 0)], typeId },
    {
      mediaId: fourth,
      places: [at(fourth, 5_400_000_123), at(second, 7)],
      typeId,
      label: 'Tor durch Šeško',
      details: { note: 'goal goal 東京' },
      players: [
        { id: one, role: 'scorer' },
        { id: one, role: 'scorer' },
        { id: one, role: 'captain "c"' },
        { id: other, role: null },
      ],
      outcome: 'höchst umstritten\n\u0001',
      status: 'disputed',
      source: 'feed:opta',
      period: 2,
      clockMs: 5_400_123,
      minute: 90,
      stoppage: 3,
      confidence: 0.9,
      wallclockAt: '1969-12-31T23:59:59.999Z',
      createdAt: '1999-12-31T23:59:59.998Z',
      updatedAt: '2038-01-19T03:14:08.001Z',
    },
    { mediaId: second, places: [], typeId },
    {
      mediaId: third,
      places: [at(third, 1), at(first, 2)],
      typeId,
      outcome: '',
      confidence: 1 / 3,
      status: 'retracted',
    },
  ];
}

beforeAll(async () => {
  service = await startApp({ SEARCH_ENGINE: 'postgres' });
  const tags: number[] = [];
  for (let n = 0; n < 3; n += 1) tags.push(await createTag(service, { type: 'tag', label: `Tag ${n}` }));
  ids = await insertAssets(service, rowsOfEveryKind(tags));
  await insertActions(service, actionsOfEveryKind(ids.slice(0, 4), tags));
  await setAngles(service, new Map([[ids[3] ?? 0, 'behind goal']]));
  large = await service.createOrganization('large');
  await sql`INSERT INTO asset (organization_id, media_type, status, name, sha256, bytes, mime_type, extension, url_nonce, search_text)
    SELECT ${large}::bigint, 'photo', 'ready', 'Frame ' || n || '.jpg', n::text, 1, 'image/jpeg', 'jpg', 'x',
      'frame:1A jpg:3A'::tsvector FROM generate_series(1, 60000) n`.execute(service.app.installation.db);
});
afterAll(() => service.close());

test('a snapshot has the same rows as an ordinary read, of this organization only', async () => {
  const { version, rows } = await readAll(service.organizationId);
  const expected = await readIndexRows(service.app.installation.db, scope(), { ids });
  expect(rows).toHaveLength(ids.length);
  expect(byId(rows)).toEqual(byId(expected));
  expect(version).toBeGreaterThan(300);
  expect(version).toBe(await readVersion(service.app.installation.db, scope()));
});

test('values of the fields that are asked for are read, once each, and nothing that does not fit them', async () => {
  const organizationId = await service.createOrganization('details');
  const fields = [
    { id: 3, key: 'note', type: 'text' },
    { id: 40, key: 'frames', type: 'number' },
    { id: 41, key: 'due', type: 'date' },
    { id: 42, key: 'desk', type: 'choice' },
    { id: 43, key: 'clients', type: 'list' },
  ] as const;
  const library = { app: service.app, organizationId };
  await insertAssets(library, [
    { details: { note: 'ß "x"', frames: 0.1, due: '2026-03-14', desk: 'sport', clients: ['b', 'a', 'b'], other: 'x' } },
    { details: { note: '', frames: -1e21, due: '0099-06-01T00:00:00.001Z', clients: [] } },
    { details: { note: 7, frames: '7', due: 'soon', desk: ['sport'], clients: 'a' } },
    { details: { note: 'n'.repeat(1001), other: 1 } },
    { details: { other: 'x' } },
    {},
  ]);
  const expected = [
    [
      [3, 'ß "x"'],
      [40, 0.1],
      [41, Date.UTC(2026, 2, 14)],
      [42, 'sport'],
      [43, ['b', 'a']],
    ],
    [
      [3, ''],
      [40, -1e21],
      [41, Date.parse('0099-06-01T00:00:00.001Z')],
      [43, []],
    ],
    [],
    [[3, null]],
    [],
    [],
  ];
  const { connection, db } = service.app.installation;
  const request = { scope: scopeOf(organizationId), applicationName, fields };
  const copied = await withIndexSnapshot(connection, request, async ({ assets }) => {
    const found: IndexAsset[] = [];
    for await (const batch of assets()) found.push(...batch);
    return found.toSorted((a, b) => a.id - b.id);
  });
  expect(copied.map(({ details }) => details)).toEqual(expected);
  const rows = await readIndexRows(db, scopeOf(organizationId), { afterId: 0, limit: 10, fields });
  expect(rows.map(({ details }) => details)).toEqual(expected);
  const without = await readIndexRows(db, scopeOf(organizationId), { afterId: 0, limit: 10 });
  expect(without.map(({ details }) => details)).toEqual(rows.map(() => []));
});

test('actions are read with the assets that they lie in', async () => {
  const { rows } = await readAll(service.organizationId);
  const [first, second, third, fourth] = ids.map((id) => rows.find((row) => row.id === id)?.actions ?? []);
  expect([first, second, third, fourth].map((actions) => actions?.map((one) => [one.home, one.start_ms]))).toEqual([
    [
      [true, 0],
      [false, 2],
    ],
    [[false, 7]],
    [[true, 1]],
    [[true, 5_400_000_123]],
  ]);
  const [typeId = 0, one = 0, other = 0] = fourth?.[0]?.tag_ids ?? [];
  expect(fourth).toEqual([
    {
      id: expect.any(Number),
      home: true,
      type_id: typeId,
      status: 'disputed',
      outcome: 'höchst umstritten\n\u0001',
      source: 'feed:opta',
      angle: 'behind goal',
      start_ms: 5_400_000_123,
      period: 2,
      clock_ms: 5_400_123,
      minute: 90,
      stoppage: 3,
      confidence: 0.9,
      wallclock_at: -1,
      created_at: Date.UTC(1999, 11, 31, 23, 59, 59, 998),
      updated_at: Date.UTC(2038, 0, 19, 3, 14, 8, 1),
      tag_ids: [typeId, one, other],
      roles: [
        { player: one, role: 'scorer' },
        { player: one, role: 'captain "c"' },
      ],
      text: expect.arrayContaining([{ word: 'goal', places: expect.any(Array) }]),
    },
  ]);
  expect(second?.[0]).toEqual({ ...fourth?.[0], id: expect.any(Number), home: false, start_ms: 7, angle: null });
  expect(third?.[0]?.outcome).toBe('');
  expect(third?.[0]?.confidence).toBe(0.33333334);
});

test('words have their places with the class of the field in the two high bits', async () => {
  const { rows } = await readAll(service.organizationId);
  const row = rows.find(({ id }) => id === ids[1]);
  expect(row?.name).toBe('Šeško 東京 𐐷.jpg');
  const places = Object.fromEntries((row?.text ?? []).map(({ word, places: at }) => [word, at]));
  expect(places).toEqual({
    sesko: [0xc001],
    東京: [0xc002],
    𐐷: [0xc003],
    jpg: [0xc004],
    goal: [0x8006, 0x8007, 0x8008, 0x800c],
    lodz: [0x800a],
  });
  expect(rows.find(({ id }) => id === ids[2])?.text).toHaveLength(1901);
  expect(rows.find(({ id }) => id === ids[0])?.text).toEqual([]);
});

test('an asset whose words were not computed yet has none', async () => {
  const other = await service.createOrganization('uncomputed');
  await sql`INSERT INTO asset (organization_id, media_type, status, name, sha256, bytes, mime_type, extension, url_nonce)
    VALUES (${other}, 'photo', 'ready', 'late.jpg', 'x', 1, 'image/jpeg', 'jpg', 'x')`.execute(
    service.app.installation.db,
  );
  const { rows } = await readAll(other);
  expect(rows.map(({ name, text }) => ({ name, text }))).toEqual([{ name: 'late.jpg', text: [] }]);
  expect(await readIndexRows(service.app.installation.db, scopeOf(other), { ids: rows.map(({ id }) => id) })).toEqual(
    rows,
  );
});

test('an empty library gives its version and no rows', async () => {
  expect(await readAll(await service.createOrganization('empty'))).toEqual({ version: 0, rows: [] });
});

test('version and rows are of one moment: a write meanwhile is in neither', async () => {
  const before = await readAll(service.organizationId);
  const { connection } = service.app.installation;
  const seen = await withIndexSnapshot(connection, { scope: scope(), applicationName }, async ({ version, assets }) => {
    await service.call('PATCH', `/v1/media/${ids[0]}`, { body: { name: 'written meanwhile.jpg' } });
    const names: string[] = [];
    for await (const batch of assets()) names.push(...batch.map((row) => row.name));
    return { version, names };
  });
  expect(seen.version).toBe(before.version);
  expect(seen.names).not.toContain('written meanwhile.jpg');
  const after = await readAll(service.organizationId);
  expect(after.version).toBeGreaterThan(before.version);
  expect(after.rows.find(({ id }) => id === ids[0])?.text.map(({ word }) => word)).toContain('meanwhile');
});

test('rows are the same wherever the stream is cut', async () => {
  const { connection } = service.app.installation;
  const client = new pg.Client({ ...connection, application_name: applicationName });
  await client.connect();
  const chunks: Buffer[] = [];
  const columns = Object.values(INDEX_ROW_COLUMNS).join(', ');
  const copy = `COPY (SELECT ${columns} FROM asset WHERE organization_id = ${service.organizationId} ORDER BY id LIMIT 12) TO STDOUT (FORMAT binary)`;
  for await (const chunk of client.query(copyTo(copy))) chunks.push(Buffer.from(chunk));
  await client.end();
  const all = Buffer.concat(chunks);
  const read = (size: number) => {
    const reader = createIndexRowReader();
    const rows: IndexAsset[] = [];
    for (let at = 0; at < all.length; at += size) rows.push(...reader.read(all.subarray(at, at + size)));
    return { rows, isComplete: reader.isComplete };
  };
  const whole = read(all.length);
  expect(whole.isComplete).toBe(true);
  expect(whole.rows).toHaveLength(12);
  for (const size of [1, 2, 3, 7, 64, 1000, 4097]) expect(read(size), `cut every ${size} bytes`).toEqual(whole);
  const reader = createIndexRowReader();
  reader.read(all.subarray(0, all.length - 2));
  expect(reader.isComplete).toBe(false);
  expect(() => createIndexRowReader().read(Buffer.from('SELECT 1, and other bytes'))).toThrow('expected a binary COPY');
});

test('reading ends with the reason of its signal, and its connection goes', async () => {
  const stopping = new AbortController();
  const stopped = new Error('stopped');
  const { connection } = service.app.installation;
  const request = { scope: scopeOf(large), applicationName, signal: stopping.signal };
  let read = 0;
  const reading = withIndexSnapshot(connection, request, async ({ assets }) => {
    for await (const batch of assets()) {
      read += batch.length;
      stopping.abort(stopped);
    }
  });
  await expect(reading).rejects.toBe(stopped);
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(60_000);
  await expect.poll(connectionsLeft).toBe(0);
});

test('a reader that has enough, or fails, leaves no connection behind', async () => {
  const { connection } = service.app.installation;
  const request = { scope: scopeOf(large), applicationName };
  const first = await withIndexSnapshot(
    connection,
    request,
    async ({ assets }) => (await assets().next()).value?.length,
  );
  expect(first).toBeGreaterThan(0);
  const unread = await withIndexSnapshot(connection, request, async ({ version }) => version);
  expect(unread).toBe(0);
  const failure = new Error('out of memory');
  await expect(
    withIndexSnapshot(connection, request, async ({ assets }) => {
      await assets().next();
      throw failure;
    }),
  ).rejects.toBe(failure);
  await expect.poll(connectionsLeft).toBe(0);
});

test('a server that ends the connection in the middle is a failure, not a smaller library', async () => {
  const { connection, db } = service.app.installation;
  const reading = withIndexSnapshot(connection, { scope: scopeOf(large), applicationName }, async ({ assets }) => {
    let count = 0;
    for await (const batch of assets()) {
      if (count === 0) {
        await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ${applicationName}`.execute(
          db,
        );
      }
      count += batch.length;
    }
    return count;
  });
  await expect(reading).rejects.toThrow(/terminat|ended/i);
});
