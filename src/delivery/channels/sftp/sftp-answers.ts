import { MINUTE_MS, SECOND_MS } from '../../../base/index.ts';
import { ChannelError } from '../../channel.ts';

/** One request with those that are queued before it, however slowly they move. */
const ANSWER_LIMIT_MS = 10 * MINUTE_MS;

export type Done<Result> = (error: Error | null | undefined, result: Result) => void;

/** The requests of one connection that wait for their answers. */
export type SftpAnswers = {
  /** Ends also with the signal, with the connection, and when the server has answered nothing for too long. */
  of<Result>(signal: AbortSignal, send: (done: Done<Result>) => void): Promise<Result>;
};

/** One watch for all requests: those that were asked before are answered first, and while they are, the server is there. */
export function createSftpAnswers(connection: { readonly ended: AbortSignal; readonly stallMs: number }): SftpAnswers {
  const { ended, stallMs } = connection;
  const waiting = new Set<(reason: unknown) => void>();
  let stall: NodeJS.Timeout | undefined;
  const failAll = (reason: unknown): void => {
    for (const fail of waiting) fail(reason);
  };
  ended.addEventListener('abort', () => failAll(ended.reason), { once: true });
  const leave = (fail: (reason: unknown) => void): void => {
    waiting.delete(fail);
    if (waiting.size > 0) return;
    clearTimeout(stall);
    stall = undefined;
  };
  return {
    async of(signal, send) {
      signal.throwIfAborted();
      ended.throwIfAborted();
      stall ??= setTimeout(() => failAll(noAnswer(stallMs)), stallMs);
      return new Promise((resolve, reject) => {
        const settle = (): void => {
          clearTimeout(limit);
          signal.removeEventListener('abort', onAbort);
          leave(fail);
        };
        const fail = (reason: unknown): void => {
          settle();
          reject(reason);
        };
        const onAbort = (): void => fail(signal.reason);
        const limit = setTimeout(() => fail(noAnswer(ANSWER_LIMIT_MS)), ANSWER_LIMIT_MS);
        signal.addEventListener('abort', onAbort, { once: true });
        waiting.add(fail);
        try {
          send((error, result) => {
            stall?.refresh();
            settle();
            if (error) reject(error);
            else resolve(result);
          });
        } catch (error) {
          fail(error);
        }
      });
    },
  };
}

const noAnswer = (ms: number): ChannelError =>
  new ChannelError('timeout', `expected an answer of the SFTP server within ${ms / SECOND_MS} s, received none`);
