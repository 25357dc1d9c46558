import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/app.ts';
import { plainPhoto } from '../support/library.ts';
import { createServiceFolder, type RunningService, type ServiceFolder } from '../support/process.ts';

const SLOW = { timeout: 90_000, interval: 20 } as const;
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** A JPEG of many bytes: what follows the picture belongs to the file. */
const heavyPhoto = async (n: number, bytes: number): Promise<Buffer> =>
  Buffer.concat([await plainPhoto(n), randomBytes(bytes)]);

describe('deliveries and kill -9', () => {
  let folder: ServiceFolder;
  let outbox: string;
  let env: Readonly<Record<string, string>>;
  beforeAll(async () => {
    folder = await createServiceFolder();
    outbox = await mkdtemp(join(tmpdir(), 'touchline-outbox-'));
    env = { DELIVERY_FOLDERS: outbox };
  });
  afterAll(async () => {
    await folder.remove();
    await rm(outbox, { recursive: true, force: true });
  });

  const client = (service: RunningService, key: string) => async (method: string, path: string, body?: object) => {
    const headers = { 'X-Api-Key': key, ...(body && { 'Content-Type': 'application/json' }) };
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    return (await (await fetch(service.url + path, sent)).json()) as Json;
  };
  const upload = async (service: RunningService, key: string, bytes: Buffer, name: string): Promise<Json> => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(bytes)]), name);
    const headers = { 'X-Api-Key': key, Prefer: 'wait=60' };
    const answer = await fetch(`${service.url}/v1/media`, { method: 'POST', headers, body: form });
    return ((await answer.json()) as Json)['media'];
  };

  test('every file is whole or absent at each kill, all arrive in the end, and nothing is there twice', async () => {
    let service = await folder.start(env);
    const { api_key: key } = await folder.firstRun();
    const files = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => heavyPhoto(n, 30_000_000)));
    const media: Json[] = [];
    for (const [n, bytes] of files.entries()) media.push(await upload(service, key, bytes, `heavy ${n}.jpg`));
    await mkdir(join(outbox, 'target'));
    let call = client(service, key);
    const config = { path: join(outbox, 'target') };
    const { destination } = await call('POST', '/v1/destination', {
      name: 'target',
      kind: 'folder',
      config,
      path_template: 'in/{media.name}.{media.ext}',
      collision: 'suffix',
      concurrency: 2,
    });
    const queued = await call('POST', '/v1/delivery', {
      destination_id: destination.id,
      media_ids: media.map((one) => one['id']),
    });
    expect(queued, JSON.stringify(queued)).toMatchObject({ queued: 6 });
    const hashes = files.map(sha256);
    const listed = async () => (await readdir(join(outbox, 'target', 'in')).catch(() => [])) as string[];
    /** What is there under a name of its own is whole. */
    const expectWhole = async () => {
      for (const name of (await listed()).filter((one) => !one.startsWith('.'))) {
        expect(hashes, name).toContain(sha256(await readFile(join(outbox, 'target', 'in', name))));
      }
    };
    // Killed while the first file is written, and again later.
    for (const round of [0, 1]) {
      const before = (await listed()).length;
      await expect.poll(async () => (await listed()).length, SLOW).toBeGreaterThan(round === 0 ? 0 : before - 1);
      await service.end('SIGKILL');
      await expectWhole();
      service = await folder.start(env);
      call = client(service, key);
    }
    const states = async () => {
      const { deliveries } = await call('GET', `/v1/delivery?batch=${queued['batch']}`);
      return (deliveries as Json[]).map((one) => one['state']);
    };
    await expect.poll(states, SLOW).toEqual(files.map(() => 'succeeded'));
    await expectWhole();
    expect((await listed()).toSorted()).toEqual(files.map((_, n) => `heavy ${n}.jpg`));
    await service.end('SIGTERM');
  }, 240_000);
});
