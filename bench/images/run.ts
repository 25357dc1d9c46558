/**
 * Images from 24 and 50 megapixel photographs: the image service beside IPX, sharp from the original, and sharp from the
 * service's own tier. Each contender is a process of its own; they take turns, so that what else the machine does falls on
 * all. `--quick` takes fewer of everything; `--no-service` leaves out the running service.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { decodePhoto } from '../../src/ingest/photo/pixels.ts';
import { writeTiers } from '../../src/ingest/photo/tiers.ts';
import { median, quantile } from '../search/statistics.ts';
import { type Case, CONTENDERS, type ContenderName, type Format, type Photo, type Setup } from './contenders.ts';
import { drawPhoto } from './photo.ts';
import type { Task, TaskResult } from './run-contender.ts';
import { forgetPeak, measureService, peakMiB } from './service-load.ts';
import { type Luma, lumaOf, ssim } from './ssim.ts';

type Effort = {
  readonly rounds: number;
  readonly each: Readonly<Record<Format, number>>;
  readonly throughput: Readonly<Record<Format, number>>;
  readonly loadSeconds: number;
  readonly loadRounds: number;
};
type Workload = Pick<Setup, 'faces' | 'encoders'> & {
  readonly seed: number;
  readonly jpegQuality: number;
  readonly photos: readonly { readonly name: string; readonly width: number; readonly height: number }[];
  readonly cases: readonly Case[];
  readonly full: Effort;
  readonly quick: Effort;
};

type Row = {
  readonly name: ContenderName;
  readonly p50: number;
  readonly p99: number;
  readonly perSecond: number;
  readonly bytes: number;
  readonly similarity: number | undefined;
};

const say = (line: string) => console.log(line);
const workload = JSON.parse(await readFile(join(import.meta.dirname, 'workload.json'), 'utf8')) as Workload;
const effort = process.argv.includes('--quick') ? workload.quick : workload.full;
/** `--cases=600x818` takes the cases with that in their name. */
const part = process.argv.find((argument) => argument.startsWith('--cases='))?.slice('--cases='.length) ?? '';
const cores = availableParallelism();

async function preparePhoto(shape: Workload['photos'][number], folder: string): Promise<Photo> {
  const { name, width, height } = shape;
  const drawn = await drawPhoto({ width, height, seed: workload.seed, quality: workload.jpegQuality });
  const workDir = join(folder, name.replace(' ', '-'));
  await mkdir(workDir);
  const path = join(folder, `${name.replace(' ', '-')}.jpg`);
  await writeFile(path, drawn);
  const { pixels } = await decodePhoto({ path, orientation: 'embedded', maxSidePx: 2048, timeoutMs: 60_000 });
  const { compressed, thumbnail } = await writeTiers({ pixels, details: {}, workDir });
  const hash = createHash('sha256').update(drawn).digest('hex').slice(0, 12);
  const tier = `${compressed.width}x${compressed.height} of ${(compressed.bytes / 1e6).toFixed(2)} MB`;
  say(`${name}: ${width}x${height}, ${(drawn.length / 1e6).toFixed(1)} MB, sha256 ${hash}; tier ${tier}`);
  return { name, width, height, path, compressed, thumbnail };
}

async function start(name: ContenderName, setup: Setup): Promise<ChildProcess> {
  const child = fork(new URL('run-contender.ts', import.meta.url), { execArgv: [] });
  child.send({ name, setup });
  await once(child, 'message');
  return child;
}

async function perform(child: ChildProcess, task: Task): Promise<TaskResult> {
  child.send(task);
  const [result] = (await once(child, 'message')) as [TaskResult];
  return result;
}

/** Places from which the middle may be cut, in pixels of the original from its centre: up to a pixel of the answer. */
const SHIFTS = [-6, -4, -3, -2, -1, 0, 1, 2, 3, 4, 6];

/**
 * What the image should look like: all pixels of the original, scaled without loss. At which part of a pixel a cut begins is a
 * matter of rounding and not of quality, but similarity falls with it: there is a reference for each place.
 */
