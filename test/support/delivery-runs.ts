/** Runs of deliveries, to a folder unless the test names another target, by a clock that the test moves, with faults where the test wants them. */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type LibraryScope, scopeOf } from '../../src/auth/index.ts';
import { AppError, createLogger, MINUTE_MS } from '../../src/base/index.ts';
import { type Database, openDatabase } from '../../src/db/index.ts';
import type { ChannelSession, PutOptions, PutResult } from '../../src/delivery/channel.ts';
import { createDeliveryRunner, type DeliveryRunner } from '../../src/delivery/delivery-runner.ts';
import {
  createChannels,
  type Delivery,
  type DeliveryPictures,
  type DeliveryRequest,
  type Destination,
  type DestinationFields,
  findDelivery,
  findDestination,
  insertDestination,
  listDeliveries,
  queueDeliveries,
} from '../../src/delivery/index.ts';
import { insertAsset } from '../../src/library/asset-store.ts';
import { insertOrganization, type LibraryWrite, writeLibrary } from '../../src/library/index.ts';
import { openStorage } from '../../src/storage/index.ts';
import { createTestDatabase } from './database.ts';

/** Stands in the place of a put; `next` is the put itself. */
export type PutHook = (options: PutOptions, next: (options: PutOptions) => Promise<PutResult>) => Promise<PutResult>;

export type DeliveryRuns = {
  readonly runner: DeliveryRunner;
  readonly db: Database;
  readonly scope: LibraryScope;
  readonly organizationId: number;
  readonly destinationId: number;
  readonly now: () => Date;
  advance(ms: number): void;
  moveTo(at: Date): void;
  /** Faults; both may be changed at any time. */
  readonly hooks: { open: () => void; put: PutHook; picture: () => Buffer };
  /** Jobs that were queued, in their order. */
  readonly queued: { readonly name: string; readonly startAt: Date | undefined }[];
  write<T>(work: (write: LibraryWrite) => Promise<T>): Promise<T>;
  addAsset(bytes: Buffer, name: string): Promise<number>;
  /** Queues and answers the IDs of the deliveries. */
  queue(mediaIds: readonly number[], request?: Partial<DeliveryRequest>): Promise<readonly number[]>;
  /** One run of the job. */
  run(signal?: AbortSignal): Promise<void>;
  /** Runs, and moves the clock to the next queued run, until nothing is queued; answers how often. */
  runToTheEnd(most?: number): Promise<number>;
  delivery(id: number): Promise<Delivery>;
  deliveries(): Promise<readonly Delivery[]>;
  destination(): Promise<Destination>;
  /** Names of all files at the target, with those that are on their way. */
  files(): Promise<readonly string[]>;
  events(): Promise<readonly { readonly type: string; readonly objectId: number; readonly data: object }[]>;
  close(): Promise<void>;
};

const FIELDS: Omit<DestinationFields, 'config'> = {
  name: 'target',
  pathTemplate: '{media.name}.{media.ext}',
  collision: 'overwrite',
  qualities: ['photographer'],
  sidecar: 'none',
  embedMetadata: false,
  concurrency: 1,
  bandwidthLimit: null,
  window: null,
  paused: false,
  rendition: null,
};
const none = () => Promise.reject(new AppError('capability_missing', 'not in this test'));

export type DeliveryRunsTarget = {
  readonly kind: string;
  readonly config: DestinationFields['config'];
  readonly secrets: Readonly<Record<string, unknown>>;
};

