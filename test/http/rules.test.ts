import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { createTag, plainPhoto, pointersOf } from '../support/library.ts';
import { expectProblem } from '../support/problem.ts';
import { startWebhookReceiver, verified, type WebhookReceiver } from '../support/servers/webhook-receiver.ts';

// Several uploads that are processed, on a machine that does other things too.
vi.setConfig({ testTimeout: 120_000 });
const SLOW = { timeout: 60_000, interval: 50 } as const;
let service: TestApp;
let receiver: WebhookReceiver;
let root: string;
let player: number;
let other: number;
let match: number;
let sent: number;
let seed = 0;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'touchline-rules-'));
  receiver = await startWebhookReceiver();
  service = await startApp({ DELIVERY_FOLDERS: root, OUTBOUND_ALLOW: `127.0.0.1:${receiver.port}` });
  player = await createTag(service, { type: 'player', label: 'Ten' });
  other = await createTag(service, { type: 'player', label: 'Nine' });
  const home = await createTag(service, { type: 'club', label: 'Home' });
  match = await createTag(service, { type: 'match', label: 'Derby', relations: { home } });
  sent = await createTag(service, { type: 'tag', label: 'sent' });
});
afterAll(async () => {
  await service.close();
  await receiver.close();
  await rm(root, { recursive: true, force: true });
});
// A rule that a failed test leaves behind would run on what the next one does.
afterEach(async () => {
  const { body } = await service.call('GET', '/v1/rule?limit=200');
  for (const { id } of body['rules'] as Json[]) await deleteRule(id);
});

