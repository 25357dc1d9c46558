/**
 * `POST /v1/media/search` of the real service over HTTP: the service and its embedded PostgreSQL on one core, the load on
 * another. `node bench/search/run-http.ts [assets] [options]`
 *
 *   --connections=32 --seconds=15 --page-size=20
 *   --classes=rare_tag,only     only these, in turn; default: all of the workload
 *   --no-alone                  leaves out the load of each class by itself
 *   --engine=bitmap             or postgres
 *   --postgres-elsewhere        PostgreSQL may use every core, the service's own process one
 *   --profile=<folder>          writes a CPU profile of the service there
 *   --data-dir=<folder>         keeps the library there and uses it again (made with --complete)
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort } from '../../test/support/app.ts';
import { createRandom } from '../tag-lookup/generator.ts';
import { createBenchKey } from './bench-key.ts';
import { APPLICATION_NAME, type DataFolder, openDataFolder, openServer } from './data-folder.ts';
import { generateTags } from './generator.ts';
import type { LoadRequest, LoadResult } from './load-generator.ts';
import { generateRequests } from './queries.ts';
import { mib, percentiles, timed } from './statistics.ts';
import { createTagWords } from './tag-words.ts';
import { toBody } from './wire.ts';
import workload from './workload.json' with { type: 'json' };

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const SERVICE_CORE = '0';
const LOAD_CORE = '1';
const START_LIMIT_MS = 10 * 60_000;
/** Different ones, so that most assets of a page are shown for the first time. */
const QUERIES_PER_CLASS = 1000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: {
    connections: { type: 'string', default: '32' },
    seconds: { type: 'string', default: '15' },
    'page-size': { type: 'string', default: '20' },
    classes: { type: 'string', default: workload.classes.join(',') },
    engine: { type: 'string', default: 'bitmap' },
    'postgres-elsewhere': { type: 'boolean', default: false },
    alone: { type: 'boolean', default: true },
    profile: { type: 'string' },
    'data-dir': { type: 'string' },
  },
});
const assets = Number(positionals[0] ?? workload.sizes[0]);
const connections = Number(values.connections);
const seconds = Number(values.seconds);
const pageSize = Number(values['page-size']);

async function startService(folder: DataFolder) {
  const port = await freePort();
  const main = join(import.meta.dirname, '..', '..', 'src', 'main.ts');
  const profile = values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`];
  const child = spawn('taskset', ['-c', SERVICE_CORE, process.execPath, ...profile, main, 'serve'], {
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: folder.path,
      PORT: String(port),
      SAMPLE: '0',
      LOG_LEVEL: 'warn',
      SEARCH_ENGINE: values.engine,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const startedMs = performance.now();
  while (!output.includes('Ctrl-C stops it')) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}: ${output}`);
    await delay(20);
  }
  return { child, url: `http://127.0.0.1:${port}`, startMs: performance.now() - startedMs };
}

/** The first search, and how long until the index in memory answers (a figure of its bytes in /metrics says so). */
async function untilLoaded(url: string, key: string): Promise<void> {
  const search = async () => {
    const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' };
    const response = await fetch(`${url}/v1/media/search`, { method: 'POST', headers, body: '{"limit":20}' });
    await response.text();
    if (response.status !== 200) throw new Error(`answered ${response.status}`);
  };
  const startedMs = performance.now();
  const first = await timed(search);
  if (values.engine === 'bitmap') {
    for (;;) {
      const metrics = await (await fetch(`${url}/metrics`, { headers: { 'X-Api-Key': key } })).text();
      if (/^touchline_search_index_bytes\{.*\} [1-9]/m.test(metrics)) break;
      if (performance.now() - startedMs > START_LIMIT_MS) throw new Error('expected an index within 10 minutes');
      await delay(50);
    }
  }
  const loadedMs = performance.now() - startedMs;
  print(`first search: ${first.ms.toFixed(0)} ms; index in memory after ${(loadedMs / 1000).toFixed(1)} s`);
}

async function runLoad(request: LoadRequest): Promise<LoadResult> {
  const script = join(import.meta.dirname, 'load-generator.ts');
  const child = spawn('taskset', ['-c', LOAD_CORE, process.execPath, script], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(request));
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (code !== 0) throw new Error(`the load generator ended with ${String(code)}`);
  return JSON.parse(output) as LoadResult;
}

function line(name: string, { answered, seconds: tookSeconds, ms, bytes }: LoadResult): string {
  const rate = (answered / tookSeconds).toFixed(0);
  return `| ${name} | ${rate} | ${percentiles(ms)} | ${(bytes / answered / 1024).toFixed(1)} |`;
}

function bodiesOf(folder: DataFolder, names: readonly string[]): readonly string[] {
  const tagWords = createTagWords(generateTags());
  const counts = Uint32Array.from(folder.facts.counts);
  const byClass = names.map((name) => {
    const random = createRandom(workload.seed + 9100 + workload.classes.indexOf(name));
    return generateRequests(name, { counts, assets, tagWords, random, count: QUERIES_PER_CLASS });
  });
  // One of each class in turn.
  return Array.from({ length: QUERIES_PER_CLASS }, (_, at) =>
    byClass.flatMap((ofClass) => {
      const request = ofClass[at % ofClass.length];
      return request ? [toBody(request, pageSize)] : [];
    }),
  ).flat();
}

const folder = await openDataFolder(values['data-dir'], { assets, complete: true, actions: false });
try {
  const key = await createBenchKey(folder.path, { leaveServerRunning: values['postgres-elsewhere'] });
  const { child, url, startMs } = await startService(folder);
  try {
    print(`${assets} assets, ${values.engine} engine; service started in ${(startMs / 1000).toFixed(1)} s`);
    await untilLoaded(url, key);
    const load = { url, key, connections, seconds };
    const names = values.classes.split(',');
    const bodies = bodiesOf(folder, names);
    await runLoad({ ...load, bodies, seconds: Math.min(5, seconds) });
    print(`pages of ${pageSize}, ${connections} connections, ${seconds} s each; milliseconds at 50 %, 95 % and 99 %\n`);
    print('| load | searches/s | p50, p95, p99 ms | KiB an answer |\n|---|--:|--:|--:|');
    const most = await runLoad({ ...load, bodies });
    print(line(`all classes in turn, each connection waits for its answer`, most));
    const rate = Math.max(1, Math.round(most.answered / most.seconds / 2));
    print(line(`the same at a fixed ${rate} a second`, await runLoad({ ...load, bodies, rate })));
    const one = { ...load, seconds: Math.min(3, seconds) };
    for (const name of values.alone ? names : []) {
      print(line(`\`${name}\` alone`, await runLoad({ ...one, connections: 1, bodies: bodiesOf(folder, [name]) })));
    }
    const page = await fetch(`${url}/metrics`, { headers: { 'X-Api-Key': key } });
    const rss = /^process_resident_memory_bytes (?<bytes>\S+)/m.exec(await page.text())?.groups?.['bytes'];
    if (rss !== undefined) print(`\nprocess RSS of the service: ${mib(Number(rss))}`);
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
} finally {
  const server = await openServer(folder.path);
  await server.stop({ applicationName: APPLICATION_NAME });
  await folder.remove();
}
