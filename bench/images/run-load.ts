/** Asks for URLs over so many connections, in a process of its own. Input: one line of JSON (Load); output: LoadResult. */
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

export type Load = {
  readonly urls: readonly string[];
  readonly connections: number;
  /** As long as this, round and round; undefined: each URL once. */
  readonly seconds?: number;
};
export type LoadResult = {
  readonly ms: readonly number[];
  readonly seconds: number;
  readonly bytes: number;
  /** How many there were of each status and `X-Cache`. */
  readonly answers: Readonly<Record<string, number>>;
};

const load = JSON.parse(await text(process.stdin)) as Load;
const agent = new Agent({ keepAlive: true, maxSockets: load.connections });
const ms: number[] = [];
const answers: Record<string, number> = {};
let bytes = 0;
let next = 0;

function get(url: string): Promise<void> {
  const sentMs = performance.now();
  return new Promise((resolve, reject) => {
    request(url, { agent }, (response) => {
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('end', () => {
        ms.push(performance.now() - sentMs);
        const cache = response.headers['x-cache'];
        const answer = typeof cache === 'string' ? `${response.statusCode} ${cache}` : String(response.statusCode);
        answers[answer] = (answers[answer] ?? 0) + 1;
        resolve();
      });
    })
      .on('error', reject)
      .end();
  });
}

const startedMs = performance.now();
const goesOn = () =>
  load.seconds === undefined ? next < load.urls.length : performance.now() - startedMs < load.seconds * 1000;
const connection = async () => {
  while (goesOn()) await get(load.urls[next++ % load.urls.length] ?? '');
};
await Promise.all(Array.from({ length: load.connections }, connection));
agent.destroy();
const result: LoadResult = { ms, seconds: (performance.now() - startedMs) / 1000, bytes, answers };
process.stdout.write(`${JSON.stringify(result)}\n`);