async function post(path: string, body: object): Promise<Json> {
  const answer = await service.call('POST', path, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}

async function createFolder(name: string): Promise<number> {
  const path = join(root, name);
  await mkdir(path, { recursive: true });
  const body = { name, kind: 'folder', config: { path }, path_template: '{media.name}.{media.ext}' };
  return (await post('/v1/destination', body))['destination'].id;
}

const createRule = async (body: object): Promise<Json> => (await post('/v1/rule', body))['rule'];
const readRule = async (id: number): Promise<Json> => (await service.call('GET', `/v1/rule/${id}`)).body['rule'];
const readRuns = async (id: number): Promise<Json[]> =>
  (await service.call('GET', `/v1/rule/${id}/run?limit=200`)).body['runs'];
const deleteRule = (id: number) => service.call('DELETE', `/v1/rule/${id}`);

async function upload(name: string, metadata: object = {}): Promise<number> {
  seed += 1;
  const { body } = await service.upload(await plainPhoto(seed), { name, metadata });
  expect(body['media'], JSON.stringify(body)).toMatchObject({ status: 'ready' });
  return body['media'].id;
}
const changeTags = (id: number, body: object) => post(`/v1/media/${id}/tag`, body);
const tagsOf = async (id: number): Promise<number[]> =>
  (await service.call('GET', `/v1/media/${id}`)).body['media'].tag_options.map((one: Json) => one['id']);

describe('photos of a player in a match', () => {
  test('go to the folder of the agency once, and are tagged and set free', async () => {
    const destination = await createFolder('agency');
    const rule = await createRule({
      name: 'Ten in the derby',
      on: ['media.ready', 'media.tags_changed'],
      filter: { player, match },
      then: [
        { do: 'deliver', destination_id: destination },
        { do: 'add_tags', tag_option_ids: [sent] },
        { do: 'set_usage', usage: 'approved' },
      ],
    });
    expect(rule).toMatchObject({ enabled: true, status: 'active', matched: 0, version: 1 });
    const tagged = await upload('one.jpg', { tag_options: [player, match] });
    const later = await upload('two.jpg', { tag_options: [match] });
    await upload('three.jpg', { tag_options: [other, match] });
    await changeTags(later, { add: [player] });
    await expect.poll(() => readdir(join(root, 'agency')), SLOW).toEqual(['one.jpg', 'two.jpg']);
    await expect.poll(() => tagsOf(later), SLOW).toContain(sent);
    expect(await tagsOf(tagged)).toContain(sent);
    const runs = await readRuns(rule['id']);
    expect(runs.map((run) => [run['media_id'], run['state'], run['event'].type])).toEqual([
      [later, 'succeeded', 'media.tags_changed'],
      [tagged, 'succeeded', 'media.ready'],
    ]);
    expect(runs[1]?.['steps']).toMatchObject([
      { do: 'deliver', status: 'done', deliveries: [{ quality: 'photographer', state: 'queued', path: 'one.jpg' }] },
      { do: 'add_tags', status: 'done', tag_option_ids: [sent] },
      { do: 'set_usage', status: 'unchanged' },
    ]);
    expect(await readRule(rule['id'])).toMatchObject({ matched: 2, failed: 0, last_error: null });
    const { body } = await service.call('GET', '/v1/event?types=media.tags_changed');
    const caused = (body['events'] as Json[]).filter((event) => event['data'].caused_by);
    expect(caused.map((event) => event['data'].caused_by)).toEqual([
      { rule_id: rule['id'], depth: 1 },
      { rule_id: rule['id'], depth: 1 },
    ]);
    await deleteRule(rule['id']);
  });
});

/** Whether everything that has happened so far was followed. */
async function settled(): Promise<void> {
  const { db } = service.app.installation;
  const { body } = await service.call('GET', '/v1/event?limit=1');
  expect(body['events'].length).toBeGreaterThan(0);
  const row = await db.selectFrom('organization').select('version').executeTakeFirstOrThrow();
  const position = () => db.selectFrom('rule_position').select('version').executeTakeFirstOrThrow();
  const isThere = async () => {
    const { version } = await position();
    if (version >= row.version) return true;
    const later = await db
      .selectFrom('change')
      .select('type')
      .where('version', '>', version)
      .where('version', '<=', row.version)
      .where('type', '~', '^(media|action)[.]')
      .execute();
    return later.length === 0;
  };
  await expect.poll(isThere, SLOW).toBe(true);
}

const tagging = (id: number) => ({ do: 'add_tags', tag_option_ids: [id] });
let labels = 0;
async function newTag(): Promise<number> {
  labels += 1;
  return createTag(service, { type: 'tag', label: `label ${labels}` });
}

describe('a rule', () => {
  test('is created, read, listed, changed by a merge patch and deleted', async () => {
    const tag = await newTag();
    const body = { name: 'CRUD', on: ['media.restored'], filter: { player, rating: 5 }, then: [tagging(tag)] };
    const created = await service.call('POST', '/v1/rule', { body });
    expect(created.status).toBe(201);
    expect(created.headers.get('etag')).toBe('"v1"');
    const { id } = created.body['rule'];
    const path = `/v1/rule/${id}`;
    expect(created.body['rule']).toMatchObject({ ...body, enabled: true, created_by: 'test', last_run_at: null });
    expect((await service.call('GET', path)).body).toEqual(created.body);
    expect((await service.call('GET', '/v1/rule')).body['rules']).toContainEqual(created.body['rule']);
    const patch = { name: 'Changed', filter: { rating: null, usage: 'raw' }, enabled: false };
    const changed = await service.call('PATCH', path, { body: patch, headers: { 'If-Match': '"v1"' } });
    expect(changed.body['rule']).toMatchObject({
      name: 'Changed',
      filter: { player, usage: 'raw' },
      status: 'disabled',
      version: 2,
    });
    expectProblem(
      await service.call('PATCH', path, { body: patch, headers: { 'If-Match': '"v1"' } }),
      'precondition_failed',
    );
    expect((await deleteRule(id)).status).toBe(204);
    expectProblem(await service.call('GET', path), 'not_found');
    const { body: feed } = await service.call('GET', '/v1/event?types=rule.created,rule.updated,rule.deleted');
    const types = (feed['events'] as Json[]).filter((event) => event['object'].id === id).map((event) => event['type']);
    expect(types).toEqual(['rule.created', 'rule.updated', 'rule.deleted']);
  });

  test.each([
    [{ then: [{ do: 'deliver', destination_id: 9999 }] }, '/then/0/destination_id'],
    [{ then: [tagging(1), { do: 'webhook', webhook_id: 9999 }] }, '/then/1/webhook_id'],
    [{ then: [{ do: 'remove_tags', tag_option_ids: [999_999] }] }, '/then/0/tag_option_ids'],
    [{ then: [{ do: 'set_usage', usage: 'embargoed' }] }, '/then/0/usage_at'],
    [{ then: [{ do: 'set_usage', usage: 'free' }] }, '/then/0/usage'],
    [{ then: [{ do: 'add_tags', tag_option_ids: [1], loud: true }] }, '/then/0/loud'],
    [{ then: [{ do: 'shout' }] }, '/then/0/do'],
    [{ then: [] }, '/then'],
    [{ then: [{ do: 'clip' }] }, '/on'],
    [{ on: ['media.exploded'] }, '/on/0'],
    [{ filter: { player: 999_999 } }, '/filter/player'],
    [{ filter: { colour: 'red' } }, '/filter/colour'],
  ])('that cannot work is refused where its fault is: %j', async (members, pointer) => {
    const body = { name: 'Bad', on: ['media.ready'], then: [{ do: 'set_usage', usage: 'raw' }], ...members };
    const answer = await service.call('POST', '/v1/rule', { body });
    expect(answer.status).toBe(400);
    expect(pointersOf(answer)).toContain(pointer);
  });

  test('needs the scope admin to be made, and delivery.run to be read', async () => {
    const reader = await service.createKey({ scopes: ['delivery.run'] });
    const body = { name: 'No', on: ['media.ready'], then: [{ do: 'set_usage', usage: 'raw' }] };
    expectProblem(await service.call('POST', '/v1/rule', { body, key: reader }), 'scope_missing');
    expect((await service.call('GET', '/v1/rule', { key: reader })).status).toBe(200);
    const other = await service.createKey({ scopes: ['media.read'] });
    expectProblem(await service.call('GET', '/v1/rule', { key: other }), 'scope_missing');
  });

  test('runs after those before it, on the asset as all of them found it', async () => {
    const [first, second, third] = [await newTag(), await newTag(), await newTag()];
    const on = ['media.updated'];
    const a = await createRule({ name: 'A', on, then: [tagging(first), tagging(second)] });
    const b = await createRule({ name: 'B', on, filter: { none: [{ tag_options: [first] }] }, then: [tagging(third)] });
    const id = await upload('order.jpg');
    await service.call('PATCH', `/v1/media/${id}`, { body: { rating: 1 } });
    await settled();
    expect(await tagsOf(id)).toEqual(expect.arrayContaining([first, second, third]));
    await service.call('PATCH', `/v1/media/${id}`, { body: { rating: 2 } });
    await settled();
    expect((await readRuns(a['id'])).map((run) => run['steps'].map((step: Json) => step['status']))).toEqual([
      ['unchanged', 'unchanged'],
      ['done', 'done'],
    ]);
    expect(await readRuns(b['id'])).toHaveLength(1);
    for (const rule of [a, b]) await deleteRule(rule['id']);
  });

  test('does not run on what it changed itself, nor on what happened before it', async () => {
    const tag = await newTag();
    const id = await upload('before.jpg');
    const rule = await createRule({
      name: 'Toggle',
      on: ['media.updated', 'media.tags_changed'],
      then: [tagging(tag), { do: 'set_usage', usage: 'raw' }],
    });
    await settled();
    expect(await readRuns(rule['id'])).toEqual([]);
    await service.call('PATCH', `/v1/media/${id}`, { body: { rating: 3 } });
    await settled();
    await settled();
    expect(await readRuns(rule['id'])).toHaveLength(1);
    await deleteRule(rule['id']);
  });

  test('ends after five rules when two undo what the other does', async () => {
    const tag = await newTag();
    const on = ['media.tags_changed', 'media.updated'];
    const puts = await createRule({
      name: 'Puts',
      on,
      filter: { none: [{ tag_options: [tag] }] },
      then: [tagging(tag)],
    });
    const takes = await createRule({
      name: 'Takes',
      on,
      filter: { tag_options: [tag] },
      then: [{ do: 'remove_tags', tag_option_ids: [tag] }],
    });
    const id = await upload('loop.jpg');
    await service.call('PATCH', `/v1/media/${id}`, { body: { rating: 3 } });
    await expect
      .poll(async () => [...(await readRuns(puts['id'])), ...(await readRuns(takes['id']))].length, SLOW)
      .toBe(6);
    await settled();
    const runs = [...(await readRuns(puts['id'])), ...(await readRuns(takes['id']))];
    expect(runs.map((run) => run['depth'] as number).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5]);
    const last = runs.find((run) => run['depth'] === 5);
    expect(last).toMatchObject({ state: 'failed', failure: { code: 'rule_loop' }, steps: [] });
    for (const rule of [puts, takes]) await deleteRule(rule['id']);
  });

  test('is paused when it runs on one asset too often, and runs again when it is enabled', async () => {
    const rule = await createRule({ name: 'Often', on: ['media.updated'], then: [{ do: 'set_usage', usage: 'raw' }] });
    const id = await upload('often.jpg');
    for (let n = 0; n < 32; n += 1) {
      await service.call('PATCH', `/v1/media/${id}`, { body: { details: { caption: `caption ${n}` } } });
    }
    await expect.poll(async () => (await readRule(rule['id']))['status'], SLOW).toBe('paused');
    const paused = await readRule(rule['id']);
    expect(paused).toMatchObject({ failure: { code: 'rule_loop' }, enabled: true });
    expect((await readRuns(rule['id']))[0]).toMatchObject({ state: 'failed', failure: { code: 'rule_loop' } });
    expect(await readRuns(rule['id'])).toHaveLength(31);
    const { body } = await service.call('GET', '/v1/event?types=rule.paused');
    expect(body['events']).toMatchObject([{ object: { kind: 'rule', id: rule['id'] }, data: { code: 'rule_loop' } }]);
    const again = await service.call('PATCH', `/v1/rule/${rule['id']}`, { body: { enabled: true } });
    expect(again.body['rule']).toMatchObject({ status: 'active', failure: null });
    await deleteRule(rule['id']);
  });

  test('is broken when its destination goes, says so, and runs again when it gets another one', async () => {
    const destination = await createFolder('going');
    const rule = await createRule({
      name: 'Breaks',
      on: ['media.updated'],
      then: [
        { do: 'deliver', destination_id: destination },
        { do: 'set_usage', usage: 'raw' },
      ],
    });
    const id = await upload('breaks.jpg');
    await service.call('DELETE', `/v1/destination/${destination}`);
    await expect.poll(async () => (await readRule(rule['id']))['status'], SLOW).toBe('broken');
    expect(await readRule(rule['id'])).toMatchObject({
      failure: { reason: expect.stringContaining('/then/0/destination_id') },
      matched: 0,
    });
    const { body: feed } = await service.call('GET', '/v1/event?types=rule.broken');
    expect(feed['events']).toMatchObject([{ object: { id: rule['id'] } }]);
    const refused = await service.call('PATCH', `/v1/rule/${rule['id']}`, { body: { enabled: true } });
    expect(pointersOf(refused)).toEqual(['/then/0/destination_id']);
    const then = [{ do: 'deliver', destination_id: await createFolder('instead') }];
    const mended = await service.call('PATCH', `/v1/rule/${rule['id']}`, { body: { then } });
    expect(mended.body['rule']).toMatchObject({ status: 'active', failure: null });
    await service.call('PATCH', `/v1/media/${id}`, { body: { rating: 2 } });
    await expect.poll(() => readdir(join(root, 'instead')), SLOW).toEqual(['breaks.jpg']);
    await deleteRule(rule['id']);
  });

  test('is broken by the run that finds its webhook gone', async () => {
    const { webhook } = await post('/v1/webhook', { name: 'Gone', url: `${receiver.url}/gone`, types: ['clip.ready'] });
    const rule = await createRule({
      name: 'Untold',
      on: ['media.updated'],
      then: [
        { do: 'webhook', webhook_id: webhook.id },
        { do: 'set_usage', usage: 'raw' },
      ],
    });
    const id = await upload('untold.jpg');
    await service.call('DELETE', `/v1/webhook/${webhook.id}`);
    await service.call('PATCH', `/v1/media/${id}`, { body: { rating: 1 } });
    await expect.poll(async () => (await readRule(rule['id']))['status'], SLOW).toBe('broken');
    const runs = await readRuns(rule['id']);
    // The sweep may have been there before.
    if (runs.length > 0) {
      expect(runs).toMatchObject([{ state: 'failed', steps: [{ do: 'webhook', status: 'failed' }] }]);
    }
    expect((await service.call('GET', `/v1/media/${id}`)).body['media'].usage).toBe('approved');
    await deleteRule(rule['id']);
  });

  test('that fails for no known reason is broken after three tries, and holds up no other', async () => {
    const tag = await newTag();
    const on = ['media.updated'];
    const bad = await createRule({ name: 'Bad', on, then: [tagging(tag)] });
    const good = await createRule({ name: 'Good', on, then: [tagging(tag)] });
    const steps = JSON.stringify([{ do: 'add_tags', tag_option_ids: ['not a number'] }]);
    const { db } = service.app.installation;
    await db.updateTable('rule').set({ steps }).where('id', '=', bad['id']).execute();
    const id = await upload('unlucky.jpg');
    await service.call('PATCH', `/v1/media/${id}`, { body: { rating: 1 } });
    await expect.poll(() => tagsOf(id), { timeout: 60_000, interval: 200 }).toContain(tag);
    expect(await readRule(bad['id'])).toMatchObject({ status: 'broken', failure: { code: 'internal' } });
    expect(await readRuns(good['id'])).toHaveLength(1);
    for (const rule of [bad, good]) await deleteRule(rule['id']);
  });

  test('delivers nothing that is not free for use, and does not go on then', async () => {
    const tag = await newTag();
    const destination = await createFolder('restricted');
    const rule = await createRule({
      name: 'Restricted',
      on: ['media.updated'],
      then: [{ do: 'deliver', destination_id: destination }, tagging(tag)],
    });
    const id = await upload('secret.jpg');
    await service.call('PATCH', `/v1/media/${id}`, { body: { usage: 'limited' } });
    await expect.poll(async () => (await readRuns(rule['id'])).length, SLOW).toBe(1);
    expect(await readRuns(rule['id'])).toMatchObject([
      {
        state: 'stopped',
        failure: { code: 'media_restricted' },
        steps: [{ do: 'deliver', status: 'skipped', deliveries: [{ state: 'skipped' }] }],
      },
    ]);
    expect(await tagsOf(id)).not.toContain(tag);
    await service.call('PATCH', `/v1/media/${id}`, { body: { usage: 'approved' } });
    await expect.poll(() => tagsOf(id), SLOW).toContain(tag);
    await deleteRule(rule['id']);
  });

  test('tells a webhook, and no other one', async () => {
    const hook = async (path: string) =>
      post('/v1/webhook', { name: path, url: receiver.url + path, types: ['clip.ready'] });
    const told = await hook('/told');
    await hook('/untold');
    const rule = await createRule({
      name: 'Tells',
      on: ['media.updated'],
      then: [{ do: 'webhook', webhook_id: told['webhook'].id }],
    });
    const id = await upload('told.jpg');
    await service.call('PATCH', `/v1/media/${id}`, { body: { rating: 1 } });
    await expect.poll(() => receiver.received('/told').length, SLOW).toBe(1);
    const [received] = receiver.received('/told');
    expect(received && verified(received, told['secret'])).toMatchObject({
      type: 'rule.matched',
      data: {
        object: { kind: 'rule', id: rule['id'] },
        data: { media_id: id, event: { type: 'media.updated' }, webhook_id: told['webhook'].id },
      },
    });
    expect(receiver.received('/untold')).toEqual([]);
    await deleteRule(rule['id']);
  });
});

