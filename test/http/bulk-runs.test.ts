import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scopeOf } from '../../src/auth/index.ts';
import {
  type BulkEdit,
  type BulkHooks,
  giveUpBulkOperation,
  insertBulkOperation,
  runBulkOperation,
  writeLibrary,
} from '../../src/library/index.ts';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { createTag } from '../support/library.ts';
import { insertAssets } from '../support/search-library.ts';

/** Three batches. */
const ASSETS = 450;
let service: TestApp;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());

const hooks: BulkHooks = { enqueueProcessing: () => Promise.reject(new Error('nothing here is processed')) };
const scope = () => scopeOf(service.organizationId);
const database = () => service.app.installation.db;

/** An operation that no job was queued for. */
async function prepare(edit: BulkEdit): Promise<{ readonly id: number; readonly ids: readonly number[] }> {
  const ids = await insertAssets(
    service,
    Array.from({ length: ASSETS }, (_, n) => ({ name: `frame ${n}.jpg` })),
  );
  const { result: id } = await writeLibrary(database(), scope(), (write) =>
    insertBulkOperation(write, { ids, edit, dryRun: false, createdBy: 'test' }),
  );
  return { id, ids };
}

const run = (id: number, afterBatch: () => Promise<unknown> = async () => undefined, signal?: AbortSignal) =>
  runBulkOperation(database(), scope(), {
    id,
    hooks,
    onDeleted: async () => void (await afterBatch()),
    signal: signal ?? new AbortController().signal,
  });

async function read(id: number): Promise<Json> {
  return (await service.call('GET', `/v1/operation/${id}`)).body['operation'];
}

async function versionsOf(ids: readonly number[]): Promise<readonly number[]> {
  const rows = await database()
    .selectFrom('asset')
    .select('version')
    .where('id', 'in', [...ids])
    .execute();
  return [...new Set(rows.map((row) => row.version))];
}

describe('the run of an operation', () => {
  test('beside another one does other assets', async () => {
    const player = await createTag(service, { type: 'player', label: 'Ann' });
    const { id, ids } = await prepare({ tags: { add: [player], remove: [] } });
    await Promise.all([run(id), run(id), run(id)]);
    await run(id);
    expect(await read(id)).toMatchObject({ state: 'succeeded', updated: ASSETS, unchanged: 0, done: ASSETS });
    expect(await versionsOf(ids)).toEqual([2]);
  });

  test('that was interrupted is taken up by the next one', async () => {
    const { id, ids } = await prepare({ set: { rating: 3 } });
    const stopping = new AbortController();
    const interrupted = run(id, async () => stopping.abort(new Error('stopping')), stopping.signal);
    await expect(interrupted).rejects.toThrow('stopping');
    expect(await read(id)).toMatchObject({ state: 'running', done: 200, finished_at: null });
    await run(id);
    expect(await read(id)).toMatchObject({ state: 'succeeded', updated: ASSETS });
    expect(await versionsOf(ids)).toEqual([2]);
  });

  test('stops behind the batch in which it was cancelled, and what was done stays', async () => {
    const { id, ids } = await prepare({ set: { rating: 3 } });
    const answers: Json[] = [];
    await run(id, async () => {
      if (answers.length === 0) answers.push((await service.call('DELETE', `/v1/operation/${id}`)).body);
    });
    expect(answers).toMatchObject([{ operation: { state: 'cancelled', done: 200 } }]);
    await run(id);
    expect(await read(id)).toMatchObject({ state: 'cancelled', done: 200, updated: 200, total: ASSETS });
    const waiting = await service.call('GET', `/v1/operation/${id}/result?status=waiting&limit=1000`);
    expect(waiting.body['results']).toEqual(ids.slice(200).map((one) => ({ id: one, status: 'waiting' })));
  });

  test('lets other writes in between its batches', async () => {
    const { id, ids } = await prepare({ set: { rating: 4 } });
    const last = ids.at(-1) ?? 0;
    const seen: number[] = [];
    await run(id, async () => {
      if (seen.length > 0) return;
      const answer = await service.call('PATCH', `/v1/media/${last}`, { body: { rating: 4 } });
      seen.push(answer.status);
    });
    expect(seen).toEqual([200]);
    expect(await read(id)).toMatchObject({ updated: ASSETS - 1, unchanged: 1 });
  });

  test('fails as a whole when the edit has become impossible meanwhile', async () => {
    const field = { key: 'desk', label: 'Desk', type: 'choice', choices: ['sport', 'news'] };
    const created = (await service.call('POST', '/v1/detail-field', { body: field })).body['detail_field'];
    const { id } = await prepare({ set: { details: { desk: 'sport' } } });
    let narrowed = 0;
    await run(id, async () => {
      const body = { type: 'number', choices: [] };
      narrowed = (await service.call('PATCH', `/v1/detail-field/${created.id}`, { body })).status;
    });
    // The first batch has values of the field by then.
    expect(narrowed).toBe(409);
    expect(await read(id)).toMatchObject({ state: 'succeeded' });

    const other = await prepare({ set: { details: { desk: 'culture' } } });
    await run(other.id);
    expect(await read(other.id)).toMatchObject({
      state: 'failed',
      done: 0,
      failure: expect.stringContaining('/set/details/desk'),
    });
    expect(await versionsOf(other.ids)).toEqual([1]);
  });

  test('that was given up says so, and one that had ended stays as it is', async () => {
    const { id } = await prepare({ set: { rating: 1 } });
    await giveUpBulkOperation(database(), scope(), { id, reason: 'it was interrupted' });
    expect(await read(id)).toMatchObject({ state: 'failed', failure: 'it was interrupted' });
    await giveUpBulkOperation(database(), scope(), { id, reason: 'again' });
    expect(await read(id)).toMatchObject({ state: 'failed', failure: 'it was interrupted' });
  });
});
