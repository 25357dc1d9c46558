import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { scopeOf } from '../../src/auth/index.ts';
import { createLogger } from '../../src/base/index.ts';
import { listDetailFields, readVersion } from '../../src/library/index.ts';
import { type BitmapEngine, createBitmapEngine } from '../../src/search/bitmap/bitmap-engine.ts';
import { createSnapshots, type Snapshots } from '../../src/search/bitmap/snapshot/snapshots.ts';
import type { EngineRequest, FacetRequest, SearchEngine } from '../../src/search/engine.ts';
import type { DetailTest, TestedField } from '../../src/search/filter/detail-test.ts';
import type { Filter } from '../../src/search/filter/filter-tree.ts';
import { createFreshness, createPostgresEngine, type Freshness } from '../../src/search/index.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { createPlainTagWords } from '../support/plain-tag-words.ts';
import { DETAIL_FIELDS, fieldValues } from '../support/search-details.ts';
import { insertAssets } from '../support/search-library.ts';

/** The index in memory follows what becomes of the organization's own fields and of their values. */
let service: TestApp;
let freshness: Freshness;
let postgres: SearchEngine;
let engine: BitmapEngine;
/** Searches that the index left to PostgreSQL. */
let detours = 0;
const closers: (() => Promise<unknown>)[] = [];
const scope = () => scopeOf(service.organizationId);

const everything: Filter = { kind: 'all', filters: [] };
const requestOf = (filter: Filter, facets: readonly FacetRequest[] = []): EngineRequest => ({
  filter,
  facets,
  limit: 200,
  offset: 0,
  after: undefined,
  sort: { field: 'created_at', descending: true },
  tagWords: createPlainTagWords([]),
});

/** An engine that reads every library in a thread. */
async function openEngine(snapshots?: Snapshots): Promise<{ opened: BitmapEngine; log: () => string }> {
  const lines: string[] = [];
  const { db, connection } = service.app.installation;
  const opened = createBitmapEngine({
    db,
    connection,
    applicationName: 'touchline-test',
    freshness,
    whileLoading: {
      search(...asked) {
        detours += 1;
        return postgres.search(...asked);
      },
      searchActions(...asked) {
        detours += 1;
        return postgres.searchActions(...asked);
      },
    },
    snapshots,
    maxBytes: 2 ** 30,
    logger: createLogger({ level: 'debug', destination: { write: (line) => void lines.push(line) } }),
    smallLibrary: 0,
  });
  closers.push(() => opened.close());
  await loaded(opened);
  return { opened, log: () => lines.join('') };
}

async function loaded(one: BitmapEngine): Promise<void> {
  await one.search(scope(), requestOf(everything));
  await vi.waitFor(() => expect(one.stats().length).toBe(1), { timeout: 20_000 });
}

beforeAll(async () => {
  service = await startApp({ SEARCH_ENGINE: 'postgres' });
  closers.push(() => service.close());
  const { db } = service.app.installation;
  freshness = createFreshness({ db, logger: createLogger({ level: 'error' }) });
  closers.push(() => freshness.close());
  postgres = createPostgresEngine(db);
  const rows = fc.sample(fieldValues(), { numRuns: 60, seed: 11 });
  await insertAssets(
    service,
    rows.map((details) => ({ details: { ...details, grade: Object.keys(details).length } })),
  );
  ({ opened: engine } = await openEngine());
});
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});
beforeEach(() => {
  detours = 0;
});

