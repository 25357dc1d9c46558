import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { plainPhoto, uploadMedia } from '../support/library.ts';
import { expectProblem } from '../support/problem.ts';
import { startWebhookReceiver, verified, type WebhookReceiver } from '../support/servers/webhook-receiver.ts';

const SOON = { timeout: 20_000, interval: 50 };
const secret = `whsec_${randomBytes(32).toString('base64')}`;

let receiver: WebhookReceiver;
let service: TestApp;
let photo: Buffer;
let media: Json;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  service = await startApp({ OUTBOUND_ALLOW: '127.0.0.1' });
  photo = await plainPhoto(11);
  media = await uploadMedia(service, photo, { name: 'Jubel Šeško.jpg', metadata: { details: { caption: 'One' } } });
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});

async function createDestination(path: string, members: object = {}): Promise<number> {
  const body = {
    name: path,
    kind: 'webhook',
    config: { url: receiver.url + path },
    secrets: { secret },
    path_template: 'in/{media.name}-{quality}.{media.ext}',
    ...members,
  };
  const { status, body: answer } = await service.call('POST', '/v1/destination', { body });
  expect(status, JSON.stringify(answer)).toBe(201);
  return answer['destination'].id;
}

async function deliver(destination: number, members: object = {}): Promise<Json> {
  const body = { destination_id: destination, media_ids: [media['id']], ...members };
  const { status, body: answer } = await service.call('POST', '/v1/delivery', { body });
  expect(status, JSON.stringify(answer)).toBe(202);
  return answer['deliveries'][0];
}
const read = async (id: number): Promise<Json> => (await service.call('GET', `/v1/delivery/${id}`)).body['delivery'];
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const load = async (url: string, headers: Record<string, string> = {}) => {
  const response = await fetch(url, { headers });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
};

test('is told of a file by a signed manifest, and fetches exactly its bytes without a key', async () => {
  const id = await createDestination('/told', { sidecar: 'json' });
  const verify = await service.call('POST', `/v1/destination/${id}/verify`);
  expect(verify.body['destination'], JSON.stringify(verify.body)).toMatchObject({ status: 'ok', failure: null });
  expect(verify.body['steps']).toEqual([
    { step: 'connect', status: 'done' },
    { step: 'send', status: 'done' },
  ]);
  const queued = await deliver(id);
  await expect.poll(async () => (await read(queued['id']))['state'], SOON).toBe('succeeded');
  const [ping, told, ...others] = receiver.received('/told');
  expect(others).toEqual([]);
  if (!ping || !told) throw new Error('nothing arrived');
  expect(verified(ping, secret)).toMatchObject({ type: 'delivery.ping' });
  const { type, data } = verified(told, secret);
  expect(type).toBe('delivery.file');
  expect(data).toMatchObject({
    path: 'in/Jubel Šeško-photographer.jpg',
    file: { bytes: photo.length, sha256: sha256(photo), mime_type: 'image/jpeg' },
    asset: { id: media['id'], delivery_id: queued['id'], quality: 'photographer', details: { caption: 'One' } },
  });
  expect(Date.parse(data.file.expires_at) - Date.now()).toBeGreaterThan(23.9 * 3_600_000);
  expect((await read(queued['id']))['receipt']).toMatchObject({ verified: 'accepted', sha256: sha256(photo) });

  const { url } = data.file;
  const whole = await load(url);
  expect([whole.status, sha256(whole.bytes)]).toEqual([200, sha256(photo)]);
  expect(whole.headers.get('content-disposition')).toContain("filename*=UTF-8''Jubel%20");
  const part = await load(url, { Range: 'bytes=10-19' });
  expect([part.status, part.bytes]).toEqual([206, photo.subarray(10, 20)]);
  expect((await load(url, { 'If-None-Match': `"${sha256(photo)}"` })).status).toBe(304);
  expect((await load(url, { Range: 'bytes=999999-' })).status).toBe(416);
  expect((await load(url.replace(`/${queued['id']}/`, `/${Number(queued['id']) + 1}/`))).status).toBe(404);
  expect((await load(url.replace(/exp=(\d+)/, 'exp=99999999999'))).status).toBe(404);
  expect((await load(url.split('?')[0] ?? '')).status).toBe(404);
});

test('gets the same message again when it did not take it in, and fails at once when it refuses', async () => {
  const id = await createDestination('/busy');
  receiver.answer('/busy', (response) => response.writeHead(receiver.received('/busy').length === 1 ? 503 : 202).end());
  const retried = await deliver(id);
  await expect.poll(async () => (await read(retried['id']))['state'], SOON).toBe('succeeded');
  const [one, two] = receiver.received('/busy');
  expect(two?.id).toBe(one?.id);
  expect((await read(retried['id']))['attempts']).toMatchObject([{ error_code: 'busy' }, { error_code: null }]);

  const refusing = await createDestination('/refusing');
  receiver.answer('/refusing', 422);
  const refused = await deliver(refusing);
  await expect.poll(async () => (await read(refused['id']))['state'], SOON).toBe('failed');
  expect(await read(refused['id'])).toMatchObject({ failure: { code: 'refused' }, attempts: [{}] });
});

test('is told of copies with metadata and of pictures; what would be other bytes by now is gone', async () => {
  const id = await createDestination('/made', { embed_metadata: true });
  const copy = await deliver(id);
  await expect.poll(async () => (await read(copy['id']))['state'], SOON).toBe('succeeded');
  const [told] = receiver.received('/made');
  if (!told) throw new Error('nothing arrived');
  const { file } = verified(told, secret)['data'];
  const fetched = await load(file.url);
  expect([fetched.status, fetched.bytes.length]).toEqual([200, file.bytes]);
  expect(sha256(fetched.bytes)).toBe(file.sha256);
  expect(fetched.bytes.includes('One')).toBe(true);
  await service.call('PATCH', `/v1/media/${media['id']}`, { body: { details: { caption: 'Two' } } });
  expect((await load(file.url)).status).toBe(410);
  await service.call('PATCH', `/v1/media/${media['id']}`, { body: { usage: 'limited' } });
  expect((await load(file.url)).status).toBe(403);
  await service.call('PATCH', `/v1/media/${media['id']}`, { body: { usage: 'approved' } });

  const pictures = await createDestination('/pictures', { path_template: '{media.id}.{media.ext}' });
  const picture = await deliver(pictures, { rendition: { kind: 'image', params: 'w=40&h=40&fmt=png' } });
  await expect.poll(async () => (await read(picture['id']))['state'], SOON).toBe('succeeded');
  const [shown] = receiver.received('/pictures');
  if (!shown) throw new Error('nothing arrived');
  const made = verified(shown, secret)['data'].file;
  expect(made).toMatchObject({ mime_type: 'image/png' });
  expect(sha256((await load(made.url)).bytes)).toBe(made.sha256);
});

test.each([
  [{ config: { url: 'https://127.1/' } }, undefined],
  [{ config: { url: 'https://10.0.0.1/' } }, '/config/url'],
  [{ config: { url: 'http://93.184.215.14/' } }, '/config/url'],
  [{ secrets: {} }, '/secrets/secret'],
  [{ secrets: { secret: 'whsec_short' } }, '/secrets/secret'],
])('is refused as %j where that leads inside or has no secret', async (members, pointer) => {
  const config = { url: 'https://example.com/' };
  const body = { name: 'x', kind: 'webhook', config, secrets: { secret }, ...members };
  const answer = await service.call('POST', '/v1/destination', { body });
  if (pointer === undefined) expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  else expect(expectProblem(answer, 'validation_failed')['errors'][0].pointer).toBe(pointer);
});