export async function createDeliveryRuns(
  fields: Partial<DestinationFields> = {},
  other?: DeliveryRunsTarget,
): Promise<DeliveryRuns> {
  const database = await createTestDatabase();
  const logger = createLogger({ level: 'silent' });
  const { db, pool } = openDatabase({
    connection: { connectionString: database.url },
    applicationName: 'delivery runs',
    maxConnections: 6,
    logger,
  });
  const folder = await mkdtemp(join(tmpdir(), 'touchline-runs-'));
  const target = join(folder, 'target');
  await mkdir(target);
  const storage = await openStorage(pathToFileURL(join(folder, 'storage')), { tempDirectory: folder, logger });
  const organizationId = (await insertOrganization(db, { slug: 'club', name: 'Club' })).id;
  const scope = scopeOf(organizationId);
  const channels = createChannels({ folders: [folder] });
  const { kind, config, secrets } = other ?? { kind: 'folder', config: { path: target }, secrets: {} };
  const channel = channels.get(kind);
  if (!channel) throw new Error(`no channel of the kind ${kind}`);

  // The database sets its own time where rows are made: never behind it.
  let nowMs = Date.now() + MINUTE_MS;
  const now = () => new Date(nowMs);
  const advance = (ms: number) => {
    nowMs += ms;
  };
  const queued: { readonly name: string; readonly startAt: Date | undefined }[] = [];
  const jobs = {
    enqueue: async (_tx: unknown, name: string, _payload: unknown, options?: { readonly startAt: Date }) => {
      queued.push({ name, startAt: options?.startAt });
    },
  };
  const hooks: DeliveryRuns['hooks'] = {
    open: () => {},
    put: (options, next) => next(options),
    picture: () => Buffer.alloc(10),
  };
  const size = { width: 10, height: 10 };
  const pictures: DeliveryPictures = {
    check: async () => {},
    plan: async (_scope, { params }) => ({ ...size, extension: 'jpg', mimeType: 'image/jpeg', identity: params }),
    make: async () => {
      const bytes = hooks.picture();
      const path = join(folder, 'picture.jpg');
      await writeFile(path, bytes);
      return { ...size, path, bytes: bytes.length, mimeType: 'image/jpeg', release: () => rm(path) };
    },
  };
  const runner = createDeliveryRunner({
    db,
    storage,
    jobs,
    metadata: { embed: none, sidecar: none },
    pictures,
    open: async (_scope, destination, signal): Promise<ChannelSession> => {
      hooks.open();
      const session = await channel.open({ config: destination.config, secrets, concurrency: 1, signal });
      // Without the file that the system could copy: what is read is where tests take hold.
      const put = ({ file: _file, ...options }: PutOptions) => hooks.put(options, (given) => session.put(given));
      return { ...session, put };
    },
    clock: { now },
    wait: async (ms) => advance(ms),
    random: () => 0.5,
    logger,
  });
  const write = async <T>(work: (inside: LibraryWrite) => Promise<T>): Promise<T> =>
    (await writeLibrary(db, scope, work)).result;
  const created = await write(({ tx }) =>
    insertDestination(tx, scope, { ...FIELDS, config, ...fields, kind, sealed: null }),
  );
  const destinationId = created.id;
  const run = (signal = new AbortController().signal) => runner.run({ organizationId, destinationId }, signal);

  return {
    runner,
    db,
    scope,
    organizationId,
    destinationId,
    now,
    advance,
    moveTo: (at) => {
      nowMs = at.getTime();
    },
    hooks,
    queued,
    write,
    async addAsset(bytes, name) {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const path = join(folder, name);
      await writeFile(path, bytes);
      await storage.putFile(`originals/${sha256}`, path, { contentType: 'image/jpeg', move: true });
      const facts = { bytes: bytes.length, mimeType: 'image/jpeg' };
      return write(async ({ tx }) => {
        const asset = { ...facts, mediaType: 'photo', name, externalId: null, sha256, extension: 'jpg' } as const;
        const id = await insertAsset(tx, scope, { ...asset, urlNonce: sha256.slice(0, 22) });
        await tx.updateTable('asset').set({ status: 'ready' }).where('id', '=', id).execute();
        const file = { asset_id: id, quality: 'photographer', width: null, height: null };
        await tx
          .insertInto('asset_file')
          .values({ ...file, storage_key: `originals/${sha256}`, bytes: bytes.length, mime_type: 'image/jpeg' })
          .execute();
        return id;
      });
    },
    async queue(mediaIds, request = {}) {
      const { planned } = await write((inside) =>
        queueDeliveries({ channels, pictures, jobs, clock: { now } }, inside, {
          destinationId,
          mediaIds,
          includeRestricted: false,
          again: true,
          createdBy: 'test',
          ...request,
        }),
      );
      return planned.map(({ id }) => id);
    },
    run,
    async runToTheEnd(most = 50) {
      for (let times = 1; times <= most; times += 1) {
        await run();
        const starts = queued.flatMap(({ startAt }) => (startAt && startAt.getTime() > nowMs ? startAt.getTime() : []));
        if (starts.length === 0) return times;
        nowMs = Math.min(...starts);
      }
      throw new Error(`a run is queued after ${most} runs`);
    },
    async delivery(id) {
      const found = await findDelivery(db, scope, id);
      if (!found) throw new Error(`no delivery ${id}`);
      return found;
    },
    deliveries: async () =>
      (await listDeliveries(db, scope, { beforeId: Number.MAX_SAFE_INTEGER, limit: 1000 })).toReversed(),
    async destination() {
      const found = await findDestination(db, scope, destinationId);
      if (!found) throw new Error('no destination');
      return found;
    },
    files: async () => (await readdir(target)).toSorted(),
    events: async () =>
      db.selectFrom('change').select(['type', 'object_id as objectId', 'data']).orderBy('version').execute(),
    async close() {
      await storage.close();
      await db.destroy();
      await pool.end().catch(() => {});
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
