import { access, readdir, readFile, stat } from 'node:fs/promises';
import { createServer, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createServiceFolder, type RunningService, type ServiceFolder } from '../support/process.ts';

const FACE = join(import.meta.dirname, '..', 'fixtures', 'faces', 'astronaut.png');
let folder: ServiceFolder;
beforeEach(async () => {
  folder = await createServiceFolder();
});
afterEach(() => folder.remove());

async function call(service: RunningService, path: string, init: RequestInit = {}): Promise<any> {
  const { api_key: key } = await folder.firstRun();
  const response = await fetch(service.url + path, {
    ...init,
    headers: { 'X-Api-Key': key, ...(init.body instanceof FormData ? {} : { 'Content-Type': 'application/json' }) },
  });
  return { status: response.status, body: await response.json() };
}

async function postgresRuns(): Promise<boolean> {
  return access(join(folder.dataDir, 'postgres', 'data', 'postmaster.pid')).then(
    () => true,
    () => false,
  );
}

test('the first start creates an organization and one key, the second neither', async () => {
  const first = await folder.start();
  const run = await folder.firstRun();
  expect(run).toEqual({
    base_url: first.url,
    api_key: expect.stringMatching(/^tl_\w{8}_\w{38}$/),
    organization: 'main',
  });
  expect((await stat(join(folder.dataDir, 'first-run.json'))).mode & 0o777).toBe(0o600);
  expect(first.output().split(run.api_key).length - 1).toBe(1);
  expect(await call(first, '/v1/me')).toMatchObject({ status: 200, body: { organization: { slug: 'main' } } });
  expect(await first.end('SIGINT')).toEqual({ code: 0, signal: null });
  expect(await postgresRuns()).toBe(false);

  const second = await folder.start();
  expect(await folder.firstRun()).toEqual(run);
  expect(second.output()).not.toContain(run.api_key);
  const keys = await call(second, '/v1/key');
  expect(keys.body.total).toBe(1);
  expect(await second.end('SIGTERM')).toEqual({ code: 0, signal: null });
});

test('after kill -9 the next start adopts the database and has every upload that was acknowledged', async () => {
  const first = await folder.start();
  const face = await readFile(FACE);
  const acknowledged: number[] = [];
  const upload = async (n: number) => {
    const form = new FormData();
    form.append('metadata', JSON.stringify({ name: `frame ${n}.png` }));
    // Other bytes each time: a PNG may carry anything behind its end.
    form.append('file', new Blob([new Uint8Array(face), `${n}`]), 'frame.png');
    const answer = await call(first, '/v1/media', { method: 'POST', body: form });
    if (answer.status === 201) acknowledged.push(answer.body.media.id);
  };
  await Promise.all([1, 2, 3, 4].map(upload));
  const rest = Promise.allSettled([5, 6, 7, 8].map(upload));
  expect(await first.end('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
  await rest;
  expect(await postgresRuns()).toBe(true);

  const second = await folder.start();
  for (const id of acknowledged) expect((await call(second, `/v1/media/${id}`)).status).toBe(200);
  await expect
    .poll(
      async () =>
        (await call(second, '/v1/media/search', { method: 'POST', body: JSON.stringify({ status: 'processing' }) }))
          .body.total,
      { timeout: 60_000 },
    )
    .toBe(0);
  const ready = await call(second, '/v1/media/search', {
    method: 'POST',
    body: JSON.stringify({ status: 'ready', limit: 200 }),
  });
  expect(ready.body.media.map((one: { id: number }) => one.id)).toEqual(expect.arrayContaining(acknowledged));
  expect((await second.end('SIGTERM')).code).toBe(0);
}, 120_000);

test('every faulty setting is named at once, without its value', async () => {
  const ended = await folder.run(['serve'], {
    PORT: 'eighty',
    DATABASE_URL: 'mysql://secret@host/db',
    SAMPLE: 'maybe',
    STORAGE_URL: 'ftp://secret',
  });
  expect(ended.code).toBe(2);
  for (const name of ['PORT', 'DATABASE_URL', 'SAMPLE', 'STORAGE_URL'])
    expect(ended.stderr).toContain(`${name}: expected`);
  expect(ended.stderr).not.toContain('secret');
});

test('a taken port is said in one sentence and leaves no database behind', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(folder.port, '127.0.0.1', resolve));
  const ended = await folder.run(['serve']);
  other.close();
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain(`port ${folder.port} on 127.0.0.1 is taken`);
  expect(await postgresRuns()).toBe(false);
});