describe('a dry run', () => {
  test('says what then happens, and writes nothing', async () => {
    const tag = await newTag();
    const destination = await createFolder('dry');
    const ids = [await upload('dry 1.jpg'), await upload('dry 2.jpg', { usage: 'limited' }), await upload('dry 3.jpg')];
    await changeTags(ids[2] ?? 0, { add: [tag] });
    const rule = await createRule({
      name: 'Dry',
      enabled: false,
      on: ['media.updated'],
      filter: { name: 'dry ' },
      then: [{ do: 'deliver', destination_id: destination }, tagging(tag)],
    });
    const version = async () => (await service.call('GET', '/v1/event?limit=1')).body;
    const before = await version();
    const dry = await post(`/v1/rule/${rule['id']}/dry_run`, { media_ids: ids });
    expect(await version()).toEqual(before);
    expect(await readdir(join(root, 'dry'))).toEqual([]);
    expect(dry['looked']).toBe(3);
    expect(dry['runs']).toMatchObject([
      {
        media_id: ids[0],
        state: 'succeeded',
        event: null,
        steps: [{ status: 'done', deliveries: [{ id: null }] }, {}],
      },
      { media_id: ids[1], state: 'stopped', failure: { code: 'media_restricted' } },
      {
        media_id: ids[2],
        state: 'succeeded',
        steps: [{ status: 'done' }, { status: 'unchanged', tag_option_ids: [] }],
      },
    ]);
    await service.call('PATCH', `/v1/rule/${rule['id']}`, { body: { enabled: true } });
    for (const id of ids) await service.call('PATCH', `/v1/media/${id}`, { body: { rating: 4 } });
    await expect.poll(async () => (await readRuns(rule['id'])).length, SLOW).toBe(3);
    const plain = (run: Json) =>
      JSON.parse(JSON.stringify(run['steps'], (name, value) => (name === 'id' ? null : value)));
    const runs = await readRuns(rule['id']);
    expect(runs.toReversed().map(plain)).toEqual((dry['runs'] as Json[]).map(plain));
    await deleteRule(rule['id']);
  });

  test('tells of a rule that is not made what it tells once it is made', async () => {
    const destination = await createFolder('draft');
    const id = await upload('draft 1.jpg');
    const rule = {
      on: ['media.ready'],
      filter: { name: 'draft ' },
      then: [{ do: 'deliver', destination_id: destination }, tagging(await newTag())],
    };
    const before = (await service.call('GET', '/v1/event?limit=1')).body;
    const draft = await post('/v1/rule/dry_run', { ...rule, days: 1 });
    expect((await service.call('GET', '/v1/event?limit=1')).body).toEqual(before);
    expect((await service.call('GET', '/v1/rule')).body['rules']).toEqual([]);
    expect(draft['runs']).toMatchObject([{ media_id: id, state: 'succeeded', event: { type: 'media.ready' } }]);
    const made = await createRule({ ...rule, name: 'Draft', enabled: false });
    expect(await post(`/v1/rule/${made['id']}/dry_run`, { days: 1 })).toEqual(draft);
    const wrong = { ...rule, then: [{ do: 'deliver', destination_id: 999_999 }] };
    expect(pointersOf(await service.call('POST', '/v1/rule/dry_run', { body: wrong }))).toEqual([
      '/then/0/destination_id',
    ]);
    const runner = await service.createKey({ scopes: ['delivery.run'] });
    expectProblem(await service.call('POST', '/v1/rule/dry_run', { key: runner, body: rule }), 'scope_missing');
  });

  test('goes through what has happened page by page', async () => {
    const rule = await createRule({
      name: 'History',
      on: ['media.ready'],
      then: [{ do: 'set_usage', usage: 'raw' }],
    });
    const path = `/v1/rule/${rule['id']}/dry_run`;
    const whole = await post(path, { days: 30, limit: 200 });
    expect(whole['next_cursor']).toBeNull();
    const pages: Json[] = [];
    for (let cursor: string | undefined; pages.length < 20; ) {
      const page = await post(path, { after: 0, limit: 3, ...(cursor !== undefined && { cursor }) });
      pages.push(...page['runs']);
      if (page['next_cursor'] === null) break;
      cursor = page['next_cursor'];
    }
    expect(pages.map((run) => run['event'].id)).toEqual((whole['runs'] as Json[]).map((run) => run['event'].id));
    expect(pages.length).toBeGreaterThan(8);
    expectProblem(await service.call('POST', path, { body: { days: 1, after: 0 } }), 'validation_failed');
    await deleteRule(rule['id']);
  });
});