async function define(field: object): Promise<number> {
  const answer = await service.call('POST', '/v1/detail-field', { body: { label: 'A field', ...field } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body['detail_field'].id;
}

async function edit(id: number, body: object): Promise<void> {
  const answer = await service.call('PATCH', `/v1/detail-field/${id}`, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}

async function write(details: object): Promise<number> {
  const [id = 0] = await insertAssets(service, [{ name: 'written.jpg' }]);
  const answer = await service.call('PATCH', `/v1/media/${id}`, { body: { details } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return id;
}

async function fieldOf(key: string): Promise<TestedField> {
  const found = (await listDetailFields(service.app.installation.db, scope())).find((field) => field.key === key);
  if (!found) throw new RangeError(`expected a field ${key}`);
  return { id: found.id, key: found.key, type: found.type };
}

/** What the index answers at the library's present version, which is what PostgreSQL answers. */
async function ask(key: string, test: DetailTest, one: SearchEngine = engine) {
  const detail = await fieldOf(key);
  const filter: Filter = { kind: 'all', filters: [{ kind: 'detail', detail, test }] };
  const counts = detail.type === 'choice' || detail.type === 'list';
  const request = requestOf(filter, counts ? [{ field: 'detail', detail, limit: 10, filter: everything }] : []);
  const version = await readVersion(service.app.installation.db, scope());
  const answer = await one.search(scope(), { ...request, version });
  expect(answer).toEqual(await postgres.search(scope(), request));
  const ofActions = {
    ...request,
    filter: { kind: 'exists', field: 'status', exists: true } as const,
    media: filter,
    homeOnly: true,
    facets: [],
    sort: { field: 'start_ms', descending: true } as const,
  };
  expect(await one.searchActions(scope(), { ...ofActions, version })).toMatchObject({ ids: [], total: 0 });
  return answer.total;
}

const present: DetailTest = { kind: 'exists', exists: true };
const is = (...values: (string | number | Date)[]): DetailTest => ({ kind: 'compare', comparison: 'in', values });

test('values that were there before their field are found in memory once it is defined', async () => {
  for (const field of DETAIL_FIELDS) {
    await define(field);
    expect(await ask(field.key, present)).toBeGreaterThan(10);
  }
  await define({ key: 'grade', type: 'number' });
  expect(await ask('grade', { kind: 'compare', comparison: 'gte', values: [0] })).toBe(60);
  await write({ grade: 41, desk: 'news', clients: ['zz'] });
  expect(await ask('grade', is(41))).toBe(1);
  expect(await ask('clients', { kind: 'any', texts: ['zz'] })).toBe(1);
  expect(detours).toBe(0);
});

test('a field that comes back under its key with another type has its new values only', async () => {
  const { id } = await fieldOf('grade');
  expect((await service.call('DELETE', `/v1/detail-field/${id}?values=remove`)).status).toBe(204);
  await define({ key: 'grade', type: 'text' });
  expect(await ask('grade', present)).toBe(0);
  await write({ grade: '41' });
  expect(await ask('grade', is('41'))).toBe(1);
  expect(await ask('grade', { kind: 'contains', text: '4' })).toBe(1);
  expect(detours).toBe(0);
});

test('a type that changes and values written right after it are taken in together', async () => {
  const id = await define({ key: 'fee', type: 'text' });
  expect(await ask('fee', present)).toBe(0);
  await edit(id, { type: 'number' });
  await write({ fee: 12.5 });
  expect(await ask('fee', { kind: 'compare', comparison: 'gt', values: [12] })).toBe(1);
  expect(detours).toBe(0);
});

test('a field that is searchable again has what was written meanwhile', async () => {
  const { id } = await fieldOf('fee');
  await edit(id, { searchable: false });
  await write({ fee: 13 });
  await engine.search(scope(), requestOf(everything));
  await edit(id, { searchable: true });
  expect(await ask('fee', { kind: 'compare', comparison: 'gt', values: [12] })).toBe(2);
  expect(detours).toBe(0);
});

test('a part of texts of which one is too long to be kept is looked for in PostgreSQL, all else in memory', async () => {
  const long = `${'x'.repeat(2000)} needle`;
  await write({ note: long });
  expect(await ask('note', is('goal', 'Goal'))).toBeGreaterThan(0);
  expect(await ask('note', { kind: 'compare', comparison: 'ne', values: ['goal'] })).toBeGreaterThan(10);
  expect(await ask('note', present)).toBeGreaterThan(10);
  expect(detours).toBe(0);
  expect(await ask('note', { kind: 'contains', text: 'NEEDLE' })).toBe(1);
  expect(await ask('note', is(long))).toBe(1);
  // A search over assets and one over actions each.
  expect(detours).toBe(4);
});

test('a snapshot keeps the values, and fields that were defined since it was written are taken in', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'touchline-details-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  const logger = createLogger({ level: 'error' });
  const open = () => openEngine(createSnapshots({ folder, logger }));
  const first = await open();
  await vi.waitFor(() => expect(first.log()).toContain('search_index.snapshot'), { timeout: 20_000 });
  await first.opened.close();
  await define({ key: 'shift', type: 'choice', choices: ['day', 'night'] });
  await write({ shift: 'night' });
  const second = await open();
  detours = 0;
  expect(await ask('shift', is('night'), second.opened)).toBe(1);
  expect(await ask('desk', is('news'), second.opened)).toBeGreaterThan(0);
  expect(await ask('clients', { kind: 'all', texts: ['a'] }, second.opened)).toBeGreaterThan(0);
  expect(detours).toBe(0);
  // It was read, not made anew: that would have been written by the end.
  await second.opened.close();
  expect(second.log()).not.toContain('search_index.snapshot"');
});

test('a field over values of thousands of assets is left to PostgreSQL until the index is loaded anew', async () => {
  await insertAssets(
    service,
    Array.from({ length: 2100 }, (_, n) => ({ details: { rights: n % 2 === 0 ? 'ours' : 'theirs' } })),
  );
  await loaded(engine);
  await define({ key: 'rights', type: 'text' });
  detours = 0;
  expect(await ask('rights', is('ours'))).toBe(1050);
  expect(detours).toBeGreaterThan(0);
  await loaded(engine);
  detours = 0;
  expect(await ask('rights', is('ours'))).toBe(1050);
  expect(await ask('rights', { kind: 'contains', text: 'OUR' })).toBe(1050);
  expect(detours).toBe(0);
});
