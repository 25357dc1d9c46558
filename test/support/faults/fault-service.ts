/** The service as a process of its own, with assets to deliver: it can be killed like any other. */
import { createHash, randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Json } from '../app.ts';
import { createTestDatabase } from '../database.ts';
import { plainPhoto } from '../library.ts';
import { createServiceFolder, type RunningService } from '../process.ts';
import type { FaultPlace } from './fault-target.ts';

export type FaultAsset = {
  readonly id: number;
  /** Of the file at the target. */
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
};

export type FaultService = {
  /** One of 20 MiB, which no kind sends in one piece, then two small ones. */
  readonly assets: readonly FaultAsset[];
  readonly totalBytes: number;
  readonly databaseUrl: string;
  call(method: string, path: string, body?: object): Promise<Json>;
  createDestination(kind: string, place: Pick<FaultPlace, 'config' | 'secrets'>, members?: object): Promise<number>;
  /** Queues a delivery of all assets, and answers the IDs in their order. */
  deliver(destinationId: number): Promise<readonly number[]>;
  /** SIGKILL; the database goes on. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  log(): string;
  close(): Promise<void>;
};

const LARGE_BYTES = 20 * 1024 * 1024;
const SMALL_BYTES = 300_000;

export async function startFaultService(env: Readonly<Record<string, string>> = {}): Promise<FaultService> {
  const database = await createTestDatabase();
  const folder = await createServiceFolder();
  const settings = { DATABASE_URL: database.url, DELIVERY_FOLDERS: tmpdir(), LOG_LEVEL: 'debug', ...env };
  let running: RunningService = await folder.start(settings);
  const outputs: string[] = [];
  const { api_key: key } = await folder.firstRun();

  const call: FaultService['call'] = async (method, path, body) => {
    const response = await fetch(running.url + path, {
      method,
      headers: { 'X-Api-Key': key, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    expect(response.ok, `${method} ${path}: ${response.status} ${text}`).toBe(true);
    return text === '' ? {} : JSON.parse(text);
  };
  const upload = async (seed: number, wantedBytes: number): Promise<FaultAsset> => {
    const photo = await plainPhoto(seed);
    // Bytes behind the end of a JPEG change nothing but its size and hash.
    const bytes = Buffer.concat([photo, randomBytes(wantedBytes - photo.length)]);
    const form = new FormData();
    form.append('file', new Blob([bytes]), `photo-${seed}.jpg`);
    const response = await fetch(`${running.url}/v1/media`, {
      method: 'POST',
      headers: { 'X-Api-Key': key, Prefer: 'wait=30' },
      body: form,
    });
    const answer: Json = JSON.parse(await response.text());
    expect(response.status, JSON.stringify(answer)).toBe(201);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { id: answer['media'].id, name: `photo-${seed}.jpg`, bytes: bytes.length, sha256 };
  };
  const assets: FaultAsset[] = [];
  for (const [n, bytes] of [LARGE_BYTES, SMALL_BYTES, SMALL_BYTES].entries()) assets.push(await upload(n + 1, bytes));

  return {
    assets,
    totalBytes: assets.reduce((sum, { bytes }) => sum + bytes, 0),
    databaseUrl: database.url,
    call,
    async createDestination(kind, { config, secrets }, members = {}) {
      const body = {
        name: `${kind} ${Object.values(config).join(' ').slice(-80)}`,
        kind,
        config,
        ...(Object.keys(secrets).length > 0 && { secrets }),
        path_template: '{media.name}.{media.ext}',
        concurrency: 2,
        ...members,
      };
      return (await call('POST', '/v1/destination', body))['destination'].id;
    },
    async deliver(destinationId) {
      const body = { destination_id: destinationId, media_ids: assets.map(({ id }) => id) };
      const queued: readonly Json[] = (await call('POST', '/v1/delivery', body))['deliveries'];
      return assets.map(({ id }) => queued.find((one) => one['media_id'] === id)?.['id']);
    },
    kill: async () => {
      await running.end('SIGKILL');
      outputs.push(running.output());
    },
    restart: async () => {
      running = await folder.start(settings);
    },
    log: () => [...outputs, running.output()].join('\n'),
    async close() {
      await running.end('SIGTERM');
      await folder.remove();
      // Its sessions end a moment after the process.
      await delay(100);
      await database.drop();
    },
  };
}
