import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '../../src/base/index.ts';
import { openJobs } from '../../src/jobs/index.ts';
import { createWorkbench, H264, picture, skipsWithoutFfmpeg, type Workbench } from '../../src/video/test-video.ts';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { storedObjects } from '../support/library.ts';
import { createServiceFolder, type RunningService, type ServiceFolder } from '../support/process.ts';

/** Of the time that a busy machine needs; what is promised itself has a limit of its own. */
const SLOW = { timeout: 90_000, interval: 100 } as const;

/** Long enough to be met while it is cut, small enough to be drawn quickly. */
const drawLong = (bench: Workbench): Buffer =>
  readFileSync(bench.draw('long.mp4', ...picture({ size: '640x360', rate: '50', seconds: 80 }), ...H264));

const processes = (): string => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });

describe.skipIf(skipsWithoutFfmpeg)('making clips (needs ffmpeg)', () => {
  let service: TestApp;
  let bench: Workbench;
  let video: Json;
  beforeAll(async () => {
    service = await startApp();
    bench = createWorkbench();
    const answer = await service.upload(drawLong(bench), { name: 'long.mp4', headers: { Prefer: 'wait=60' } });
    expect(answer.body, JSON.stringify(answer.body)).toMatchObject({ media: { status: 'ready' } });
    video = answer.body['media'];
  });
  afterAll(async () => {
    bench.remove();
    await service.close();
  });

  const ask = async (inMs: number, outMs: number, wait = 0): Promise<Json> => {
    const body = { segments: [{ media_id: video['id'], in_ms: inMs, out_ms: outMs }] };
    const answer = await service.call('POST', '/v1/clip', { body, headers: { Prefer: `wait=${wait}` } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    return answer.body['clip'];
  };
  const read = async (clip: Json): Promise<Json> =>
    (await service.call('GET', `/v1/clip/${clip['id']}`)).body['clip'] as Json;

  test('one that is cancelled while it is cut ends within 2 s and leaves nothing behind', async () => {
    const stored = await storedObjects(service);
    const clip = await ask(20, 79_000);
    const waiting = await ask(0, 1000);
    await expect.poll(async () => (await read(clip))['progress'], SLOW).toBeGreaterThan(0.06);
    expect(await read(clip)).toMatchObject({ state: 'running', url: null });
    expect(processes()).toContain(`clip-${clip['id']}-`);
    expect((await service.call('DELETE', `/v1/clip/${clip['id']}`)).status).toBe(204);
    const cancelledMs = performance.now();
    while (processes().includes(`clip-${clip['id']}-`)) await delay(20);
    expect(performance.now() - cancelledMs).toBeLessThan(2000);
    expect(await read(clip)).toMatchObject({ state: 'cancelled', url: null, failure: null });
    // The next one in the line is made.
    await expect.poll(async () => (await read(waiting))['state'], SLOW).toBe('ready');
    expect((await storedObjects(service)).length).toBe(stored.length + 2);
    const left = await readdir(join(service.dataDir, 'tmp', 'work')).catch(() => []);
    expect(left.filter((name) => name.startsWith('clip-'))).toEqual([]);
    // Once more: what was cancelled goes from the list.
    expect((await service.call('DELETE', `/v1/clip/${clip['id']}`)).status).toBe(204);
    expect((await service.call('GET', `/v1/clip/${clip['id']}`)).status).toBe(404);
  });

  test('one that is cancelled before its turn is never cut', async () => {
    const first = await ask(20, 60_000);
    const second = await ask(0, 1000);
    await service.call('DELETE', `/v1/clip/${second['id']}`);
    expect(await read(second)).toMatchObject({ state: 'cancelled', progress: 0 });
    await service.call('DELETE', `/v1/clip/${first['id']}`);
    const third = await ask(0, 200, 60);
    expect(third).toMatchObject({ state: 'ready' });
    expect(await read(second)).toMatchObject({ state: 'cancelled', progress: 0 });
  });

  test('those whose time is over are removed with their files', async () => {
    const before = await storedObjects(service);
    const [old, fresh] = [await ask(0, 200, 60), await ask(0, 400, 60)];
    const { db, connection } = service.app.installation;
    await sql`UPDATE clip SET expires_at = now() - interval '1 minute' WHERE id = ${old['id']}`.execute(db);
    const logger = createLogger({ level: 'silent' });
    const jobs = await openJobs({ connection, applicationName: 'test', cores: 1, logger });
    await jobs.enqueue(db, 'library.purge', {});
    await jobs.stop({ drainMs: 1000 });
    await expect.poll(async () => (await service.call('GET', `/v1/clip/${old['id']}`)).status, SLOW).toBe(404);
    expect(await read(fresh)).toMatchObject({ state: 'ready' });
    expect((await storedObjects(service)).length).toBe(before.length + 2);
    expect((await fetch(fresh['url'])).status).toBe(200);
  });
});

describe.skipIf(skipsWithoutFfmpeg)('clips and kill -9 (needs ffmpeg)', () => {
  let folder: ServiceFolder;
  let bench: Workbench;
  beforeAll(async () => {
    folder = await createServiceFolder();
    bench = createWorkbench();
  });
  afterAll(async () => {
    bench.remove();
    await folder.remove();
  });

  test('a service that is killed while it cuts makes the clip after its next start', async () => {
    const first = await folder.start();
    const { api_key: key } = await folder.firstRun();
    const call = async (service: RunningService, method: string, path: string, body?: object): Promise<Json> => {
      const headers = { 'X-Api-Key': key, ...(body && { 'Content-Type': 'application/json' }) };
      const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      return (await (await fetch(service.url + path, sent)).json()) as Json;
    };
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(drawLong(bench))]), 'long.mp4');
    const headers = { 'X-Api-Key': key, Prefer: 'wait=60' };
    const uploaded = await fetch(`${first.url}/v1/media`, { method: 'POST', headers, body: form });
    const { media } = (await uploaded.json()) as Json;
    const status = async () => (await call(first, 'GET', `/v1/media/${media['id']}`))['media']['status'];
    await expect.poll(status, SLOW).toBe('ready');
    const { clip } = await call(first, 'POST', '/v1/clip', {
      segments: [{ media_id: media['id'], in_ms: 20, out_ms: 60_000 }],
    });
    const path = `/v1/clip/${clip['id']}`;
    const progress = async () => (await call(first, 'GET', path))['clip']['progress'];
    await expect.poll(progress, SLOW).toBeGreaterThan(0.06);
    await first.end('SIGKILL');
    const second = await folder.start();
    expect((await call(second, 'GET', path))['clip']['state']).not.toBe('ready');
    await expect.poll(async () => (await call(second, 'GET', path))['clip']['state'], SLOW).toBe('ready');
    const made = (await call(second, 'GET', path))['clip'];
    expect(made).toMatchObject({ file: { frames: 2999 }, failure: null });
    const bytes = Buffer.from(await (await fetch(made['url'])).arrayBuffer());
    expect(bytes.length).toBe(made['file']['bytes']);
    await second.end('SIGTERM');
  }, 180_000);
});
