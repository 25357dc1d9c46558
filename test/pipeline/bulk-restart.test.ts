import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { scopeOf } from '../../src/auth/index.ts';
import { createLogger } from '../../src/base/index.ts';
import { type Database, openDatabase } from '../../src/db/index.ts';
import { readChanges } from '../../src/library/index.ts';
import { createTestDatabase } from '../support/database.ts';
import { createServiceFolder, type RunningService, type ServiceFolder } from '../support/process.ts';
import { insertAssets } from '../support/search-library.ts';

type Body = { readonly [name: string]: any };

const ASSETS = 6000;
const closers: (() => Promise<unknown>)[] = [];
let folder: ServiceFolder;
let node: RunningService;
let env: Record<string, string>;
let db: Database;
let key: string;

beforeAll(async () => {
  const own = await createTestDatabase();
  closers.push(() => own.drop());
  folder = await createServiceFolder();
  closers.push(() => folder.remove());
  env = { DATABASE_URL: own.url, STORAGE_URL: `file://${folder.dataDir}/storage` };
  node = await folder.start(env);
  key = (await folder.firstRun()).api_key;
  const logger = createLogger({ level: 'error' });
  const connection = { connectionString: own.url };
  ({ db } = openDatabase({ connection, applicationName: 'touchline-test', maxConnections: 2, logger }));
  closers.push(() => db.destroy());
});
afterAll(async () => {
  await node.end('SIGTERM');
  for (const close of closers.toReversed()) await close();
});

async function ask(method: string, path: string, body?: object): Promise<Body> {
  const response = await fetch(node.url + path, {
    method,
    headers: { 'X-Api-Key': key, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Body;
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

test('an operation whose process was killed goes on where it was and does no asset twice', async () => {
  const organizationId = (await db.selectFrom('organization').select('id').executeTakeFirstOrThrow()).id;
  const scope = scopeOf(organizationId);
  const player = (await ask('POST', '/v1/tag', { type: 'player', label: 'Ann' }))['tag_option'].id as number;
  const ids: number[] = [];
  while (ids.length < ASSETS) {
    const rows = Array.from({ length: 1000 }, (_, n) => ({ name: `frame ${n}.jpg` }));
    ids.push(...(await insertAssets({ app: { installation: { db } }, organizationId }, rows)));
  }
  const before = (await ask('GET', '/v1/me'))['organization'].library_version as number;
  const { operation } = await ask('POST', '/v1/media/bulk', { ids, tags: { add: [player] } });
  const progress = async () => (await ask('GET', `/v1/operation/${operation.id}`))['operation'] as Body;
  await vi.waitFor(async () => expect((await progress())['done']).toBeGreaterThan(0), {
    timeout: 20_000,
    interval: 20,
  });
  await node.end('SIGKILL');
  const left = await db
    .selectFrom('bulk_item')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('status', 'is', null)
    .executeTakeFirstOrThrow();
  expect(left.count).toBeGreaterThan(0);
  expect(left.count).toBeLessThan(ASSETS);

  node = await folder.start(env);
  await vi.waitFor(async () => expect((await progress())['state']).toBe('succeeded'), {
    timeout: 60_000,
    interval: 200,
  });
  expect(await progress()).toMatchObject({ total: ASSETS, done: ASSETS, updated: ASSETS, failed: 0 });
  const versions = await db.selectFrom('asset').select('version').distinct().execute();
  expect(versions).toEqual([{ version: 2 }]);
  const changes = await readChanges(db, scope, { after: before, limit: 2 * ASSETS });
  const tagged = changes.filter((change) => change.type === 'media.tags_changed').map((change) => change.objectId);
  expect(tagged.toSorted((a, b) => a - b)).toEqual(ids);
  expect((await ask('POST', '/v1/media/search', { player, limit: 0 }))['total']).toBe(ASSETS);
}, 120_000);
