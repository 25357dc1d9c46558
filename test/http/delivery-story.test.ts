import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { openEventSource } from '../support/event-source.ts';
import { filesBelow, plainPhoto } from '../support/library.ts';
import { type S3Server, startS3Server } from '../support/servers/s3-server.ts';
import { startWebhookReceiver, verified, type WebhookReceiver } from '../support/servers/webhook-receiver.ts';

/** Frames that a photographer sends at half time, of which every fourth shows the player. */
const FRAMES = 40;
const SHOWN = FRAMES / 4;
const SOON = { timeout: 120_000, interval: 100 } as const;

let service: TestApp;
let root: string;
let s3: S3Server;
let client: S3Client;
let receiver: WebhookReceiver;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'touchline-story-'));
  receiver = await startWebhookReceiver();
  s3 = await startS3Server({ checkSignatures: false });
  const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
  const endpoint = `http://127.0.0.1:${s3.port}`;
  client = new S3Client({ region: 'us-east-1', endpoint, forcePathStyle: true, credentials });
  service = await startApp({
    DELIVERY_FOLDERS: root,
    OUTBOUND_ALLOW: `127.0.0.1:${receiver.port},127.0.0.1:${s3.port}`,
  });
}, 60_000);
afterAll(async () => {
  await service.close();
  client.destroy();
  await s3.stop();
  await receiver.close();
  await rm(root, { recursive: true, force: true });
});

async function post(path: string, body: object): Promise<Json> {
  const answer = await service.call('POST', path, { body });
  expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}
async function get(path: string): Promise<Json> {
  const answer = await service.call('GET', path);
  expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBe(200);
  return answer.body;
}
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The season as the club's own system has it, in one request; answers IDs by external ID. */
async function syncRoster(): Promise<Readonly<Record<string, number>>> {
  const of = (id: string) => ({ external_ids: { feed: id } });
  const { results } = await post('/v1/tag/bulk', {
    tag_options: [
      { type: 'competition', label: 'First League', ...of('league') },
      { type: 'season', label: '2026/27', ...of('season') },
      { type: 'stadium', label: 'Harbour Ground', ...of('ground') },
      { type: 'club', label: 'Averley', ...of('home') },
      { type: 'club', label: 'Norwend', ...of('away') },
      { type: 'player', label: 'Núñera', ...of('ten') },
      { type: 'tag', category: 'state', label: 'sent to agency', ...of('sent') },
    ],
  });
  const ids = Object.fromEntries(
    (results as Json[]).map((one, at) => [
      ['league', 'season', 'ground', 'home', 'away', 'ten', 'sent'][at],
      one['id'],
    ]),
  );
  const relations = {
    home: ids['home'],
    away: ids['away'],
    stadium: ids['ground'],
    competition: ids['league'],
    season: ids['season'],
    kick_off: '2026-11-21T19:30:00Z',
  };
  const match = await post('/v1/tag', { type: 'match', label: 'AVE-NOR', relations });
  return { ...ids, match: match['tag_option'].id };
}

/** The two targets: the originals for the agency's bucket, smaller ones for the folder of the newsroom. */
async function createTargets(): Promise<{ readonly bucket: number; readonly folder: number }> {
  const path_template = '{competition|slug}/{match|slug}/{player|ascii|slug}/{media.name}-{media.id}.{media.ext}';
  await mkdir(join(root, 'newsroom'));
  const bucket = await post('/v1/destination', {
    name: 'Agency',
    kind: 's3',
    config: { bucket: s3.bucket, region: 'us-east-1', endpoint: `http://127.0.0.1:${s3.port}` },
    secrets: { access_key_id: 'S3RVER', secret_access_key: 'S3RVER' },
    path_template,
    sidecar: 'json',
  });
  const folder = await post('/v1/destination', {
    name: 'Newsroom',
    kind: 'folder',
    config: { path: join(root, 'newsroom') },
    path_template,
    qualities: ['compressed'],
  });
  for (const { id } of [bucket['destination'], folder['destination']]) {
    expect((await post(`/v1/destination/${id}/verify`, {}))['destination']).toMatchObject({ status: 'ok' });
  }
  return { bucket: bucket['destination'].id, folder: folder['destination'].id };
}