async function referencesOf({ path, width, height }: Photo, asked: Case): Promise<readonly Luma[]> {
  const { data } = await sharp(path).raw().toBuffer({ resolveWithObject: true });
  const scale = Math.min(width / asked.width, height / asked.height);
  const window = { width: Math.round(asked.width * scale), height: Math.round(asked.height * scale) };
  const [left, top] = [Math.floor((width - window.width) / 2), Math.floor((height - window.height) / 2)];
  const references: Luma[] = [];
  for (const shift of SHIFTS) {
    const place = { left: left + (left > 8 ? shift : 0), top: top + (top > 8 ? shift : 0) };
    const part = sharp(data, { raw: { width, height, channels: 3 } }).extract({ ...place, ...window });
    const scaled = part.resize(asked.width, asked.height, { fit: 'fill', kernel: 'lanczos3' });
    references.push(await lumaOf(await scaled.png({ compressionLevel: 1 }).toBuffer()));
    if (left <= 8 && top <= 8) break;
  }
  return references;
}

function squaredError(a: Luma, b: Luma): number {
  let sum = 0;
  for (let px = 0; px < a.values.length; px += 1) sum += ((a.values[px] ?? 0) - (b.values[px] ?? 0)) ** 2;
  return sum;
}

/** Similarity to the reference that was cut at the same place. */
function similarityTo(references: readonly Luma[], image: Luma): number | undefined {
  const nearest = references.toSorted((a, b) => squaredError(a, image) - squaredError(b, image))[0];
  return nearest && ssim(nearest, image);
}

type Processes = ReadonlyMap<ContenderName, ChildProcess>;

async function measureCase(asked: Case, photo: Photo, processes: Processes): Promise<readonly Row[]> {
  // Only the service knows where the face is.
  const names = [...processes.keys()].filter((name) => asked.zoom === undefined || name === 'touchline');
  const ms = new Map<ContenderName, number[]>(names.map((name) => [name, []]));
  const rates = new Map<ContenderName, number[]>(names.map((name) => [name, []]));
  const images = new Map<ContenderName, Buffer>();
  const run = async (name: ContenderName, count: number, lanes: number) => {
    const child = processes.get(name);
    if (!child) throw new Error(`expected a process for ${name}`);
    return perform(child, { asked, count, lanes });
  };
  for (const name of names) await run(name, 1, 1);
  for (let round = 0; round < effort.rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const result = await run(name, effort.each[asked.format], 1);
      ms.get(name)?.push(...result.ms);
      images.set(name, Buffer.from(result.image, 'base64'));
    }
  }
  for (let round = 0; round < 2; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const count = effort.throughput[asked.format];
      const { totalMs } = await run(name, count, cores);
      rates.get(name)?.push((count / totalMs) * 1000);
    }
  }
  const references = asked.zoom === undefined ? await referencesOf(photo, asked) : [];
  const rows: Row[] = [];
  for (const name of names) {
    const image = images.get(name) ?? Buffer.alloc(0);
    const { width, height } = await sharp(image).metadata();
    if (width !== asked.width || height !== asked.height) {
      throw new Error(`${name}: expected ${asked.width}x${asked.height}, received ${width}x${height}`);
    }
    const times = ms.get(name) ?? [];
    rows.push({
      name,
      p50: median(times),
      p99: quantile(times, 0.99),
      perSecond: median(rates.get(name) ?? []),
      bytes: image.length,
      similarity: similarityTo(references, await lumaOf(image)),
    });
  }
  return rows;
}

function reportCase(asked: Case, rows: readonly Row[]): void {
  say(`\n${asked.photo}, ${asked.name}`);
  say('| by | p50 ms | p99 ms | images/s | bytes | SSIM |');
  say('|---|--:|--:|--:|--:|--:|');
  for (const { name, p50, p99, perSecond, bytes, similarity } of rows) {
    const cells = [p50.toFixed(1), p99.toFixed(1), perSecond.toFixed(1), bytes, similarity?.toFixed(4) ?? ''];
    say(`| ${name} | ${cells.join(' | ')} |`);
  }
  const find = (name: ContenderName) => rows.find((row) => row.name === name);
  const [ours, peer, tier] = [find('touchline'), find('ipx'), find('sharp, tier')];
  if (!ours || !peer || !tier) return;
  const ratio = peer.p50 / ours.p50;
  bar(
    `IPX / ours, time at 50 %`,
    ratio,
    asked.bar === undefined ? undefined : ratio >= asked.bar,
    `at least ${asked.bar}`,
  );
  if (asked.bar === undefined) return;
  const bytes = ours.bytes / peer.bytes;
  bar('ours / IPX, bytes', bytes, bytes <= 1.1, 'at most 1.1');
  const similarity = (ours.similarity ?? 0) / (peer.similarity ?? 1);
  bar('ours / IPX, SSIM', similarity, similarity >= 0.98, 'at least 0.98');
  bar('ours / sharp from the same tier, time', ours.p50 / tier.p50, ours.p50 / tier.p50 <= 1.2, 'at most 1.2');
}

