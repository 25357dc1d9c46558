import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createImageAccess } from '../../src/api/image-access.ts';
import { type App, openApp } from '../../src/app.ts';
import { createLogger, DAY_MS, HOUR_MS } from '../../src/base/index.ts';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/db/index.ts';
import { createOrganizations, deleteOldChanges } from '../../src/library/index.ts';
import { createFreshness } from '../../src/search/index.ts';
import { freePort, type Json, startApp, type TestApp } from '../support/app.ts';
import { createTestDatabase } from '../support/database.ts';
import { openDatabaseLine } from '../support/database-line.ts';
import { baseOf, createImageKey, createImagePreset, setImageMode, signedUrl } from '../support/image-rules.ts';
import { filesBelow, plainPhoto, uploadMedia } from '../support/library.ts';

/** What another node wrote holds here after this time. */
const SEEN_MS = 2000;

let databaseUrl: string;
/** Two nodes: what is written at `here` is read at `there`, which has it in memory. */
let here: TestApp;
let there: App;
let thereFolder: string;
let seed = 40;
const closers: (() => Promise<void>)[] = [];
beforeAll(async () => {
  const database = await createTestDatabase();
  databaseUrl = database.url;
  closers.push(() => database.drop());
  here = await startApp({ DATABASE_URL: databaseUrl });
  closers.push(() => here.close());
  thereFolder = await mkdtemp(join(tmpdir(), 'touchline-node-'));
  closers.push(() => rm(thereFolder, { recursive: true, force: true }));
  const config = readConfig({
    PATH: process.env['PATH'],
    PORT: String(await freePort()),
    DATA_DIR: thereFolder,
    DATABASE_URL: databaseUrl,
    STORAGE_URL: `file://${here.dataDir}/storage`,
    SHUTDOWN_SECONDS: '5',
  });
  there = await openApp(config, createLogger({ level: 'fatal' }), '0.0.0-test');
  closers.push(() => there.close());
}, 60_000);
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

const upload = async () => uploadMedia(here, await plainPhoto(++seed, { width: 300, height: 200 }));
const at = (node: { readonly url: string }, url: string) => node.url + url.slice(here.url.length);
const statusThere = async (url: string) => (await fetch(at(there, url), { redirect: 'manual' })).status;
const statusHere = async (url: string) => (await fetch(url, { redirect: 'manual' })).status;
const patch = async (media: Json, body: object) =>
  expect((await here.call('PATCH', `/v1/media/${media['id']}`, { body })).status).toBe(200);

/** Does a write at one node and expects the answer of an image at that one at once, at the other one soon. */
async function expectTurns(url: string, write: () => Promise<unknown>, status: number): Promise<void> {
  expect([await statusHere(url), await statusThere(url)]).not.toContain(status);
  await write();
  expect(await statusHere(url)).toBe(status);
  await expect.poll(() => statusThere(url), { timeout: SEEN_MS, interval: 50 }).toBe(status);
}

describe('on another node, within two seconds', () => {
  test('an image of a deleted asset is gone', async () => {
    const media = await upload();
    const remove = () => here.call('DELETE', `/v1/media/${media['id']}`);
    await expectTurns(`${baseOf(media)}?w=50`, remove, 404);
  });

  test('one of a limited asset needs a signature, and opens again when it is approved', async () => {
    const media = await upload();
    const url = `${baseOf(media)}?w=50`;
    await expectTurns(url, () => patch(media, { usage: 'limited' }), 403);
    await expectTurns(url, () => patch(media, { usage: 'approved' }), 302);
  });

  test('a revoked key opens nothing', async () => {
    const media = await upload();
    const key = await createImageKey(here);
    const url = signedUrl(baseOf(media), { w: 50 }, key);
    await expect.poll(() => statusThere(url), { timeout: SEEN_MS }).toBe(200);
    await expectTurns(url, () => here.call('DELETE', `/v1/image-key/${key.id}`), 403);
  });

  test('the mode holds, and what searches answer there is signed', async () => {
    const media = await upload();
    const url = `${baseOf(media)}?w=50`;
    const found = async () => {
      const options = {
        method: 'POST',
        headers: { 'X-Api-Key': here.key, 'Content-Type': 'application/json' },
        body: '{}',
      };
      const body = (await (await fetch(`${there.url}/v1/media/search`, options)).json()) as Json;
      return (body['media'] as Json[]).find((one) => one['id'] === media['id'])?.['images'].square as string;
    };
    expect(await found()).not.toContain('s=');
    await expectTurns(url, () => setImageMode(here, 'signed'), 403);
    const square = await found();
    expect((await fetch(square)).status).toBe(200);
    await expectTurns(url, () => setImageMode(here, 'open'), 200);
  });

  test('a preset shows its new parameters', async () => {
    const media = await upload();
    const { id } = await createImagePreset(here, 'node', { w: 50 });
    const widthThere = async () => (await fetch(at(there, `${baseOf(media)}?p=node`))).headers.get('x-image-size');
    await expect.poll(widthThere, { timeout: SEEN_MS }).toBe('50x33');
    await here.call('PATCH', `/v1/image-preset/${id}`, { body: { parameters: { w: 60 } } });
    await expect.poll(widthThere, { timeout: SEEN_MS, interval: 50 }).toBe('60x40');
  });
});

