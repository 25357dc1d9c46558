import { setTimeout as delay } from 'node:timers/promises';
import { SECOND_MS } from '../../../base/index.ts';
import { replyCode } from './ftp-faults.ts';

/** Half a second, then 1, 2, 4, 8 and 16: the ports of past transfers are let go after a minute at most. */
const TRIES = 7;
const FIRST_WAIT_MS = SECOND_MS / 2;

type Room = {
  readonly signal: AbortSignal;
  /** Not for one refusal: two transfers that begin at the same moment may meet at one port. */
  readonly onFull: () => void;
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
};

/** Tries again while `begin` ends with 425 before a byte has passed. Whoever waits keeps the connection, so that none begins in its place. */
export async function whenThereIsRoom<Result>(begin: () => Promise<Result>, room: Room): Promise<Result> {
  const { signal, onFull, wait = (ms) => delay(ms, undefined, { signal }) } = room;
  for (let tries = 1; ; tries += 1) {
    try {
      return await begin();
    } catch (error) {
      if (replyCode(error) !== 425 || tries === TRIES) throw error;
      if (tries > 1) onFull();
      await wait(FIRST_WAIT_MS * 2 ** (tries - 1) * (0.5 + Math.random()), signal);
    }
  }
}