function bar(what: string, value: number, isMet: boolean | undefined, expected: string): void {
  const verdict = isMet === undefined ? '' : isMet ? `: bar met (${expected})` : `: BAR MISSED (${expected})`;
  say(`  ${what} ${value.toFixed(2)}${verdict}`);
}

/** 64 at once in IPX, for comparison: it has no line to wait in. */
async function measureIpxMemory(processes: Processes): Promise<number | undefined> {
  const child = processes.get('ipx');
  const asked = workload.cases.filter(({ height }) => height === 818);
  if (!child?.pid) return undefined;
  await forgetPeak(child.pid);
  const [jpeg] = asked;
  if (jpeg) await perform(child, { asked: jpeg, count: 64, lanes: 64 });
  return peakMiB(child.pid);
}

async function reportService(photos: readonly Photo[]): Promise<void> {
  const bytes = await Promise.all(photos.map(({ path }) => readFile(path)));
  const figures = await measureService({ photos: bytes, seconds: effort.loadSeconds, rounds: effort.loadRounds });
  const { idleMiB, cold, coldOriginal, hit, file, bare } = figures;
  say('\nthe running service');
  say(`  peak after start and uploads ${idleMiB.toFixed(0)} MiB`);
  for (const [name, one] of [
    ['600x818', cold],
    ['2400x1800, from the originals', coldOriginal],
  ] as const) {
    say(`  64 cold requests at once, ${name}: ${one.seconds.toFixed(1)} s, ${JSON.stringify(one.answers)}`);
    bar('  peak MiB', one.peakMiB, one === cold ? one.peakMiB < 600 : undefined, 'below 600');
  }
  const rates = [
    ['hits', hit],
    ['the same bytes as a file of the service', file],
    ['the same bytes from node:http alone', bare],
  ] as const;
  for (const [name, one] of rates) {
    const times = `${one.p50Ms.toFixed(2)}, ${one.p99Ms.toFixed(2)} ms at 50, 99 %`;
    say(`  ${name}: ${one.perSecond.toFixed(0)}/s, ${times}, ${one.bytes.toFixed(0)} bytes each`);
  }
  const toFile = hit.perSecond / file.perSecond;
  bar('hits / file, requests a second', toFile, toFile >= 0.7, 'at least 0.7');
  bar('hits / node:http, requests a second', hit.perSecond / bare.perSecond, undefined, '');
}

const folder = await mkdtemp(join(tmpdir(), 'touchline-bench-images-'));
const processes = new Map<ContenderName, ChildProcess>();
try {
  say(
    `${cores} cores, load ${loadavg()[0]?.toFixed(1)} before the run, sharp ${sharp.versions.sharp}, libvips ${sharp.versions.vips}`,
  );
  const photos: Photo[] = [];
  for (const shape of workload.photos) photos.push(await preparePhoto(shape, folder));
  const { faces, encoders } = workload;
  const setup: Setup = { photos, faces, encoders, cacheDirectory: join(folder, 'cache') };
  // Names as they stand in the table.
  for (const name of Object.keys(CONTENDERS) as ContenderName[]) processes.set(name, await start(name, setup));
  for (const asked of workload.cases.filter(({ name }) => name.includes(part))) {
    const photo = photos.find(({ name }) => name === asked.photo);
    if (photo) reportCase(asked, await measureCase(asked, photo, processes));
  }
  const ipxMiB = await measureIpxMemory(processes);
  say(`\nIPX, 64 cold JPEGs at once: peak ${ipxMiB?.toFixed(0)} MiB`);
  for (const child of processes.values()) child.disconnect();
  processes.clear();
  if (!process.argv.includes('--no-service')) await reportService(photos);
  say(`load ${loadavg()[0]?.toFixed(1)} after the run`);
} finally {
  for (const child of processes.values()) child.kill();
  await rm(folder, { recursive: true, force: true });
}
