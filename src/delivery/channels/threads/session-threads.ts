import { availableParallelism } from 'node:os';
import type { ChannelSession } from '../../channel.ts';
import { openSessionThread } from './session-thread.ts';
import type { SessionTarget } from './thread-messages.ts';

const THREADS_MAX = 4;

type Lane = { readonly session: ChannelSession; puts: number };

/**
 * One session made of several, each in a thread with connections of its own: one for each put at once, as far as there are processors.
 * A further one is opened when all have something to do. A target that refuses more has fewer.
 * @throws ChannelError, or the signal's reason
 */
export async function openSessionThreads(
  program: URL,
  target: SessionTarget<unknown, unknown> & { readonly signal: AbortSignal },
): Promise<ChannelSession> {
  const closing = new AbortController();
  const first = await openSessionThread(program, target);
  const lanes: Lane[] = [{ session: first, puts: 0 }];
  let most = Math.min(target.concurrency, availableParallelism(), THREADS_MAX);
  let starting: Promise<void> | undefined;
  const start = async (): Promise<void> => {
    try {
      const session = await openSessionThread(program, { ...target, signal: closing.signal });
      lanes.push({ session, puts: 0 });
    } catch {
      // Enough: the others go on, and meet a fault that is of all themselves.
      most = lanes.length;
    } finally {
      starting = undefined;
    }
  };
  const leastBusy = (): Lane | undefined => lanes.toSorted((left, right) => left.puts - right.puts)[0];
  return {
    ...first,
    async put(options) {
      const lane = leastBusy() ?? { session: first, puts: 0 };
      if (lane.puts > 0 && lanes.length < most) starting ??= start();
      lane.puts += 1;
      try {
        return await lane.session.put(options);
      } finally {
        lane.puts -= 1;
      }
    },
    async close() {
      closing.abort();
      await starting;
      await Promise.all(lanes.map(({ session }) => session.close()));
    },
  };
}
