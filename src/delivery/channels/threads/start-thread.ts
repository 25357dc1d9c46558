import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';

/** A thread with a program of ours and none of the environment. */
export function startThread(program: URL): Worker {
  const compiled = getCompileCacheDir();
  // A thread does not take the cache over by itself, and without it most of its start is compiling.
  return new Worker(program, { env: compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) } });
}
