import { ChannelError, type ChannelSession } from './channel.ts';

export type SessionHolder = {
  /** Runs `work` with the session that all share, which is opened for the first one and after a fault of the connection. */
  use<T>(work: (session: ChannelSession) => Promise<T>): Promise<T>;
  /** Whether `use` threw this because no session could be opened. */
  isOfOpening(error: unknown): boolean;
  close(): Promise<void>;
};

/**
 * One session for many puts. A target that refuses for good is not asked again in this run: a thousand tries with a wrong password
 * lock accounts.
 */
export function createSessionHolder(open: () => Promise<ChannelSession>): SessionHolder {
  type Held = { readonly opening: Promise<ChannelSession>; users: number; isBroken: boolean };
  let current: Held | undefined;
  let refusal: ChannelError | undefined;
  const ofOpening = new WeakSet<object>();

  const leave = async (held: Held): Promise<void> => {
    held.users -= 1;
    if (!held.isBroken || held.users > 0) return;
    const session = await held.opening.catch(() => undefined);
    await session?.close();
  };
  const breakOff = (held: Held): void => {
    held.isBroken = true;
    if (current === held) current = undefined;
  };

  return {
    async use(work) {
      if (refusal) throw refusal;
      const held: Held = (current ??= { opening: open(), users: 0, isBroken: false });
      held.users += 1;
      try {
        const session = await held.opening.catch((error: unknown) => {
          breakOff(held);
          if (typeof error === 'object' && error !== null) ofOpening.add(error);
          if (error instanceof ChannelError && error.permanent) refusal = error;
          throw error;
        });
        return await work(session);
      } catch (error) {
        // A target that is busy answers, and its session may know how much it takes at once.
        if (error instanceof ChannelError && !error.permanent && error.code !== 'busy') breakOff(held);
        throw error;
      } finally {
        await leave(held);
      }
    },
    isOfOpening: (error) => typeof error === 'object' && error !== null && ofOpening.has(error),
    async close() {
      const held = current;
      current = undefined;
      const session = await held?.opening.catch(() => undefined);
      await session?.close();
    },
  };
}