describe('cached pictures are removed from the disk of every node that has them', () => {
  const cachedAt = async (dataDir: string, media: Json) =>
    (await filesBelow(join(dataDir, 'cache', String(here.organizationId), String(media['id'])))).length;
  const show = async (media: Json, queries: readonly string[]) => {
    for (const query of queries)
      expect([await statusHere(baseOf(media) + query), await statusThere(baseOf(media) + query)]).toEqual([200, 200]);
  };
  const expectLeft = async (media: Json, left: number) => {
    await expect.poll(() => cachedAt(here.dataDir, media), { timeout: SEEN_MS }).toBe(left);
    // The other node looks at the feed when it is asked for something.
    const other = await upload();
    await expect
      .poll(async () => (await statusThere(`${baseOf(other)}?w=9`)) && cachedAt(thereFolder, media), {
        timeout: SEEN_MS,
      })
      .toBe(left);
  };

  test.each([
    ['the asset goes to the bin', (media: Json) => here.call('DELETE', `/v1/media/${media['id']}`)],
    ['its usage becomes restricted', (media: Json) => patch(media, { usage: 'limited' })],
    ['its revision is past', (media: Json) => patch(media, { focal: { x: 0.1, y: 0.1 } })],
    [
      'many are restricted at once',
      (media: Json) => here.call('POST', '/v1/media/bulk', { body: { ids: [media['id']], set: { usage: 'limited' } } }),
    ],
  ])('when %s', async (_what, write) => {
    const media = await upload();
    await show(media, ['?w=50', '?w=60']);
    expect([await cachedAt(here.dataDir, media), await cachedAt(thereFolder, media)]).toEqual([2, 2]);
    await write(media);
    await expectLeft(media, 0);
  });

  test('when its content is replaced', async () => {
    const metadata = { external_id: 'replaced' };
    const media = await uploadMedia(here, await plainPhoto(++seed, { width: 300, height: 200 }), { metadata });
    await show(media, ['?w=50']);
    await uploadMedia(here, await plainPhoto(++seed, { width: 300, height: 200 }), { metadata });
    await expectLeft(media, 0);
  });

  test('and stay when something else changes', async () => {
    const media = await upload();
    await show(media, ['?w=50']);
    const revision = baseOf(media);
    await patch(media, { rating: 4 });
    expect(baseOf((await here.call('GET', `/v1/media/${media['id']}`)).body['media'])).toBe(revision);
    await expectLeft(media, 1);
  });
});

test('what was remembered from before the events that are kept is read anew', async () => {
  const media = await upload();
  const logger = createLogger({ level: 'fatal' });
  const connection = { connectionString: databaseUrl };
  const { db } = openDatabase({ connection, applicationName: 'test', maxConnections: 2, logger });
  const freshness = createFreshness({ db, logger });
  const access = createImageAccess({ db, freshness, organizations: createOrganizations(db), logger });
  try {
    const id = here.organizationId;
    const read = async () => (await access.record(id, media['id'])).record;
    expect(await read()).toMatchObject({ id: media['id'] });
    // On the other node, while this one looks away: gone, and the event of it too.
    const removed = await here.call('DELETE', `/v1/media/${media['id']}`);
    expect(removed.status).toBe(204);
    await here.call('POST', '/v1/collection', { body: { name: 'Later' } });
    const now = new Date(Date.now() + 31 * DAY_MS);
    await deleteOldChanges(db, { now, keptMs: 30 * DAY_MS, signal: new AbortController().signal });
    await expect.poll(read, { timeout: 5000 }).toBeUndefined();
  } finally {
    access.close();
    await freshness.close();
    await db.destroy();
  }
});

test('memory is trusted for 24 hours without the database, and no longer', async () => {
  const media = await upload();
  const line = await openDatabaseLine(databaseUrl);
  const logger = createLogger({ level: 'fatal' });
  const connection = { connectionString: line.url };
  const { db } = openDatabase({ connection, applicationName: 'test', maxConnections: 2, logger });
  const freshness = createFreshness({ db, logger });
  let nowMs = 0;
  const access = createImageAccess({
    db,
    freshness,
    organizations: createOrganizations(db),
    logger,
    nowMs: () => nowMs,
  });
  try {
    const id = here.organizationId;
    const read = () => access.record(id, media['id']);
    expect(await read()).toMatchObject({ isCurrent: true, record: { id: media['id'] } });
    await line.cut();
    await expect(access.record(id, 1_000_000)).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
    nowMs = 23 * HOUR_MS;
    expect(await read()).toMatchObject({ isCurrent: false, record: { id: media['id'] } });
    nowMs = 25 * HOUR_MS;
    await expect(read()).rejects.toMatchObject({ code: 'unavailable' });
    await line.restore();
    await expect
      .poll(() => ((nowMs += 1001), read().catch(() => undefined)), { timeout: 10_000 })
      .toMatchObject({ isCurrent: true });
  } finally {
    access.close();
    await freshness.close();
    await db.destroy();
    await line.close();
  }
});
