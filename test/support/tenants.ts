import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import sharp from 'sharp';
import { expect, vi } from 'vitest';
import type { Answer, Json, TestApp } from './app.ts';
import { insertAssets } from './search-library.ts';
import { createUpload, sendPart } from './tus.ts';

export type TagKind = 'player' | 'club' | 'stadium' | 'competition' | 'season' | 'match' | 'sponsor' | 'tag';

/** One organization's library with an object of every kind, whose names all hold `mark`. */
export type TestLibrary = {
  readonly key: string;
  readonly mark: string;
  readonly tags: Readonly<Record<TagKind, number>>;
  readonly collection: number;
  readonly savedSearch: number;
  readonly detailField: number;
  /** A bulk edit of two assets that has ended. */
  readonly operation: number;
  /** An asset with every tag, in the collection, and one beside it. */
  readonly media: Json;
  readonly otherMedia: Json;
  /** A folder below the data folder, which the setting DELIVERY_FOLDERS has to allow. */
  readonly destination: number;
  /** Of the second asset; it has succeeded. */
  readonly delivery: number;
  readonly deliveryBatch: string;
  /** Has run on the second asset. */
  readonly rule: number;
  /** Disabled, with two messages. */
  readonly webhook: number;
  readonly webhookMessage: number;
  /** A video of the match, and an action in it that names every tag. */
  readonly video: number;
  readonly action: Json;
  /** Of the action; it has failed, since the video has no bytes. */
  readonly clip: number;
  /** A resumable upload of which 3 bytes are here. */
  readonly upload: number;
  readonly apiKey: number;
  readonly imageKey: number;
  readonly imagePreset: number;
  readonly watermark: number;
  /** `next_cursor` of each list, by its path. */
  readonly cursors: Readonly<Record<string, string>>;
};

async function createTags(
  post: (path: string, body: object) => Promise<Json>,
  mark: string,
): Promise<TestLibrary['tags']> {
  const create = async (type: TagKind, members: object = {}): Promise<number> => {
    const body = { type, label: `${mark} ${type}`, external_ids: { test: type }, ...members };
    return (await post('/v1/tag', body))['tag_option'].id;
  };
  const [stadium, competition, season] = [await create('stadium'), await create('competition'), await create('season')];
  const club = await create('club', {
    relations: { stadiums: [{ stadium }], competitions: [{ competition, season }] },
  });
  const player = await create('player', { relations: { clubs: [{ club, shirt_number: 30 }] } });
  const sponsor = await create('sponsor', { relations: { clubs: [{ club }] } });
  const match = await create('match', {
    relations: { home: club, stadium, competition, season, kick_off: '2026-03-14T19:30:00Z' },
  });
  return { stadium, competition, season, club, player, sponsor, match, tag: await create('tag') };
}

