import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HostileFile, makeCorpus } from '../support/hostile/corpus.ts';
import type { Drawn } from '../support/hostile/drawn.ts';
import type { RenderOutcome, RenderTask } from '../support/hostile/render-process.ts';
import { createServiceFolder, type RunningService, type ServiceFolder } from '../support/process.ts';
import type { Json } from '../support/app.ts';

/** What may be said of a file that cannot be shown. */
const REFUSALS = ['file_damaged', 'file_limits_exceeded', 'unsupported_media_type'];
/** 512 for one decode, 70 for the process, and what the allocator keeps of those before. */
const MAX_PEAK_MIB = 800;
/** Three photos are processed at a time on two cores, of 512 each at most, beside 264 for the service. */
const SERVICE_PEAK_MIB = 1800;
/** A render has 10 s on a machine that does nothing else; a hang is more than that. */
const DEADLINE_MS = 40_000;
/** Decoding these takes a second and more each, whatever is asked for. */
const HEAVY = /144 MP|12000 x 12000|large canvas/;

/** Small first, then everything else that a URL can ask for, in turns. */
const PLAIN = { w: '200', fmt: 'jpeg' };
const OTHERS: readonly Readonly<Record<string, string>>[] = [
  { w: '100', h: '150', f: 'attention', fmt: 'webp' },
  { w: '120', fmt: 'webp', anim: '1' },
  { w: '300', meta: 'all', fmt: 'jpeg' },
  { w: '64', h: '64', f: 'face', z: '1', fmt: 'avif' },
  { w: '200', h: '200', rot: '90', fit: 'contain', bg: '336699', fmt: 'png' },
  { w: '90', trim: '10', blur: '3', fmt: 'jpeg' },
  { w: '200', redact: 'faces', fmt: 'webp' },
  { w: '400', maxbytes: '5000', fmt: 'jpeg' },
];

let folder: string;
let sound: readonly Drawn[];
let hostile: readonly HostileFile[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchline-hostile-'));
  ({ sound, hostile } = await makeCorpus());
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Job = RenderTask & { readonly name: string };
type Finding = RenderOutcome & { readonly name: string; readonly query: string };

async function startRenderer(): Promise<ChildProcess> {
  const child = fork(new URL('../support/hostile/render-process.ts', import.meta.url), {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [],
  });
  await once(child, 'message');
  return child;
}

/** One file in a process; undefined when it did not answer in time, or ended. */
function renderIn(child: ChildProcess, task: RenderTask): Promise<RenderOutcome | undefined> {
  return new Promise((resolve) => {
    const settle = (outcome: RenderOutcome | undefined) => {
      clearTimeout(timer);
      child.off('message', settle).off('exit', lost);
      resolve(outcome);
    };
    const lost = () => settle(undefined);
    const timer = setTimeout(lost, DEADLINE_MS);
    child.once('message', settle).once('exit', lost);
    child.send(task);
  });
}

/** All jobs in two processes; one that is lost is replaced. */
async function renderAll(jobs: readonly Job[]): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const waiting = [...jobs];
  const lane = async () => {
    let child = await startRenderer();
    for (let job = waiting.shift(); job; job = waiting.shift()) {
      const { name, query } = job;
      const answer = await renderIn(child, { path: job.path, query });
      const outcome = answer ?? { outcome: `no answer in ${DEADLINE_MS} ms`, ms: DEADLINE_MS, peakMiB: 0 };
      findings.push({ ...outcome, name, query: new URLSearchParams(query).toString() });
      if (answer) continue;
      child.kill('SIGKILL');
      child = await startRenderer();
    }
    child.disconnect();
    await once(child, 'exit');
  };
  await Promise.all([lane(), lane()]);
  return findings;
}

async function jobsOf(files: readonly HostileFile[]): Promise<readonly Job[]> {
  const jobs: Job[] = [];
  for (const [index, { name, bytes }] of files.entries()) {
    const path = join(folder, `${name.length}-${index}.jpg`);
    await writeFile(path, bytes);
    jobs.push({ name, path, query: PLAIN });
    if (!HEAVY.test(name)) jobs.push({ name, path, query: OTHERS[index % OTHERS.length] ?? PLAIN });
  }
  return jobs;
}

