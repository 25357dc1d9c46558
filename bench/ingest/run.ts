import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { createServiceFolder, type ServiceFolder } from '../../test/support/process.ts';

/**
 * Photographs per minute from the first byte of the upload until the last is `ready` (metadata, three tiers, faces), over
 * HTTP against a service of its own. Peer in the same run: bare sharp making the same two tiers from the same files, which
 * is the least any pipeline on this library has to do.
 */
type Workload = {
  photos: number;
  width: number;
  height: number;
  jpegQuality: number;
  concurrency: number;
  seed: number;
};

/** A picture with the entropy of a photograph: smooth shapes under sensor-like noise. */
async function drawPhoto(workload: Workload): Promise<Buffer> {
  const { width, height, jpegQuality } = workload;
  const small = sharp({
    create: {
      width: width / 20,
      height: height / 20,
      channels: 3,
      background: '#508050',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  });
  const shapes = await small.png().toBuffer();
  const noise = await sharp({
    create: { width, height, channels: 3, background: '#000', noise: { type: 'gaussian', mean: 128, sigma: 9 } },
  })
    .png({ compressionLevel: 1 })
    .toBuffer();
  return sharp(shapes)
    .resize(width, height, { kernel: 'cubic' })
    .composite([{ input: noise, blend: 'soft-light' }])
    .jpeg({ quality: jpegQuality })
    .toBuffer();
}

async function inParallel(count: number, total: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < total) {
      next += 1;
      await work(next);
    }
  };
  await Promise.all(Array.from({ length: count }, lane));
}

async function measureService(
  folder: ServiceFolder,
  workload: Workload,
  photo: Buffer,
): Promise<{ seconds: number; ready: number }> {
  const service = await folder.start({ LOG_LEVEL: 'warn' });
  const { api_key: key } = await folder.firstRun();
  const search = async (status: string): Promise<number> => {
    const response = await fetch(`${service.url}/v1/media/search`, {
      method: 'POST',
      headers: { 'X-Api-Key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ status, limit: 0 }),
    });
    return ((await response.json()) as { total: number }).total;
  };
  const upload = async (n: number) => {
    const form = new FormData();
    // Bytes behind the end of a JPEG change its content hash and nothing else.
    form.append('file', new Blob([new Uint8Array(photo), `frame ${n}`]), `frame-${n}.jpg`);
    const response = await fetch(`${service.url}/v1/media`, {
      method: 'POST',
      headers: { 'X-Api-Key': key },
      body: form,
    });
    if (response.status !== 201) throw new Error(`upload ${n} answered ${response.status}`);
    await response.arrayBuffer();
  };
  const startedMs = performance.now();
  await inParallel(workload.concurrency, workload.photos, upload);
  const uploadedMs = performance.now();
  while ((await search('processing')) > 0) await new Promise((resolve) => setTimeout(resolve, 100));
  const seconds = (performance.now() - startedMs) / 1000;
  console.log(`uploaded in ${((uploadedMs - startedMs) / 1000).toFixed(1)} s`);
  const ready = await search('ready');
  await service.end('SIGTERM');
  return { seconds, ready };
}

async function measureSharp(workload: Workload, photo: Buffer): Promise<number> {
  const startedMs = performance.now();
  await inParallel(availableParallelism(), workload.photos, async () => {
    const compressed = await sharp(photo)
      .autoOrient()
      .resize(2048, 2048, { fit: 'inside' })
      .jpeg({ quality: 82 })
      .toBuffer();
    await sharp(compressed).resize(480, 480, { fit: 'inside' }).jpeg({ quality: 80 }).toBuffer();
  });
  return (performance.now() - startedMs) / 1000;
}

const workload = JSON.parse(await readFile(join(import.meta.dirname, 'workload.json'), 'utf8')) as Workload;
const folder = await createServiceFolder();
try {
  const photo = await drawPhoto(workload);
  const megapixels = ((workload.width * workload.height) / 1e6).toFixed(0);
  console.log(
    `${workload.photos} photographs of ${megapixels} MP, ${(photo.length / 1e6).toFixed(1)} MB each, ${availableParallelism()} cores`,
  );
  const { seconds, ready } = await measureService(folder, workload, photo);
  const peer = await measureSharp(workload, photo);
  const rate = (ready / seconds) * 60;
  const peerRate = (workload.photos / peer) * 60;
  console.log(
    `touchline  ${seconds.toFixed(1)} s  ${rate.toFixed(0)} photographs/min (${ready} of ${workload.photos} ready)`,
  );
  console.log(`bare sharp ${peer.toFixed(1)} s  ${peerRate.toFixed(0)} photographs/min, two tiers only`);
  console.log(`ratio      ${(rate / peerRate).toFixed(2)}`);
  if (ready !== workload.photos) process.exitCode = 1;
} finally {
  await folder.remove();
}
