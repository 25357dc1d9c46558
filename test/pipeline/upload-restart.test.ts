import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createLogger, MIB } from '../../src/base/index.ts';
import { type Database, openDatabase } from '../../src/db/index.ts';
import { createTestDatabase } from '../support/database.ts';
import { type FileServer, startFileServer } from '../support/file-server.ts';
import { filesBelow, plainPhoto } from '../support/library.ts';
import { createServiceFolder, type RunningService, type ServiceFolder } from '../support/process.ts';
import { type CuttingProxy, startCuttingProxy } from '../support/servers/cutting-proxy.ts';
import { createUpload, sendPart, tus, uploadWithClient } from '../support/tus.ts';

const closers: (() => Promise<unknown>)[] = [];
let folder: ServiceFolder;
let node: RunningService;
let env: Record<string, string>;
let proxy: CuttingProxy;
let db: Database;
let photo: Buffer;
let source: FileServer;
let service: { url: string; key: string };
/** The same behind the proxy. */
let through: { url: string; key: string };

beforeAll(async () => {
  const own = await createTestDatabase();
  closers.push(() => own.drop());
  folder = await createServiceFolder();
  closers.push(() => folder.remove());
  source = await startFileServer();
  closers.push(() => source.close());
  env = { DATABASE_URL: own.url, OUTBOUND_ALLOW: `127.0.0.1:${source.port}` };
  node = await folder.start(env);
  const key = (await folder.firstRun()).api_key;
  proxy = await startCuttingProxy({ port: folder.port });
  closers.push(() => proxy.close());
  service = { url: node.url, key };
  through = { url: `http://127.0.0.1:${proxy.port}`, key };
  const connection = { connectionString: own.url };
  const logger = createLogger({ level: 'error' });
  ({ db } = openDatabase({ connection, applicationName: 'touchline-test', maxConnections: 3, logger }));
  closers.push(() => db.destroy());
  photo = await plainPhoto(1);
});
afterAll(async () => {
  await node.end('SIGTERM');
  for (const close of closers.toReversed()) await close();
});

const fileOf = (bytes: number) => Buffer.concat([photo, randomBytes(bytes - photo.length)]);
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const kill = async () => {
  node.child.kill('SIGKILL');
  if (node.child.exitCode === null && node.child.signalCode === null) await once(node.child, 'exit');
};
const restart = async () => {
  await kill();
  node = await folder.start(env);
};
const assetsOf = (bytes: Uint8Array) =>
  db.selectFrom('asset').select(['id', 'bytes']).where('sha256', '=', sha256(bytes)).execute();
const uploadFiles = () => filesBelow(join(folder.dataDir, 'uploads'));

test('a client of one long request goes on by itself after kill -9, where the last note was', async () => {
  const file = fileOf(24 * MIB);
  proxy.throttle(4 * MIB);
  const restarted = new Promise<void>((resolve, reject) => {
    // 3 s of a request that takes 6.
    proxy.actAfter(12 * MIB, () => void restart().then(resolve, reject));
  });
  const { url, answers } = await uploadWithClient(through, file);
  proxy.throttle(undefined);
  await restarted;
  const heads = answers.filter((one) => one.startsWith('HEAD 200')).map((one) => Number(one.split(' ')[2]));
  expect(heads.length).toBeGreaterThan(0);
  // Noted every two seconds.
  expect(heads[0]).toBeGreaterThan(4 * MIB);
  expect(heads[0]).toBeLessThan(file.length);
  const state = await (
    await fetch(service.url + new URL(url).pathname, { headers: { 'X-Api-Key': service.key } })
  ).json();
  expect(state).toMatchObject({ upload: { state: 'completed', duplicate: false } });
  expect(await assetsOf(file)).toEqual([{ id: expect.any(Number), bytes: file.length }]);
  expect(await uploadFiles()).toEqual([]);
}, 120_000);

test('killed between the move into storage and the commit, it makes the asset after its next start', async () => {
  const file = fileOf(2 * MIB);
  const path = await createUpload(service, file.length);
  await sendPart(service, path, { offset: 0, body: file.subarray(0, MIB) });
  const storage = join(folder.dataDir, 'storage', 'originals');
  const before = (await filesBelow(storage)).length;
  // Every write to the library waits for the row of its organization.
  await db.transaction().execute(async (tx) => {
    await sql`SELECT 1 FROM organization FOR UPDATE`.execute(tx);
    const last = sendPart(service, path, { offset: MIB, body: file.subarray(MIB) }).catch((error: unknown) => error);
    await vi.waitFor(async () => expect((await filesBelow(storage)).length).toBe(before + 1), { timeout: 10_000 });
    await kill();
    expect(await last).toBeInstanceOf(Error);
  });
  expect(await assetsOf(file)).toEqual([]);
  expect(await uploadFiles()).toEqual([]);
  node = await folder.start(env);
  const found = await tus(service, 'HEAD', path);
  expect([found.status, found.offset]).toEqual([200, file.length]);
  expect(await assetsOf(file)).toEqual([{ id: found.mediaId, bytes: file.length }]);
  expect((await tus(service, 'HEAD', path)).mediaId).toBe(found.mediaId);
}, 120_000);

