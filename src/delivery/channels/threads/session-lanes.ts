import type { ChannelSession } from '../../channel.ts';

type Lane = { readonly session: ChannelSession; puts: number };

/**
 * One session made of several, each with connections of its own: a further one is opened when all have a put to do, up to `most`. A
 * target that refuses more has fewer. @throws what `open` throws for the first one
 */
export async function openSessionLanes(options: {
  readonly most: number;
  readonly signal: AbortSignal;
  readonly open: (signal: AbortSignal) => Promise<ChannelSession>;
}): Promise<ChannelSession> {
  const closing = new AbortController();
  const first: Lane = { session: await options.open(options.signal), puts: 0 };
  const lanes = [first];
  let { most } = options;
  let starting: Promise<void> | undefined;
  const start = async (): Promise<void> => {
    try {
      lanes.push({ session: await options.open(closing.signal), puts: 0 });
    } catch {
      // The others go on, and meet themselves a fault that is of all.
      most = lanes.length;
    } finally {
      starting = undefined;
    }
  };
  return {
    ...first.session,
    async put(put) {
      const lane = lanes.reduce((least, one) => (one.puts < least.puts ? one : least), first);
      if (lane.puts > 0 && lanes.length < most) starting ??= start();
      lane.puts += 1;
      try {
        return await lane.session.put(put);
      } finally {
        lane.puts -= 1;
      }
    },
    async close() {
      most = 0;
      closing.abort();
      await starting;
      await Promise.all(lanes.map(({ session }) => session.close()));
    },
  };
}
