import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { plainPhoto, pointersOf } from '../support/library.ts';
import { expectProblem } from '../support/problem.ts';
import { missingSftpServer, startSftpServer } from '../support/servers/sftp-server.ts';

const SLOW = { timeout: 20_000, interval: 50 } as const;
const EVERY_DAY = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

let service: TestApp;
let root: string;
let mediaId: number;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'touchline-controls-'));
  service = await startApp({ DELIVERY_FOLDERS: root });
  mediaId = (await service.upload(await plainPhoto(1), { name: 'Tor.jpg' })).body['media'].id;
});
afterAll(async () => {
  await service.close();
  await rm(root, { recursive: true, force: true });
});

async function createDestination(name: string, members: object = {}): Promise<Json> {
  const path = join(root, name);
  await mkdir(path, { recursive: true });
  const body = { name, kind: 'folder', config: { path }, path_template: '{delivery.id}.{media.ext}', ...members };
  const answer = await service.call('POST', '/v1/destination', { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body['destination'];
}
const read = async (id: number): Promise<Json> =>
  (await service.call('GET', `/v1/destination/${id}`)).body['destination'];
const patch = (id: number, body: object) => service.call('PATCH', `/v1/destination/${id}`, { body });
const deliver = async (id: number): Promise<Json> => {
  const body = { destination_id: id, media_ids: [mediaId], again: true };
  return (await service.call('POST', '/v1/delivery', { body })).body['deliveries'][0];
};
const delivery = async (id: number): Promise<Json> =>
  (await service.call('GET', `/v1/delivery/${id}`)).body['delivery'];

describe('the controls of a destination', () => {
  test('are off unless they are given, and taken away with null', async () => {
    const plain = await createDestination('plain');
    const off = { bandwidth_limit: null, window: null, paused: false, rendition: null };
    expect(plain).toMatchObject({ ...off, circuit: 'closed', retry_at: null, on_hold: null });
    const window = { days: ['sat', 'sun'], from: '22:00', to: '06:00', time_zone: 'Europe/Berlin' };
    const on = { bandwidth_limit: 1_000_000, window, paused: true };
    const { body } = await patch(plain['id'], on);
    expect(body['destination']).toMatchObject({ ...on, on_hold: { reason: 'paused', until: null } });
    expect((await patch(plain['id'], off)).body['destination']).toMatchObject(off);
  });

  test.each([
    [{ bandwidth_limit: 5 }, '/bandwidth_limit'],
    [{ window: { days: [], from: '22:00', to: '06:00', time_zone: 'UTC' } }, '/window/days'],
    [{ window: { days: ['sun'], from: '24:00', to: '06:00', time_zone: 'UTC' } }, '/window/from'],
    [{ window: { days: ['sun'], from: '22:00', to: '06:00', time_zone: 'Mars/Olympus' } }, '/window/time_zone'],
    [{ rendition: { kind: 'image' } }, '/rendition'],
    [{ rendition: { kind: 'image', params: 'w=x' } }, '/rendition/params'],
    [{ rendition: { kind: 'image', preset: 'nobody' } }, '/rendition/params'],
    [{ rendition: { kind: 'clip' } }, '/rendition/kind'],
  ])('refuse %j', async (members, pointer) => {
    const { id } = await createDestination('refusing');
    const answer = await patch(id, members);
    expectProblem(answer, 'validation_failed');
    expect(pointersOf(answer)).toContain(pointer);
  });

  test('hold deliveries while it is paused, and let them go when it is not', async () => {
    const { id } = await createDestination('paused', { paused: true });
    const queued = await deliver(id);
    expect(queued).toMatchObject({ state: 'queued', waiting_for: 'paused', next_attempt_at: null });
    expect(await read(id)).toMatchObject({ health: { queued: 1, running: 0 } });
    await patch(id, { paused: false });
    await expect.poll(async () => (await delivery(queued['id']))['state'], SLOW).toBe('succeeded');
    expect(await delivery(queued['id'])).toMatchObject({ waiting_for: null, next_attempt_at: null });
    const { health } = await read(id);
    expect(health).toMatchObject({ queued: 0, consecutive_failures: 0, last_error: null });
    expect(health['last_hour']).toMatchObject({ succeeded: 1, failed: 0, p50_ms: expect.any(Number) });
    expect(health['last_success_at']).not.toBeNull();
  });

  test('show when the window opens, at the destination and at what waits', async () => {
    // Open for one minute, an hour ago: closed now, whatever the time is.
    const at = new Date(Date.now() - 3_600_000).toISOString();
    const window = { days: EVERY_DAY, from: at.slice(11, 16), to: nextMinute(at), time_zone: 'UTC' };
    const { id, on_hold } = await createDestination('window', { window });
    expect(on_hold).toMatchObject({ reason: 'window', until: expect.stringContaining(`T${at.slice(11, 16)}:00.000Z`) });
    const queued = await deliver(id);
    expect(queued).toMatchObject({ waiting_for: 'window', next_attempt_at: on_hold.until });
    expect(await readdir(join(root, 'window'))).toEqual([]);
    await patch(id, { window: null });
    await expect.poll(async () => (await delivery(queued['id']))['state'], SLOW).toBe('succeeded');
  });

  test('are in the change feed', async () => {
    const { id } = await createDestination('told');
    await patch(id, { paused: true, concurrency: 1 });
    await service.call('DELETE', `/v1/destination/${id}`);
    const { body } = await service.call('GET', '/v1/event?types=destination.*&limit=1000');
    const ours = body['events'].filter((one: Json) => one['object'].id === id);
    expect(ours.map((one: Json) => one['type'])).toEqual([
      'destination.created',
      'destination.updated',
      'destination.deleted',
    ]);
    expect(ours[1]['data']).toEqual({ changed: ['paused', 'concurrency'] });
  });
});

const nextMinute = (at: string): string => new Date(Date.parse(at) + 60_000).toISOString().slice(11, 16);

describe('the circuit of a destination', () => {
  test('opens when its folder has gone, is shown, and is closed by a verification that finds it', async () => {
    const { id } = await createDestination('gone', { path_template: 'in/{delivery.id}.{media.ext}' });
    await rm(join(root, 'gone'), { recursive: true });
    const failed: number[] = [];
    for (let n = 0; n < 5; n += 1) failed.push((await deliver(id))['id']);
    await expect.poll(async () => (await read(id))['circuit'], SLOW).toBe('open');
    const open = await read(id);
    expect(open).toMatchObject({ status: 'failed', failure: { code: 'not_found' }, on_hold: { reason: 'circuit' } });
    expect(open['health']).toMatchObject({ consecutive_failures: 5, last_error: { code: 'not_found' } });
    expect(Date.parse(open['retry_at']) - Date.now()).toBeGreaterThan(20_000);
    const waiting = await deliver(id);
    expect(waiting).toMatchObject({ state: 'queued', waiting_for: 'circuit', next_attempt_at: open['retry_at'] });
    await mkdir(join(root, 'gone'));
    const { body } = await service.call('POST', `/v1/destination/${id}/verify`);
    expect(body).toMatchObject({ destination: { status: 'ok', circuit: 'closed', retry_at: null }, host_key: null });
    await expect.poll(async () => (await delivery(waiting['id']))['state'], SLOW).toBe('succeeded');
    for (const one of failed) {
      expect(await delivery(one)).toMatchObject({ state: 'failed', failure: { code: 'not_found' } });
      expect((await service.call('POST', `/v1/delivery/${one}/replay`)).status).toBe(200);
    }
    await expect.poll(async () => (await readdir(join(root, 'gone', 'in'))).length, SLOW).toBe(6);
  });
});

const missing = missingSftpServer();
test.skipIf(missing !== undefined)(
  `an SFTP server tells its key when it is verified first, and is used when that is confirmed (${missing ?? 'OpenSSH'})`,
  async () => {
    const server = await startSftpServer();
    try {
      const { port, user, hostKey, root: prefix, privateKey } = server;
      const config = { host: '127.0.0.1', port, user, prefix };
      const members = { kind: 'sftp', config, secrets: { private_key: privateKey } };
      const { id } = await createDestination('sftp', members);
      const verify = async () => (await service.call('POST', `/v1/destination/${id}/verify`)).body;
      const first = await verify();
      expect(first).toMatchObject({
        host_key: hostKey,
        destination: { status: 'failed', failure: { code: 'refused' } },
      });
      expect((await patch(id, { config: { host_key: first['host_key'] } })).status).toBe(200);
      expect(await verify()).toMatchObject({
        host_key: null,
        destination: { status: 'ok', config: { host_key: hostKey } },
      });
      const { id: deliveryId } = await deliver(id);
      await expect.poll(async () => (await delivery(deliveryId))['state'], SLOW).toBe('succeeded');
      expect(JSON.stringify(await read(id))).not.toContain('PRIVATE KEY');
      expect(service.log()).not.toContain('PRIVATE KEY');

      // Another key of the user, which the server does not know, and then the right one again.
      await patch(id, { secrets: { private_key: server.wrongKey } });
      expect(await verify()).toMatchObject({ destination: { status: 'failed', failure: { code: 'credentials' } } });
      const rotated = await patch(id, { secrets: { private_key: privateKey } });
      expect(rotated.body['destination']).toMatchObject({ status: 'unverified', failure: null, circuit: 'closed' });
      expect(await verify()).toMatchObject({ destination: { status: 'ok' } });
    } finally {
      await server.stop();
    }
  },
  60_000,
);
