/** Our side of the benchmark, a process of its own: puts the files that standard input names through one session of a channel. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createChannels } from '../../src/delivery/channels/index.ts';
import { readFileFrom } from '../../src/delivery/delivery-source.ts';
import type { SourceFile } from './source-files.ts';

export type SessionTask = {
  readonly kind: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, unknown>>;
  readonly concurrency: number;
  /** Folder at the target. */
  readonly place: string;
  readonly files: readonly SourceFile[];
};
export type SessionResult = {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly verified: readonly string[];
};

// As the service has it.
enableCompileCache(join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'touchline', 'compile'));
// The parent is the only one that writes to it.
const task = JSON.parse(await text(process.stdin)) as SessionTask;
const channel = createChannels({ folders: ['/'] }).get(task.kind);
if (!channel) throw new Error(`expected a kind of destination, received ${task.kind}`);
const { signal } = new AbortController();
const startedMs = performance.now();
const startedCpu = process.cpuUsage();
const session = await channel.open({ ...task, signal });
const verified = new Set<string>();
let next = 0;
const lane = async (): Promise<void> => {
  for (let file = task.files[next++]; file; file = task.files[next++]) {
    const { path, bytes, sha256 } = file;
    const result = await session.put({
      path: `${task.place}/${file.name}`,
      bytes,
      sha256,
      contentType: 'image/jpeg',
      read: readFileFrom({ path, bytes }),
      file: path,
      id: `bench-${next}`,
      isFirst: true,
      replace: true,
      signal,
    });
    verified.add(result.verified);
  }
};
await Promise.all(Array.from({ length: task.concurrency }, lane));
await session.close();
const cpu = process.cpuUsage(startedCpu);
const result: SessionResult = {
  seconds: (performance.now() - startedMs) / 1000,
  cpuSeconds: (cpu.user + cpu.system) / 1e6,
  verified: [...verified],
};
process.stdout.write(JSON.stringify(result));
