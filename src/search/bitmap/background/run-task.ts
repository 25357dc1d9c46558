import { Worker } from 'node:worker_threads';
import { AppError } from '../../../base/index.ts';
import type { Answer, Task, TaskResult } from './tasks.ts';

/** Words of ten million assets lie in the thread's heap while a segment is made. */
const HEAP_MB = 4096;

/**
 * Runs a task in a thread of its own, so that requests go on meanwhile. The signal ends the thread.
 * @throws AppError `unavailable` when the task failed; the signal's reason
 */
export async function runTask(task: Task, signal: AbortSignal): Promise<TaskResult> {
  signal.throwIfAborted();
  const worker = new Worker(new URL('./segment-worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  let onAbort = (): void => {};
  try {
    return await new Promise<TaskResult>((resolve, reject) => {
      onAbort = () => reject(signal.reason);
      const fail = (reason: string) => reject(new AppError('unavailable', `the search index: ${reason}`));
      signal.addEventListener('abort', onAbort, { once: true });
      worker.once('error', (error) => fail(error.message));
      worker.once('exit', (code) => fail(`its thread ended with code ${code}`));
      // The thread's only message.
      worker.once('message', (answer: Answer) => ('error' in answer ? fail(answer.error) : resolve(answer.result)));
    });
  } finally {
    // The signal lives as long as the service: by its listener it would hold every result, a whole index each.
    signal.removeEventListener('abort', onAbort);
    await worker.terminate();
  }
}
