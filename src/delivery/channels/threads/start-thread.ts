import { Worker } from 'node:worker_threads';
import { compileCacheEnv } from '../compile-cache.ts';

/** A thread with a program of ours and none of the environment. */
export function startThread(program: URL): Worker {
  return new Worker(program, { env: { ...compileCacheEnv() } });
}