/** Two destinations, and two requests with a delivery each to the first that have ended. */
async function fillDeliveries(
  service: TestApp,
  { key, mark, mediaId }: { readonly key: string; readonly mark: string; readonly mediaId: number },
): Promise<{ readonly destination: number; readonly delivery: number; readonly deliveryBatch: string }> {
  const path = join(service.dataDir, `outbox ${mark}`);
  await mkdir(path);
  const created: number[] = [];
  for (const name of [`${mark} destination`, `${mark} other destination`]) {
    const body = { name, kind: 'folder', config: { path }, path_template: '{media.name}-{quality}.{media.ext}' };
    const answer = await service.call('POST', '/v1/destination', { key, body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    created.push(answer.body['destination'].id);
  }
  const [destination = 0] = created;
  const queue = async (quality: string) => {
    const body = { destination_id: destination, media_ids: [mediaId], quality };
    const queued = await service.call('POST', '/v1/delivery', { key, body });
    expect(queued.status, JSON.stringify(queued.body)).toBe(202);
    return queued.body;
  };
  const { deliveries, batch } = await queue('photographer');
  await queue('thumbnail');
  const states = async () =>
    (await service.call('GET', '/v1/delivery', { key })).body['deliveries'].map((one: Json) => one['state']);
  await vi.waitFor(async () => expect(await states()).toEqual(['succeeded', 'succeeded']), { timeout: 20_000 });
  return { destination, delivery: deliveries[0].id, deliveryBatch: batch };
}

/** Two webhooks that are disabled; the first has two messages that were delivered. */
async function fillWebhooks(
  service: TestApp,
  { key, mark }: { readonly key: string; readonly mark: string },
): Promise<{ readonly webhook: number; readonly webhookMessage: number }> {
  const created: number[] = [];
  for (const name of [`${mark} webhook`, `${mark} other webhook`]) {
    const body = { name, url: `https://hooks.invalid/${mark}`, types: ['clip.ready'] };
    const answer = await service.call('POST', '/v1/webhook', { key, body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    const { id } = answer.body['webhook'];
    await service.call('PATCH', `/v1/webhook/${id}`, { key, body: { status: 'disabled' } });
    created.push(id);
  }
  const [webhook = 0] = created;
  const { body: me } = await service.call('GET', '/v1/me', { key });
  const outcome = { duration_ms: 1, status_code: 200, error_code: null, error: null, excerpt: `${mark} answer` };
  const attempt = { started_at: new Date().toISOString(), ...outcome };
  const messages = [1, 2].map((version) => ({
    organization_id: me['organization'].id,
    webhook_id: webhook,
    event_version: version,
    event_type: 'clip.ready',
    state: 'delivered',
    attempts: JSON.stringify([attempt]),
  }));
  const { db } = service.app.installation;
  const [first] = await db.insertInto('webhook_message').values(messages).returning('id').execute();
  return { webhook, webhookMessage: first?.id ?? 0 };
}

/** Two rules that are disabled; the first ran twice on the asset. */
async function fillRules(
  service: TestApp,
  options: { readonly key: string; readonly mark: string; readonly mediaId: number; readonly destination: number },
): Promise<{ readonly rule: number }> {
  const { key, mark, mediaId, destination } = options;
  const made: string[] = [];
  for (const name of [`${mark} rule`, `${mark} other rule`]) {
    const then = [{ do: 'deliver', destination_id: destination }];
    const body = { name, on: ['media.updated'], filter: { name: mark }, then };
    const answer = await service.call('POST', '/v1/rule', { key, body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    made.push(`/v1/rule/${answer.body['rule'].id}`);
  }
  for (const rating of [1, 2]) {
    const { status } = await service.call('PATCH', `/v1/media/${mediaId}`, { key, body: { rating } });
    expect(status).toBe(200);
  }
  for (const path of made) {
    const runs = async () => (await service.call('GET', `${path}/run`, { key })).body['runs'].length;
    await vi.waitFor(async () => expect(await runs()).toBe(2), { timeout: 20_000 });
    await service.call('PATCH', path, { key, body: { enabled: false } });
  }
  return { rule: Number(made[0]?.split('/').at(-1)) };
}

/** A bulk edit as an operation; answers it when it has ended. */
async function runOperation(
  service: TestApp,
  { key, body }: { readonly key: string; readonly body: object },
): Promise<number> {
  const headers = { Prefer: 'respond-async' };
  const queued = await service.call('POST', '/v1/media/bulk', { key, body, headers });
  expect(queued.status, JSON.stringify(queued.body)).toBe(202);
  const { id } = queued.body['operation'];
  await vi.waitFor(
    async () => {
      const { body: read } = await service.call('GET', `/v1/operation/${id}`, { key });
      expect(read['operation'].state).toBe('succeeded');
    },
    { timeout: 20_000 },
  );
  return id;
}

/** Keeps a small watermark under a name. */
export async function putWatermark(
  service: TestApp,
  { key, name }: { readonly key: string; readonly name: string },
): Promise<Answer> {
  const picture = await sharp({ create: { width: 8, height: 8, channels: 4, background: '#ff000080' } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.append('metadata', JSON.stringify({ name }));
  form.append('file', new Blob([new Uint8Array(picture)]));
  const options = { method: 'POST', body: form, headers: { 'X-Api-Key': key } };
  const response = await fetch(`${service.url}/v1/watermark`, options);
  return { status: response.status, headers: response.headers, body: (await response.json()) as Json };
}

/** A key, a preset and a watermark for images; names of presets and watermarks are of lower-case letters. */
async function makeImageRules(
  service: TestApp,
  { key, mark }: { readonly key: string; readonly mark: string },
): Promise<Pick<TestLibrary, 'imageKey' | 'imagePreset' | 'watermark'>> {
  const name = mark.toLowerCase();
  const imageKey = await service.call('POST', '/v1/image-key', { key, body: { name: `${mark} image key` } });
  const body = { name, parameters: { w: 40, wm: name } };
  const preset = await service.call('POST', '/v1/image-preset', { key, body });
  const watermark = await putWatermark(service, { key, name });
  expect([imageKey.status, preset.status, watermark.status]).toEqual([201, 201, 201]);
  return {
    imageKey: imageKey.body['image_key'].id,
    imagePreset: preset.body['image_preset'].id,
    watermark: watermark.body['watermark'].id,
  };
}

/** Fills an organization over HTTP and waits until nothing of it changes by itself any more. */
export async function fillLibrary(
  service: TestApp,
  options: { readonly key: string; readonly mark: string; readonly photos: readonly [Uint8Array, Uint8Array] },
): Promise<TestLibrary> {
  const { key, mark, photos } = options;
  const post = async (path: string, body: object): Promise<Json> => {
    const answer = await service.call('POST', path, { key, body });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  const tags = await createTags(post, mark);
  const collection = (await post('/v1/collection', { name: `${mark} collection` }))['collection'].id as number;
  await post('/v1/collection', { name: `${mark} other collection` });
  const savedSearch = (
    await post('/v1/saved-search', { name: `${mark} search`, request: { player: tags.player, collection } })
  )['saved_search'].id as number;
  await post('/v1/saved-search', { name: `${mark} other search`, request: {} });
  const upload = async (bytes: Uint8Array, metadata: object): Promise<Json> => {
    const answer = await service.upload(bytes, { key, metadata });
    expect(answer.body, JSON.stringify(answer.body)).toMatchObject({ media: { status: 'ready' }, duplicate: false });
    return answer.body['media'];
  };
  const media = await upload(photos[0], {
    name: `${mark}.jpg`,
    external_id: 'first',
    tag_options: Object.values(tags),
    collections: [collection],
    details: { caption: `${mark} caption` },
  });
  const otherMedia = await upload(photos[1], { name: `${mark} two.jpg` });
  const { body: me } = await service.call('GET', '/v1/me', { key });
  const [video = 0] = await insertAssets({ app: service.app, organizationId: me['organization'].id }, [
    { mediaType: 'video', name: `${mark}.mp4`, durationMs: 60_000, tags: [tags.match] },
  ]);
  const recorded = await post(`/v1/media/${video}/action`, [
    {
      type: 'goal',
      label: `${mark} goal`,
      event_ms: 1000,
      clubs: [{ id: tags.club }],
      players: [{ id: tags.player, role: 'scorer' }],
      tag_options: [tags.sponsor, tags.tag],
      source: 'feed:test',
      source_ref: 'first',
    },
    { type: 'shot', event_ms: 2000 },
  ]);
  const action = recorded['actions'][0] as Json;
  const field = { key: 'shift', label: `${mark} shift`, type: 'choice', choices: [`${mark} late`] };
  const detailField = (await post('/v1/detail-field', field))['detail_field'].id as number;
  const deliveries = await fillDeliveries(service, { key, mark, mediaId: otherMedia['id'] });
  const webhooks = await fillWebhooks(service, { key, mark });
  const { destination } = deliveries;
  const rules = await fillRules(service, { key, mark, mediaId: otherMedia['id'], destination });
  const operations: number[] = [];
  for (const caption of ['first', `${mark} caption`]) {
    const body = { ids: [media['id'], otherMedia['id']], set: { details: { caption } } };
    operations.push(await runOperation(service, { key, body }));
  }
  const [operation = 0] = operations;
  const created = await post('/v1/key', { name: `${mark} key`, scopes: ['media.read'] });
  const cursorOf = async (path: string): Promise<string> => {
    const separator = path.includes('?') ? '&' : '?';
    const { body } = await service.call('GET', `${path}${separator}limit=1`, { key });
    expect(body['next_cursor'], path).toEqual(expect.any(String));
    return body['next_cursor'];
  };
  const cut = async (name: string): Promise<number> => {
    const path = `/v1/action/${action['id']}/clip`;
    const answer = await service.call('POST', path, { key, body: { name }, headers: { Prefer: 'wait=30' } });
    expect(answer.body, JSON.stringify(answer.body)).toMatchObject({ clip: { state: 'failed' } });
    return answer.body['clip'].id;
  };
  const clip = await cut(`${mark} clip`);
  await cut(`${mark} other clip`);
  const cursors = {
    '/v1/clip': await cursorOf('/v1/clip'),
    '/v1/tag': await cursorOf('/v1/tag'),
    '/v1/tag/search': await cursorOf('/v1/tag/search'),
    '/v1/collection': await cursorOf('/v1/collection'),
    '/v1/saved-search': await cursorOf('/v1/saved-search'),
    '/v1/key': await cursorOf('/v1/key'),
    '/v1/operation': await cursorOf('/v1/operation'),
    results: await cursorOf(`/v1/operation/${operation}/result`),
    '/v1/destination': await cursorOf('/v1/destination'),
    '/v1/delivery': await cursorOf('/v1/delivery'),
    '/v1/delivery/batch': await cursorOf('/v1/delivery/batch'),
    '/v1/webhook': await cursorOf('/v1/webhook'),
    messages: await cursorOf(`/v1/webhook/${webhooks.webhook}/message`),
    '/v1/rule': await cursorOf('/v1/rule'),
    runs: await cursorOf(`/v1/rule/${rules.rule}/run`),
    actions: await cursorOf(`/v1/media/${video}/action`),
    '/v1/media/search': (await post('/v1/media/search', { limit: 1 }))['next_cursor'] as string,
  };
  // The note of a key's last use is written beside the request.
  const publicId = key.slice(3, 11);
  await vi.waitFor(async () => {
    const { db } = service.app.installation;
    const row = await db
      .selectFrom('api_key')
      .select('last_used_at')
      .where('public_id', '=', publicId)
      .executeTakeFirst();
    expect(row?.last_used_at).not.toBeNull();
  });
  const apiKey = created['api_key'].id as number;
  const path = await createUpload({ url: service.url, key }, 9, { pairs: { filename: `${mark}.jpg` } });
  await sendPart({ url: service.url, key }, path, { offset: 0, body: Buffer.from(mark.slice(0, 3)) });
  const begun = Number(path.split('/').at(-1));
  const imageRules = await makeImageRules(service, { key, mark });
  const objects = {
    ...imageRules,
    collection,
    savedSearch,
    detailField,
    operation,
    media,
    otherMedia,
    video,
    action,
    clip,
    upload: begun,
    apiKey,
  };
  return { key, mark, tags, ...objects, ...deliveries, ...webhooks, ...rules, cursors };
}

// Any schema: the tables are found in the database itself.
type AnyDatabase = Kysely<any>;

async function tablesOf(db: AnyDatabase): Promise<readonly string[]> {
  const found = await sql<{ name: string }>`SELECT quote_ident(table_name) AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`.execute(db);
  return found.rows.map((row) => row.name);
}

/** Every row of every table of ours, as `table: text`. */
export async function dumpRows(db: AnyDatabase): Promise<readonly string[]> {
  const rows: string[] = [];
  for (const table of await tablesOf(db)) {
    const found = await sql<{ row: string }>`SELECT t::text AS row FROM ${sql.raw(table)} AS t`.execute(db);
    rows.push(...found.rows.map(({ row }) => `${table}: ${row}`));
  }
  return rows;
}

/** Columns that refer to an object of an organization, by table: foreign keys, and the lists that searches read. */
async function linksOf(db: AnyDatabase): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = await sql<{ source: string; column: string; target: string }>`
    SELECT c.conrelid::regclass::text AS source, a.attname AS "column", c.confrelid::regclass::text AS target
    FROM pg_constraint c
    JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
    JOIN information_schema.columns o ON o.table_name = c.confrelid::regclass::text AND o.column_name = 'organization_id'
    WHERE c.contype = 'f' AND array_length(c.conkey, 1) = 1`.execute(db);
  const links = new Map<string, string[]>();
  const add = (table: string, expression: string) => links.set(table, [...(links.get(table) ?? []), expression]);
  for (const { source, column, target } of found.rows) {
    add(source, `ARRAY(SELECT organization_id FROM ${target} WHERE id = t.${column})`);
  }
  add('asset', 'ARRAY(SELECT organization_id FROM tag_option WHERE id = ANY (t.tag_ids))');
  add('action', 'ARRAY(SELECT organization_id FROM tag_option WHERE id = ANY (t.tag_ids))');
  add('asset', 'ARRAY(SELECT organization_id FROM collection WHERE id = ANY (t.collection_ids))');
  return links;
}

/** Rows that tie objects of two organizations together; there must be none. */
export async function findMixedRows(db: AnyDatabase): Promise<{ readonly checked: number; readonly mixed: string[] }> {
  const owned = await sql<{ name: string }>`SELECT table_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name = 'organization_id'`.execute(db);
  const withOwner = new Set(owned.rows.map((row) => row.name));
  const mixed: string[] = [];
  let checked = 0;
  for (const [table, links] of await linksOf(db)) {
    const organizations = [...links, ...(withOwner.has(table) ? ['ARRAY[t.organization_id]'] : [])].join(' || ');
    const found = await sql<{ row: string; n: number }>`SELECT t::text AS row,
      (SELECT count(DISTINCT o)::int FROM unnest(${sql.raw(organizations)}) AS o) AS n
      FROM ${sql.raw(table)} AS t`.execute(db);
    checked += found.rows.length;
    mixed.push(...found.rows.filter((row) => row.n > 1).map(({ row }) => `${table}: ${row}`));
  }
  return { checked, mixed };
}