describe('the renderer', () => {
  test('more than 300 different hostile files are tried', () => {
    expect(new Set(hostile.map(({ name }) => name)).size).toBe(hostile.length);
    expect(hostile.length).toBeGreaterThan(300);
  });

  test('sound pictures of all formats that it reads become pictures', { timeout: 60_000 }, async () => {
    const readable = sound.filter(({ name }) => !name.endsWith('.heic'));
    const findings = await renderAll(await jobsOf(readable));
    expect(findings.filter(({ outcome }) => outcome !== 'picture')).toEqual([]);
    expect(findings).toHaveLength(readable.length * 2);
  });

  test('a hostile file becomes a picture or is refused, in bounded time and memory', { timeout: 180_000 }, async () => {
    const findings = await renderAll(await jobsOf(hostile));
    expect(new Set(findings.map(({ name }) => name)).size).toBe(hostile.length);
    const unexpected = findings.filter(({ outcome }) => outcome !== 'picture' && !REFUSALS.includes(outcome));
    expect(unexpected).toEqual([]);
    expect(findings.filter(({ peakMiB }) => peakMiB > MAX_PEAK_MIB)).toEqual([]);
    // The corpus is no heap of files that are refused at their first byte.
    const shares = [...REFUSALS, 'picture'].map((one) => findings.filter(({ outcome }) => outcome === one).length);
    for (const count of shares) expect(count).toBeGreaterThan(30);
  });
});

/** Those that cost most, and some of all others. */
const isUploaded = ({ name }: HostileFile, index: number) =>
  index % 12 === 0 || /zeros|gigabyte|scans|frames|canvas|directories/.test(name);

describe('the service', () => {
  let service: ServiceFolder;
  let running: RunningService;
  let key: string;

  beforeAll(async () => {
    service = await createServiceFolder();
    running = await service.start({ LOG_LEVEL: 'warn' });
    key = (await service.firstRun()).api_key;
  });
  afterAll(async () => {
    await running.end('SIGTERM');
    await service.remove();
  });

  const call = async (
    method: string,
    path: string,
    body?: FormData,
  ): Promise<{ readonly status: number; readonly body: Json }> => {
    const answer = await fetch(`${running.url}${path}`, {
      method,
      headers: { 'X-Api-Key': key, Prefer: 'wait=30' },
      ...(body && { body }),
    });
    return { status: answer.status, body: (await answer.json()) as Json };
  };

  /** How an upload ended: refused, failed, or ready with a picture that can be had. */
  const upload = async ({ name, bytes }: HostileFile): Promise<string> => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(bytes)]), 'photo.jpg');
    const sent = await call('POST', '/v1/media', form);
    if (sent.status >= 400) return `refused: ${sent.body['code']}`;
    let media = sent.body['media'] as Json;
    while (media['status'] === 'processing') {
      await delay(200);
      media = (await call('GET', `/v1/media/${media['id']}`)).body;
    }
    if (media['status'] === 'failed') return `failed: ${media['failure'].code}`;
    expect(media['status'], name).toBe('ready');
    const image = await fetch(`${media['images'].url}?w=100&h=100&fmt=jpeg`);
    expect([name, image.status, image.headers.get('content-type')]).toEqual([name, 200, 'image/jpeg']);
    await image.arrayBuffer();
    return 'ready';
  };

  test('hostile uploads are refused, fail with a reason, or are shown', { timeout: 180_000 }, async () => {
    const files = hostile.filter(isUploaded);
    expect(files.length).toBeGreaterThan(70);
    const ends = new Map<string, number>();
    const waiting = [...files];
    const lane = async () => {
      for (let file = waiting.shift(); file; file = waiting.shift()) {
        const end = await upload(file);
        ends.set(end, (ends.get(end) ?? 0) + 1);
      }
    };
    await Promise.all([lane(), lane(), lane()]);
    const allowed = [
      'ready',
      'refused: file_empty',
      'refused: unsupported_media_type',
      ...REFUSALS.map((code) => `failed: ${code}`),
    ];
    expect([...ends.keys()].filter((end) => !allowed.includes(end))).toEqual([]);
    for (const end of ['ready', 'failed: file_damaged', 'failed: file_limits_exceeded']) {
      expect(ends.get(end), end).toBeGreaterThan(10);
    }
    const status = await readFile(`/proc/${running.child.pid}/status`, 'utf8');
    expect(Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1024).toBeLessThan(SERVICE_PEAK_MIB);
    expect((await fetch(`${running.url}/readyz`)).status).toBe(200);
  });
});
