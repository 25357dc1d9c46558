import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { MIB } from '../../src/base/index.ts';
import { createServiceFolder } from '../../test/support/process.ts';
import { createUpload, sendPart, tus, uploadWithClient } from '../../test/support/tus.ts';

/**
 * Resumable uploads beside the same service's multipart upload, over HTTP to a service of its own: many small frames at a time, and one
 * large file. Until the last file is acknowledged as an asset; its processing goes on meanwhile, in every way alike.
 */
/** Of each way. */
const FRAMES = 800;
const LANES = 24;
const FRAME_BYTES = 60_000;
const LARGE_BYTES = 512 * MIB;

type Service = { readonly url: string; readonly key: string };
type Way = { readonly name: string; readonly send: (service: Service, file: Buffer) => Promise<void> };

async function multipart(service: Service, file: Buffer): Promise<void> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(file)]), 'frame.jpg');
  const headers = { 'X-Api-Key': service.key };
  const response = await fetch(`${service.url}/v1/media`, { method: 'POST', headers, body: form });
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}

const WAYS: readonly Way[] = [
  { name: 'multipart', send: multipart },
  {
    name: 'tus, one request a file',
    send: async (service, file) => {
      const headers = { 'Upload-Length': String(file.length) };
      const answer = await tus(service, 'POST', '/v1/upload', { body: file, headers });
      if (answer.mediaId === undefined) throw new Error(JSON.stringify(answer.body));
    },
  },
  {
    name: 'tus-js-client, as it comes',
    send: async (service, file) => {
      const { mediaId } = await uploadWithClient(service, file);
      if (mediaId === undefined) throw new Error('no asset');
    },
  },
];

/** A service of its own for each figure, so that none is taken beside the processing of another's files. */
async function withService(work: (service: Service) => Promise<void>): Promise<void> {
  const folder = await createServiceFolder();
  try {
    await folder.start({ LOG_LEVEL: 'warn' });
    const first = await folder.firstRun();
    const headers = { 'X-Api-Key': first.api_key, 'Content-Type': 'application/json' };
    const limits = { requests_per_second: 10_000, burst: 10_000 };
    const body = JSON.stringify({ name: 'bench', scopes: ['media.read', 'media.write'], ...limits });
    const made = await fetch(`${first.base_url}/v1/key`, { method: 'POST', headers, body });
    const { key } = (await made.json()) as { key: string };
    await work({ url: first.base_url, key });
  } finally {
    await folder.remove();
  }
}

const photo = await sharp({ create: { width: 320, height: 200, channels: 3, background: '#457' } })
  .jpeg()
  .toBuffer();
const fileOf = (bytes: number) => Buffer.concat([photo, randomBytes(bytes - photo.length)]);
const say = (line: string) => void process.stdout.write(`${line}\n`);

/** The ways take turns, file by file, so that whatever else the machine does slows all of them alike. */
async function measureFrames(service: Service, frames: number): Promise<void> {
  const total = frames * WAYS.length;
  const took = new Map(WAYS.map((way): [Way, number[]] => [way, []]));
  let next = 0;
  const lane = async () => {
    while (next < total) {
      const way = WAYS[next % WAYS.length];
      next += 1;
      if (!way) return;
      const file = fileOf(FRAME_BYTES);
      const atMs = performance.now();
      await way.send(service, file);
      took.get(way)?.push(performance.now() - atMs);
    }
  };
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: LANES }, lane));
  const seconds = (performance.now() - startedMs) / 1000;
  say(`${total} files of ${FRAME_BYTES} bytes, ${LANES} at a time: ${(total / seconds).toFixed(1)} a second`);
  for (const [{ name }, times] of took) {
    const sorted = times.toSorted((a, b) => a - b);
    const at = (share: number) => `${Math.round(sorted[Math.floor(sorted.length * share)] ?? 0)} ms`;
    say(`  ${name}: p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}`);
  }
}

async function measureLarge(service: Service, { name, send }: Way): Promise<void> {
  const file = fileOf(LARGE_BYTES);
  const startedMs = performance.now();
  await send(service, file);
  const seconds = (performance.now() - startedMs) / 1000;
  say(`${name}: one file of ${LARGE_BYTES / MIB} MiB: ${(LARGE_BYTES / MIB / seconds).toFixed(0)} MiB/s`);
}

const onePatch: Way = {
  name: 'tus, one PATCH',
  send: async (to, file) => {
    const path = await createUpload(to, file.length);
    const answer = await sendPart(to, path, { offset: 0, body: file });
    if (answer.mediaId === undefined) throw new Error(JSON.stringify(answer.body));
  },
};

const frames = Number(process.argv[2] ?? FRAMES);
await withService((service) => measureFrames(service, frames));
for (let run = 1; run <= 2; run += 1) {
  for (const way of [{ name: 'multipart', send: multipart }, onePatch]) {
    await withService((service) => measureLarge(service, way));
  }
}