test('what was acknowledged is there after kill -9 at any time, and no file becomes two assets', async () => {
  const files = Array.from({ length: 8 }, (_, n) => fileOf((1 + n) * 300_000));
  let acknowledged = new Map<Buffer, number>();
  const lost: string[] = [];
  const uploads = files.map((file, n) =>
    uploadWithClient(through, file, {
      chunkSize: n % 2 === 0 ? 100_000 : Number.POSITIVE_INFINITY,
      uploadDataDuringCreation: n % 3 === 0,
      onAnswer: (method, offset) => {
        const known = acknowledged.get(file) ?? 0;
        if (method === 'HEAD' && offset < known) lost.push(`${offset} of ${known}`);
        acknowledged = acknowledged.set(file, Math.max(known, offset));
      },
    }),
  );
  proxy.throttle(3 * MIB);
  const restarts = async () => {
    for (const afterMs of [150, 320, 490, 660, 830, 1000]) {
      await delay(afterMs);
      await restart();
    }
  };
  await Promise.all([restarts(), ...uploads]);
  proxy.throttle(undefined);
  expect(lost).toEqual([]);
  for (const file of files) expect(await assetsOf(file)).toEqual([{ id: expect.any(Number), bytes: file.length }]);
  const key = { headers: { 'X-Api-Key': service.key } };
  const stored = await db
    .selectFrom('asset_file')
    .select('storage_key')
    .where('quality', '=', 'photographer')
    .execute();
  expect(new Set(stored.map((row) => row.storage_key)).size).toBe(stored.length);
  expect((await fetch(`${service.url}/readyz`, key)).status).toBe(200);
}, 180_000);

test('bytes that are on no disk of this node are asked for clearly, and nothing is given up', async () => {
  const file = fileOf(500_000);
  const path = await createUpload(service, file.length);
  await sendPart(service, path, { offset: 0, body: file.subarray(0, 200_000) });
  const id = Number(path.split('/').at(-1));
  const { nonce } = await db.selectFrom('upload').select('nonce').where('id', '=', id).executeTakeFirstOrThrow();
  await rm(join(folder.dataDir, 'uploads', nonce));
  const answer = await sendPart(service, path, { offset: 200_000, body: file.subarray(200_000) });
  expect([answer.status, answer.body.code]).toEqual([503, 'unavailable']);
  expect(answer.body.detail).toContain('node');
  expect((await tus(service, 'HEAD', path)).offset).toBe(200_000);
});

test('a file that is fetched from a URL goes on after kill -9 where it was, and is one asset', async () => {
  const file = fileOf(6 * MIB);
  source.files.set('/long.jpg', { bytes: file, ranges: true, rate: MIB });
  const headers = { 'X-Api-Key': service.key, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ items: [{ url: `${source.url}/long.jpg` }] });
  const queued = await fetch(`${service.url}/v1/media/import`, { method: 'POST', headers, body });
  const { operation } = (await queued.json()) as { operation: { id: number } };
  const noted = async () => {
    const rows = await db.selectFrom('upload').select('received').where('bytes', '=', file.length).execute();
    return rows.at(-1)?.received ?? 0;
  };
  await vi.waitFor(async () => expect(await noted()).toBeGreaterThan(MIB), { timeout: 30_000 });
  await restart();
  const read = async () => (await fetch(`${service.url}/v1/operation/${operation.id}`, { headers })).json();
  await vi.waitFor(
    async () => expect(await read()).toMatchObject({ operation: { state: 'succeeded', created: 1, failed: 0 } }),
    { timeout: 90_000, interval: 500 },
  );
  expect(await assetsOf(file)).toHaveLength(1);
  expect(source.requests.at(-1)).toMatch(/^\/long\.jpg bytes=\d+-$/);
  expect(source.sent.get('/long.jpg') ?? 0).toBeLessThan(2 * file.length);
}, 180_000);
