import { Worker } from 'node:worker_threads';
import { compileCacheEnv } from '../compile-cache.ts';

/** The least that V8 has. With its 48 it looks through the whole of a small heap again and again, whatever buffers die young. */
const YOUNG_GENERATION_MIB = 3;

/** A thread with a program of ours and none of the environment. */
export function startThread(program: URL): Worker {
  const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB };
  return new Worker(program, { env: { ...compileCacheEnv() }, resourceLimits });
}
