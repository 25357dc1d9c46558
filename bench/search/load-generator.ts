/**
 * Sends searches to a service and answers how long they took, as one line of JSON. In a process of its own, on another core
 * than the service. Input: one line of JSON (LoadRequest).
 */
import { Agent, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

export type LoadRequest = {
  readonly url: string;
  readonly key: string;
  readonly bodies: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  /** Searches a second, sent whether or not earlier ones were answered; undefined: each connection waits for its answer. */
  readonly rate?: number | undefined;
};

export type LoadResult = {
  readonly seconds: number;
  readonly answered: number;
  /** Of an open load: from the moment a search was due, so that waiting for a free connection counts. */
  readonly ms: readonly number[];
  readonly bytes: number;
};

const load = JSON.parse(await text(process.stdin)) as LoadRequest;
const agent = new Agent({ keepAlive: true, maxSockets: load.connections });
const headers = { 'X-Api-Key': load.key, 'Content-Type': 'application/json' };
const ms: number[] = [];
let bytes = 0;
let next = 0;

function search(dueMs: number): Promise<void> {
  const body = load.bodies[next++ % load.bodies.length] ?? '';
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      `${load.url}/v1/media/search`,
      { agent, method: 'POST', headers: { ...headers, 'Content-Length': Buffer.byteLength(body) } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          bytes += chunk.length;
        });
        response.on('end', () => {
          ms.push(performance.now() - dueMs);
          if (response.statusCode === 200) resolve();
          else
            reject(
              new Error(
                `answered ${response.statusCode}: ${Buffer.concat(chunks).toString().slice(0, 500)} to ${body}`,
              ),
            );
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

async function closed(untilMs: number): Promise<void> {
  const connection = async () => {
    while (performance.now() < untilMs) await search(performance.now());
  };
  await Promise.all(Array.from({ length: load.connections }, connection));
}

async function open(rate: number, startedMs: number, untilMs: number): Promise<void> {
  const sent: Promise<void>[] = [];
  for (let n = 0; ; n += 1) {
    const dueMs = startedMs + (n * 1000) / rate;
    if (dueMs >= untilMs) break;
    const early = dueMs - performance.now();
    if (early > 0) await delay(early);
    sent.push(search(dueMs));
  }
  await Promise.all(sent);
}

const startedMs = performance.now();
const untilMs = startedMs + load.seconds * 1000;
await (load.rate === undefined ? closed(untilMs) : open(load.rate, startedMs, untilMs));
agent.destroy();
const result: LoadResult = { seconds: (performance.now() - startedMs) / 1000, answered: ms.length, ms, bytes };
process.stdout.write(JSON.stringify(result));
