import { availableParallelism } from 'node:os';
import type { ChannelSession } from '../../channel.ts';
import { openSessionLanes } from './session-lanes.ts';
import { openSessionThread } from './session-thread.ts';
import type { SessionTarget } from './thread-messages.ts';

const THREADS_MAX = 4;

/**
 * A session in threads, on up to half of the processors: who receives or prepares the files has work too.
 * @throws ChannelError, or the signal's reason
 */
export async function openSessionThreads(
  program: URL,
  target: SessionTarget<unknown, unknown> & { readonly signal: AbortSignal },
): Promise<ChannelSession> {
  const processors = Math.max(1, Math.floor(availableParallelism() / 2));
  const most = Math.min(target.concurrency, processors, THREADS_MAX);
  const concurrency = Math.ceil(target.concurrency / most);
  return openSessionLanes({
    most,
    signal: target.signal,
    open: (signal) => openSessionThread(program, { ...target, concurrency, signal }),
  });
}