test('keys are created, listed and revoked from the command line while the service runs', async () => {
  const service = await folder.start();
  const created = await folder.run(['key', 'create', '--name', 'website', '--scopes', 'media.read']);
  expect(created.code, created.stderr).toBe(0);
  const key = created.stdout.trim();
  const me = () => fetch(`${service.url}/v1/me`, { headers: { 'X-Api-Key': key } }).then((response) => response.status);
  expect(await me()).toBe(200);
  const listed = await folder.run(['key', 'list']);
  expect(listed.stdout).toContain('website\tmedia.read\tactive');
  expect(listed.stdout).not.toContain(key);
  expect((await folder.run(['key', 'revoke', key.slice(0, 11)])).code).toBe(0);
  await expect.poll(me, { timeout: 5000 }).toBe(401);
  expect((await folder.run(['key', 'create'])).code).toBe(2);
  expect((await folder.run(['doctor'])).stdout).toContain('ok   database: embedded, running');
  expect((await service.end('SIGTERM')).code).toBe(0);
});

test('without ffmpeg the service says what is off, takes photos, and tells why a video failed', async () => {
  const service = await folder.start({ PATH: '/nonexistent' });
  expect(service.output()).toMatch(/Without ffmpeg: .+ off/);
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(await readFile(FACE))]), 'frame.png');
  const { api_key: key } = await folder.firstRun();
  const answer = await fetch(`${service.url}/v1/media`, {
    method: 'POST',
    body: form,
    headers: { 'X-Api-Key': key, Prefer: 'wait=30' },
  });
  expect(((await answer.json()) as any).media).toMatchObject({ status: 'ready', people_count: 1 });
  const video = new FormData();
  // The first box of an MP4 file is enough to be taken for one.
  video.append(
    'file',
    new Blob([new Uint8Array([0, 0, 0, 24]), 'ftypisom\0\0\x02\0isommp42', new Uint8Array(64)]),
    'clip.mp4',
  );
  const refused = await fetch(`${service.url}/v1/media`, {
    method: 'POST',
    body: video,
    headers: { 'X-Api-Key': key, Prefer: 'wait=30' },
  });
  expect(((await refused.json()) as any).media).toMatchObject({
    status: 'failed',
    failure: { code: 'capability_missing' },
  });
  expect((await service.end('SIGTERM')).code).toBe(0);
});

/** An upload that sends its first half and then waits. */
async function startSlowUpload(service: RunningService): Promise<{ finish(): Promise<number> }> {
  const { api_key: key } = await folder.firstRun();
  const face = await readFile(FACE);
  const head = Buffer.from(
    '--b\r\nContent-Disposition: form-data; name="file"; filename="slow.png"\r\nContent-Type: image/png\r\n\r\n',
  );
  const tail = Buffer.from('\r\n--b--\r\n');
  const request = httpRequest(`${service.url}/v1/media`, {
    method: 'POST',
    headers: {
      'X-Api-Key': key,
      'Content-Type': 'multipart/form-data; boundary=b',
      'Content-Length': head.length + face.length + tail.length,
    },
  });
  const status = new Promise<number>((resolve) => {
    request.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on('error', () => resolve(0));
  });
  request.write(Buffer.concat([head, face.subarray(0, face.length / 2)]));
  const uploads = join(folder.dataDir, 'tmp', 'uploads');
  await expect.poll(async () => (await readdir(uploads).catch(() => [])).length, { timeout: 10_000 }).toBe(1);
  return {
    finish() {
      request.end(Buffer.concat([face.subarray(face.length / 2), tail]));
      return status;
    },
  };
}

test('Ctrl-C lets a running upload finish, and takes no new request', async () => {
  const service = await folder.start();
  const upload = await startSlowUpload(service);
  const ended = service.end('SIGINT');
  await expect.poll(() => service.output()).toContain('Stopping');
  expect(await upload.finish()).toBe(201);
  expect(await ended).toEqual({ code: 0, signal: null });
  const again = await folder.start();
  const found = await call(again, '/v1/media/search', { method: 'POST', body: JSON.stringify({ name: 'slow.png' }) });
  expect(found.body.total).toBe(1);
  await again.end('SIGTERM');
});

test('a client that never finishes does not hold up a stop for longer than SHUTDOWN_SECONDS', async () => {
  const service = await folder.start({ SHUTDOWN_SECONDS: '1' });
  await startSlowUpload(service);
  expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null });
});

test('a first start that is killed half way is made good by the next', async () => {
  for (const afterMs of [300, 700, 1100, 1500]) {
    const child = folder.spawn(['serve']);
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    child.kill('SIGKILL');
  }
  const service = await folder.start();
  expect(await call(service, '/v1/me')).toMatchObject({ status: 200 });
  expect((await readdir(join(folder.dataDir, 'postgres'))).filter((name) => name.includes('.init-'))).toEqual([]);
  expect((await service.end('SIGTERM')).code).toBe(0);
});
