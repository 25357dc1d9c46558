/** The running service under load: memory with many cold requests at once, and hits beside a file from the same server. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createServiceFolder } from '../../test/support/process.ts';
import { median, quantile } from '../search/statistics.ts';
import type { Load, LoadResult } from './run-load.ts';

const CONCURRENT = 64;
const CONNECTIONS = 16;

async function loadWith(load: Load): Promise<LoadResult> {
  const child = spawn(process.execPath, [new URL('run-load.ts', import.meta.url).pathname], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(load));
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  // Written by run-load.ts, which ends with this line.
  return JSON.parse(output) as LoadResult;
}

export const peakMiB = async (pid: number): Promise<number> =>
  Number(/^VmHWM:\s+(\d+) kB/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
/** Linux, proc(5): the peak begins anew. */
export const forgetPeak = (pid: number): Promise<void> => writeFile(`/proc/${pid}/clear_refs`, '5');

export type ServiceFigures = {
  readonly idleMiB: number;
  /** 64 cold requests at once, of three formats. */
  readonly cold: { readonly peakMiB: number; readonly seconds: number; readonly answers: LoadResult['answers'] };
  /** The same for images that need the original. */
  readonly coldOriginal: {
    readonly peakMiB: number;
    readonly seconds: number;
    readonly answers: LoadResult['answers'];
  };
  readonly hit: Rate;
  /** The same bytes as a stored file of the service. */
  readonly file: Rate;
  /** The same bytes from `node:http` alone, in a process of its own. */
  readonly bare: Rate;
};

type Rate = { readonly perSecond: number; readonly p50Ms: number; readonly p99Ms: number; readonly bytes: number };

type Media = {
  readonly id: number;
  readonly status: string;
  readonly images: { readonly url: string };
  readonly qualities: { readonly photographer: { readonly url: string } };
};

async function startStatic(path: string): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const child = spawn(process.execPath, [new URL('run-static.ts', import.meta.url).pathname, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: line.toString().trim(), child };
}

const rateOf = (results: readonly LoadResult[]): Rate => ({
  perSecond: median(results.map(({ ms, seconds }) => ms.length / seconds)),
  p50Ms: median(results.flatMap(({ ms }) => ms)),
  p99Ms: quantile(
    results.flatMap(({ ms }) => ms),
    0.99,
  ),
  bytes: median(results.map(({ ms, bytes }) => bytes / ms.length)),
});

/** Each URL in turn, so that what else the machine does falls on all. */
async function measureRates(
  urls: Readonly<Record<'hit' | 'file' | 'bare', string>>,
  options: { readonly seconds: number; readonly rounds: number },
): Promise<Readonly<Record<'hit' | 'file' | 'bare', Rate>>> {
  const results = { hit: [] as LoadResult[], file: [] as LoadResult[], bare: [] as LoadResult[] };
  for (let round = 0; round < options.rounds; round += 1) {
    for (const kind of ['hit', 'file', 'bare'] as const) {
      const result = await loadWith({ urls: [urls[kind]], connections: CONNECTIONS, seconds: options.seconds });
      const expected = kind === 'hit' ? '200 hit' : '200';
      if ((result.answers[expected] ?? 0) !== result.ms.length) {
        throw new Error(`expected ${expected} only, received ${JSON.stringify(result.answers)}`);
      }
      results[kind].push(result);
    }
  }
  return { hit: rateOf(results.hit), file: rateOf(results.file), bare: rateOf(results.bare) };
}

export async function measureService(options: {
  readonly photos: readonly Buffer[];
  readonly seconds: number;
  readonly rounds: number;
}): Promise<ServiceFigures> {
  const folder = await createServiceFolder();
  try {
    const service = await folder.start({ LOG_LEVEL: 'warn' });
    const { api_key: key } = await folder.firstRun();
    const pid = service.child.pid ?? 0;
    const upload = async (bytes: Buffer): Promise<Media> => {
      const form = new FormData();
      form.append('file', new Blob([new Uint8Array(bytes)]), 'photo.jpg');
      const headers = { 'X-Api-Key': key, Prefer: 'wait=30' };
      const answer = await fetch(`${service.url}/v1/media`, { method: 'POST', headers, body: form });
      const { media } = (await answer.json()) as { media: Media };
      if (media.status !== 'ready') throw new Error(`expected a ready asset, received ${media.status}`);
      return media;
    };
    const assets: Media[] = [];
    for (const photo of options.photos) assets.push(await upload(photo));
    const idleMiB = await peakMiB(pid);

    /** URLs that differ in the focal point, so that each is cold and costs the same. */
    const coldUrls = (query: string) =>
      Array.from({ length: CONCURRENT }, (_, n) => {
        const url = assets[n % assets.length]?.images.url ?? '';
        const format = ['jpeg', 'webp', 'avif'][n % 3];
        return `${url}?${query}&f=fp:0.${300 + n}:0.5&fmt=${format}`;
      });
    const coldLoad = async (query: string) => {
      await forgetPeak(pid);
      const { seconds, answers } = await loadWith({ urls: coldUrls(query), connections: CONCURRENT });
      return { peakMiB: await peakMiB(pid), seconds, answers };
    };
    const cold = await coldLoad('w=600&h=818');
    const coldOriginal = await coldLoad('w=2400&h=1800');

    const image = `${assets[0]?.images.url}?w=600&h=818&f=center&fmt=jpeg`;
    const answered = Buffer.from(await (await fetch(image)).arrayBuffer());
    // The very bytes of the answer, uploaded: a file of the same length from the same server.
    const file = (await upload(answered)).qualities.photographer.url;
    const path = join(folder.dataDir, 'answer.jpg');
    await writeFile(path, answered);
    const bare = await startStatic(path);
    const rates = await measureRates({ hit: image, file, bare: bare.url }, options);
    bare.child.kill();
    await service.end('SIGTERM');
    return { idleMiB, cold, coldOriginal, ...rates };
  } finally {
    await folder.remove();
  }
}