describe('half time', () => {
  test('forty frames arrive; those of the player are at the agency and in the newsroom, whole and once', async () => {
    const ids = await syncRoster();
    const { bucket, folder } = await createTargets();
    const hook = await post('/v1/webhook', {
      name: 'Desk',
      url: `${receiver.url}/desk`,
      types: ['delivery.succeeded'],
    });
    const search = await post('/v1/saved-search', {
      name: 'Sent',
      request: { tag_options: [ids['sent']] },
      notify: true,
    });
    const { rule } = await post('/v1/rule', {
      name: 'Núñera in the derby',
      on: ['media.ready', 'media.tags_changed'],
      filter: { player: ids['ten'], match: ids['match'], none: [{ tag_options: [ids['sent']] }] },
      then: [
        { do: 'deliver', destination_id: bucket, qualities: ['photographer'] },
        { do: 'deliver', destination_id: folder },
        { do: 'add_tags', tag_option_ids: [ids['sent']] },
        { do: 'webhook', webhook_id: hook['webhook'].id },
      ],
    });
    const stream = await openEventSource(`${service.url}/v1/event/stream`, { key: service.key });

    const originals = new Map<number, Buffer>();
    const frames = await Promise.all(
      Array.from({ length: FRAMES }, (_, n) => plainPhoto(n + 1, { width: 640, height: 420 })),
    );
    for (const [n, bytes] of frames.entries()) {
      const tags = n % 4 === 0 ? [ids['ten'], ids['match']] : [ids['match']];
      const options = { name: `DSC_${1000 + n}.jpg`, metadata: { tag_options: tags }, wait: false };
      const { status, body } = await service.upload(bytes, options);
      expect(status, JSON.stringify(body)).toBe(201);
      originals.set(body['media'].id, bytes);
    }
    const shown = [...originals.keys()].filter((_, n) => n % 4 === 0);

    const states = async () => (await get('/v1/delivery?limit=200'))['deliveries'].map((one: Json) => one['state']);
    await expect.poll(states, SOON).toEqual(Array.from({ length: 2 * SHOWN }, () => 'succeeded'));
    // At the targets: by their own word, byte for byte.
    const listed = await client.send(new ListObjectsV2Command({ Bucket: s3.bucket }));
    const objects = (listed.Contents ?? []).map(({ Key = '' }) => Key);
    expect(objects.filter((key) => key.endsWith('.jpg'))).toHaveLength(SHOWN);
    expect(objects.filter((key) => key.endsWith('.json'))).toHaveLength(SHOWN);
    expect(await filesBelow(join(root, 'newsroom'))).toHaveLength(SHOWN);
    for (const delivery of (await get('/v1/delivery?limit=200'))['deliveries'] as Json[]) {
      const { receipt, path, media_id: mediaId, destination_id: to } = delivery;
      expect(delivery).toMatchObject({ rule_id: rule.id, attempts: [{ error_code: null }] });
      expect(path).toMatch(/^first-league\/ave-nor\/nunera\/DSC_\d{4}-\d+\.jpg$/);
      const object =
        to === bucket ? await client.send(new GetObjectCommand({ Bucket: s3.bucket, Key: path })) : undefined;
      const arrived = object
        ? await buffer(object.Body as unknown as AsyncIterable<Uint8Array>)
        : await readFile(join(root, 'newsroom', path));
      expect(receipt).toMatchObject({ path, bytes: arrived.length, sha256: sha256(arrived) });
      if (to === bucket) expect(sha256(arrived)).toBe(sha256(originals.get(mediaId) ?? Buffer.alloc(0)));
    }
    // What the rule says that it did.
    const { runs } = await get(`/v1/rule/${rule.id}/run?limit=200`);
    expect((runs as Json[]).map((run) => run['media_id']).toSorted((a, b) => a - b)).toEqual(shown);
    for (const run of runs as Json[]) {
      expect(run['state']).toBe('succeeded');
      expect(run['steps'].map((step: Json) => step['status'])).toEqual(['done', 'done', 'done', 'done']);
    }
    const found = await post('/v1/media/search', { tag_options: [ids['sent']], limit: 0 });
    expect(found['total']).toBe(SHOWN);
    // What the desk was told, signed, each once.
    await expect.poll(() => receiver.received('/desk').length, SOON).toBe(3 * SHOWN);
    const told = receiver.received('/desk').map((one) => verified(one, hook['secret']));
    expect(new Set(told.map((one) => one['data'].id)).size).toBe(3 * SHOWN);
    const matched = told.filter((one) => one['type'] === 'rule.matched').map((one) => one['data'].data.media_id);
    expect(matched.toSorted((a, b) => a - b)).toEqual(shown);
    // What was seen meanwhile, as the feed has it.
    const first = Number(stream.messages[0]?.id);
    const { events } = await get(`/v1/event?after=${first - 1}&limit=1000`);
    await expect.poll(() => stream.messages.length, SOON).toBeGreaterThanOrEqual((events as Json[]).length);
    expect(stream.messages.slice(0, (events as Json[]).length).map(({ data }) => data)).toEqual(events);
    const news = (events as Json[]).filter((event) => event['type'] === 'saved_search.matched');
    expect(news.every((event) => event['object'].id === search['saved_search'].id)).toBe(true);
    expect(news.flatMap((event) => event['data'].media_ids).toSorted((a, b) => a - b)).toEqual(shown);
    stream.cut();
  }, 300_000);
});
