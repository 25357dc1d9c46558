/**
 * Deliveries through the whole service: photographs of 500 kB that were uploaded before, delivered by one request, until the last one
 * has succeeded; beside a session of the channel and rclone, with the same files to the same server. `--quick`, `--files=200`.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { plainPhoto } from '../../test/support/library.ts';
import { createServiceFolder } from '../../test/support/process.ts';
import { type Copy, contendersOf } from './contenders.ts';
import { type SourceFile, writeSourceFiles } from './source-files.ts';
import { BENCH_KINDS } from './targets.ts';

type Answer = { readonly status: number; readonly body: Record<string, unknown> };

const say = (line: string) => console.log(line);
const flag = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
const BYTES = 500_000;
const UPLOADS_AT_ONCE = 4;
const count = Number(flag('files') ?? (process.argv.includes('--quick') ? 60 : 2000));
const concurrency = 4;
const kinds = flag('kinds')?.split(',') ?? ['folder', 's3-quick'];

const folder = await mkdtemp(join(tmpdir(), 'touchline-bench-service-'));
const home = await createServiceFolder();
try {
  const service = await home.start({ LOG_LEVEL: 'warn', DELIVERY_FOLDERS: tmpdir() });
  const { api_key: key } = await home.firstRun();
  const call = async (method: string, path: string, body?: object): Promise<Answer> => {
    const response = await fetch(service.url + path, {
      method,
      headers: { 'X-Api-Key': key, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    // The service answers JSON objects.
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const files = await writeSourceFiles(folder, { files: count, bytes: BYTES, seed: 8 });
  const photo = await plainPhoto(1);
  const upload = async ({ path }: SourceFile, n: number): Promise<void> => {
    const noise = (await readFile(path)).subarray(photo.length);
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(photo), noise]), `photo-${String(n).padStart(5, '0')}.jpg`);
    const response = await fetch(`${service.url}/v1/media`, {
      method: 'POST',
      headers: { 'X-Api-Key': key },
      body: form,
    });
    if (response.status !== 201) throw new Error(`upload ${n} answered ${response.status}`);
    await response.arrayBuffer();
  };
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let file = files[next]; file; file = files[next]) await upload(file, next++);
  };
  await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, lane));
  const waiting = async (): Promise<unknown> =>
    (await call('POST', '/v1/media/search', { status: 'processing', limit: 0 })).body['total'];
  while ((await waiting()) !== 0) await delay(200);
  say(`${count} photographs of ${BYTES / 1e3} kB are ready; load ${loadavg()[0]?.toFixed(1)}`);

  for (const kind of kinds) {
    const one = BENCH_KINDS.get(kind);
    if (!one) throw new Error(`expected a kind of destination, received ${kind}`);
    const target = await one.start();
    try {
      const rates = new Map<string, number>();
      const created = await call('POST', '/v1/destination', {
        name: kind,
        kind: one.kind,
        config: target.config,
        ...(Object.keys(target.secrets).length > 0 && { secrets: target.secrets }),
        path_template: 'service/{media.name}.{media.ext}',
        collision: 'overwrite',
        concurrency,
      });
      // Checked by the next line: without an ID nothing is queued.
      const destination = created.body['destination'] as { readonly id: number } | undefined;
      const startedMs = performance.now();
      const queued = await call('POST', '/v1/delivery', { destination_id: destination?.id, filter: {} });
      const { total, batch } = queued.body;
      if (total !== count) throw new Error(`expected ${count} deliveries, received ${JSON.stringify(queued.body)}`);
      const left = async (state: string): Promise<unknown[]> =>
        (await call('GET', `/v1/delivery?batch=${String(batch)}&state=${state}&limit=1`)).body[
          'deliveries'
        ] as unknown[];
      while ((await left('queued')).length + (await left('running')).length > 0) await delay(50);
      rates.set('touchline, deliveries by API', (performance.now() - startedMs) / 1000);
      for (const state of ['failed', 'exhausted', 'skipped'])
        if ((await left(state)).length > 0) throw new Error(`expected all to succeed, received some that ${state}`);
      for (const [at, contender] of contendersOf(target).entries()) {
        const copy: Copy = { kind: one.kind, target, folder, files, place: `copy-${at}`, concurrency };
        rates.set(contender.name, (await contender.copy(copy)).seconds);
      }
      say(`\n${kind}, ${count} x ${BYTES / 1e6} MB\n| by | MB/s | files/s |\n|---|--:|--:|`);
      for (const [name, seconds] of rates)
        say(`| ${name} | ${((count * BYTES) / 1e6 / seconds).toFixed(0)} | ${(count / seconds).toFixed(0)} |`);
    } finally {
      await target.stop();
    }
  }
  say(`load ${loadavg()[0]?.toFixed(1)} after the run`);
  await service.end('SIGTERM');
} finally {
  await home.remove();
  await rm(folder, { recursive: true, force: true });
}
