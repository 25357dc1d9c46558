import { expect, test } from 'vitest';
import { ChannelError, type ChannelSession, type FaultCode } from './channel.ts';
import { createSessionHolder } from './session-holder.ts';

function createHolder() {
  let [opened, closed] = [0, 0];
  const none = (): never => {
    throw new Error('not in this test');
  };
  const sessions = createSessionHolder(async (): Promise<ChannelSession> => {
    opened += 1;
    const calls = { put: none, stat: none, read: none, remove: none, leftovers: none, removeLeftover: none };
    return {
      ...calls,
      close: async () => {
        closed += 1;
      },
    };
  });
  const fail = (code: FaultCode) => sessions.use(() => Promise.reject(new ChannelError(code, code))).catch(() => {});
  return { sessions, fail, counts: () => ({ opened, closed }) };
}

test.each(['busy', 'name_taken', 'permission'] as const)(
  'a target that says %s answers: its session serves the next one too',
  async (code) => {
    const { sessions, fail, counts } = createHolder();
    await fail(code);
    await sessions.use(async () => {});
    expect(counts()).toEqual({ opened: 1, closed: 0 });
    await sessions.close();
    expect(counts()).toEqual({ opened: 1, closed: 1 });
  },
);

test.each(['connection_lost', 'timeout', 'failed'] as const)(
  'after %s the next one gets a new session',
  async (code) => {
    const { sessions, fail, counts } = createHolder();
    await fail(code);
    expect(counts()).toEqual({ opened: 1, closed: 1 });
    await sessions.use(async () => {});
    expect(counts()).toEqual({ opened: 2, closed: 1 });
  },
);
