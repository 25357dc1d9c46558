/** The service killed between any two of the steps that make a delivery; each is found from outside, by what waits for what. */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/app.ts';
import { type FaultService, startFaultService } from '../support/faults/fault-service.ts';
import { type CuttingProxy, startCuttingProxy } from '../support/servers/cutting-proxy.ts';
import { startS3Server } from '../support/servers/s3-server.ts';
import { missingWebdavServer, startWebdavServer } from '../support/servers/webdav-server.ts';

const SLOW = { timeout: 90_000, interval: 20 } as const;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

let service: FaultService;
let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'touchline-killed-'));
  service = await startFaultService();
}, 120_000);
afterAll(async () => {
  await service.close();
  await rm(root, { recursive: true, force: true });
});

const delivery = async (id: number): Promise<Json> => (await service.call('GET', `/v1/delivery/${id}`))['delivery'];

/** Runs `work` while a lock is held that bars others from something; `release` lets go of it early. */
async function whileLocked(
  lock: string,
  work: (ask: pg.Client, release: () => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const [holder, ask] = [0, 1].map(() => new pg.Client({ connectionString: service.databaseUrl }));
  if (!holder || !ask) throw new Error('two connections');
  await Promise.all([holder.connect(), ask.connect()]);
  try {
    await holder.query('BEGIN');
    await holder.query(lock);
    await work(ask, () => holder.query('ROLLBACK'));
  } finally {
    // Whatever the killed service held is let go of by its connections, which end a moment later.
    await holder.query('ROLLBACK');
    await Promise.all([holder.end(), ask.end()]);
  }
}

/** Starts a delivery that waits before its first byte, which is held back by the lock: its try reads the asset first. */
async function whileBegun(
  { destinationId, deliveryId }: { readonly destinationId: number; readonly deliveryId: number },
  work: (ask: pg.Client, goOn: () => Promise<unknown>) => Promise<void>,
): Promise<void> {
  await whileLocked('LOCK TABLE asset IN ACCESS EXCLUSIVE MODE', async (ask, goOn) => {
    await unpause(destinationId);
    await expect.poll(() => stateIn(ask, deliveryId), SLOW).toBe('running');
    await work(ask, goOn);
  });
}

const stateIn = async (ask: pg.Client, id: number): Promise<string> =>
  (await ask.query('SELECT state FROM delivery WHERE id = $1', [id])).rows[0]?.state;
/** Statements that wait for a lock and hold these words. */
const waiting = async (ask: pg.Client, words: string): Promise<number> => {
  const found = await ask.query(
    `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ILIKE $1`,
    [`%${words}%`],
  );
  return Number(found.rows[0]?.count);
};

async function createDestination(kind: string, place: { readonly config: object; readonly secrets?: object }) {
  const { config, secrets = {} } = place;
  const members = { collision: 'suffix', paused: true, concurrency: 1 };
  return service.createDestination(kind, { config: { ...config }, secrets: { ...secrets } }, members);
}
const unpause = (id: number) => service.call('PATCH', `/v1/destination/${id}`, { paused: false });

/** The first asset only: one of 20 MiB, which is sent in parts where a kind has them. */
async function queue(destinationId: number): Promise<number> {
  const [asset] = service.assets;
  const body = { destination_id: destinationId, media_ids: [asset?.id] };
  return (await service.call('POST', '/v1/delivery', body))['deliveries'][0].id;
}

/** Afterwards: delivered once, by its own name, whole, with one event, and with nothing beside it. */
async function expectDelivered(id: number, files: () => Promise<ReadonlyMap<string, string>>): Promise<Json> {
  await expect.poll(async () => (await delivery(id))['state'], SLOW).toBe('succeeded');
  const [asset] = service.assets;
  expect([...(await files())]).toEqual([[asset?.name, asset?.sha256]]);
  const ended = await delivery(id);
  expect(ended['receipt']).toMatchObject({ path: asset?.name, bytes: asset?.bytes, sha256: asset?.sha256 });
  const { events } = await service.call('GET', '/v1/event?types=delivery.*&limit=1000');
  const types = (events as Json[]).filter((one) => one['object'].id === id).map((one) => one['type']);
  expect(types).toEqual(['delivery.queued', 'delivery.succeeded']);
  return ended;
}

describe('a service that is killed', () => {
  const folderPlace = async (name: string) => {
    const path = join(root, name);
    await mkdir(path);
    const files = async () => {
      const names = (await readdir(path)).toSorted();
      return new Map(
        await Promise.all(names.map(async (one) => [one, sha256(await readFile(join(path, one)))] as const)),
      );
    };
    return { id: await createDestination('folder', { config: { path } }), files };
  };
  beforeAll(() => {
    // The folders of these tests lie in the temporary folder of the machine, which the service may deliver into.
    expect(root.startsWith(tmpdir())).toBe(true);
  });

  test('after a delivery was begun and before its first byte begins it again', async () => {
    const { id, files } = await folderPlace('before');
    const deliveryId = await queue(id);
    await whileBegun({ destinationId: id, deliveryId }, async (ask) => {
      await service.kill();
      expect(await files()).toEqual(new Map());
      expect(await stateIn(ask, deliveryId), 'nobody was there to say otherwise').toBe('running');
    });
    await service.restart();
    await expectDelivered(deliveryId, files);
  }, 120_000);

  test('after the file has its name and before the library knows finds it there, and sends nothing again', async () => {
    const { id, files } = await folderPlace('between');
    const deliveryId = await queue(id);
    await whileBegun({ destinationId: id, deliveryId }, async (ask, goOn) => {
      // Nothing of the library is written meanwhile: what the delivery has to say waits.
      await whileLocked('SELECT FROM organization FOR UPDATE', async () => {
        await goOn();
        await expect.poll(async () => [...(await files()).keys()], SLOW).toEqual([service.assets[0]?.name]);
        expect(await stateIn(ask, deliveryId)).toBe('running');
        await service.kill();
      });
    });
    await service.restart();
    const ended = await expectDelivered(deliveryId, files);
    expect(ended['attempts']).toMatchObject([{ error_code: null, bytes: 0 }]);
  }, 120_000);

  test('after the row is written and before its event has neither, and says both once', async () => {
    const { id, files } = await folderPlace('within');
    const deliveryId = await queue(id);
    await whileBegun({ destinationId: id, deliveryId }, async (ask, goOn) => {
      await whileLocked('LOCK TABLE change IN EXCLUSIVE MODE', async () => {
        await goOn();
        await expect.poll(() => waiting(ask, 'INSERT INTO change'), SLOW).toBeGreaterThan(0);
        expect([...(await files()).keys()]).toEqual([service.assets[0]?.name]);
        await service.kill();
      });
    });
    await service.restart();
    await expectDelivered(deliveryId, files);
  }, 120_000);
});

type Place = {
  readonly kind: string;
  readonly proxy: CuttingProxy;
  readonly config: object;
  readonly secrets: object;
  /** The request that gives the file its name. */
  readonly names: { readonly method: string; readonly url: RegExp };
  files(): Promise<ReadonlyMap<string, string>>;
  close(): Promise<void>;
};

async function startWebdav(): Promise<Place> {
  const server = await startWebdavServer();
  const proxy = await startCuttingProxy(server);
  const { user, password } = server;
  const url = `http://127.0.0.1:${server.port}`;
  const headers = { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
  return {
    kind: 'webdav',
    proxy,
    config: { url: `http://127.0.0.1:${proxy.port}`, user, insecure: true },
    secrets: { password },
    names: { method: 'MOVE', url: /./ },
    async files() {
      const text = await (await fetch(url, { method: 'PROPFIND', headers: { ...headers, Depth: '1' } })).text();
      const hrefs = [...text.matchAll(/<D:href>\/([^<]+)<\/D:href>/g)].map(([, href]) => href ?? '');
      const load = async (href: string) =>
        Buffer.from(await (await fetch(`${url}/${href}`, { headers })).arrayBuffer());
      return new Map(await Promise.all(hrefs.map(async (href) => [href, sha256(await load(href))] as const)));
    },
    close: async () => {
      await proxy.close();
      await server.stop();
    },
  };
}

async function startS3(): Promise<Place> {
  const server = await startS3Server({ checkSignatures: false });
  const proxy = await startCuttingProxy(server);
  const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
  const endpoint = `http://127.0.0.1:${server.port}`;
  const direct = new S3Client({ region: 'us-east-1', endpoint, forcePathStyle: true, credentials, maxAttempts: 1 });
  const { bucket: Bucket } = server;
  return {
    kind: 's3',
    proxy,
    config: { bucket: Bucket, region: 'us-east-1', endpoint: `http://127.0.0.1:${proxy.port}`, path_style: true },
    secrets: { access_key_id: 'S3RVER', secret_access_key: 'S3RVER' },
    // The upload of parts is completed.
    names: { method: 'POST', url: /uploadId=/ },
    async files() {
      const { Contents = [] } = await direct.send(new ListObjectsV2Command({ Bucket }));
      const load = async (Key: string) => {
        const { Body } = await direct.send(new GetObjectCommand({ Bucket, Key }));
        return Buffer.from((await Body?.transformToByteArray()) ?? []);
      };
      return new Map(await Promise.all(Contents.map(async ({ Key = '' }) => [Key, sha256(await load(Key))] as const)));
    },
    close: async () => {
      direct.destroy();
      await proxy.close();
      await server.stop();
    },
  };
}

describe.each([
  ['a WebDAV server', missingWebdavServer(), startWebdav],
  ['an S3 store', undefined, startS3],
])('a service that is killed while it talks to %s', (_target, missing, start) => {
  test.skipIf(missing !== undefined).each(['request', 'answer'] as const)(
    `at the %s that gives the file its name delivers it once (${missing ?? 'here'})`,
    async (when) => {
      const place = await start();
      try {
        const { kind, config, secrets, names } = place;
        const id = await createDestination(kind, { config, secrets });
        const deliveryId = await queue(id);
        let killed: Promise<void> | undefined;
        const isIt = ({ method, url }: { readonly method: string; readonly url: string }) =>
          method === names.method && names.url.test(url);
        place.proxy.actOn(when, isIt, () => {
          killed = service.kill();
          return killed;
        });
        await unpause(id);
        await expect.poll(() => killed !== undefined, SLOW).toBe(true);
        await killed;
        const [asset] = service.assets;
        const named = [...(await place.files())].filter(([name]) => !name.startsWith('.'));
        // A request that was not passed on, or was: whole or absent.
        if (when === 'answer') expect(named).toEqual([[asset?.name, asset?.sha256]]);
        else for (const one of named) expect(one).toEqual([asset?.name, asset?.sha256]);
        await service.restart();
        await expectDelivered(deliveryId, () => place.files());
        const given = place.proxy.answers.filter((one) => isIt(one) && one.status < 300);
        expect(given, 'the name was given once').toHaveLength(1);
      } finally {
        await place.close();
      }
    },
    120_000,
  );
});
