import { FTPError } from 'basic-ftp';
import { MINUTE_MS, SECOND_MS } from '../../../base/index.ts';
import { ChannelError } from '../../channel.ts';
import { withinLimit } from '../transfer.ts';
import type { FtpConnection } from './ftp-connection.ts';
import { whenThereIsRoom } from './ftp-room.ts';

/** A server without room for the transfers of so many connections: one less, and after a while one more again. */
const LOWER_EVERY_MS = SECOND_MS;
const RAISE_EVERY_MS = MINUTE_MS;
/** After this a connection is asked whether it lives: servers end idle ones, some without a word. */
const IDLE_TRUST_MS = 10 * SECOND_MS;
const NOOP_LIMIT_MS = 5 * SECOND_MS;

export type FtpPool = {
  /** Runs `work` alone on a connection; the signal's end closes it. Waits while all are in use. */
  use<Result>(signal: AbortSignal, work: (connection: FtpConnection) => Promise<Result>): Promise<Result>;
  /** Begins a transfer again, later and beside fewer connections, while the server has no port for its data. */
  transfer<Result>(signal: AbortSignal, begin: () => Promise<Result>): Promise<Result>;
  /** Work that is under way fails. */
  close(): void;
};

/**
 * Up to `size` connections; fewer where the server takes no more. FTP does one thing at a time on each.
 * `isBusy` tells the refusal of one connection too many from others.
 */
export function createFtpPool(options: {
  readonly connect: (signal: AbortSignal) => Promise<FtpConnection>;
  readonly size: number;
  readonly isBusy: (error: unknown) => boolean;
}): FtpPool {
  type Idle = { readonly connection: FtpConnection; readonly sinceMs: number };
  const idle: Idle[] = [];
  const open = new Set<FtpConnection>();
  const line: (() => void)[] = [];
  let limit = options.size;
  let changedAtMs = Number.NEGATIVE_INFINITY;
  let opening = 0;
  let isClosed = false;

  const discard = (connection: FtpConnection): void => {
    open.delete(connection);
    connection.client.close();
  };

  const lower = (): void => {
    const nowMs = performance.now();
    if (nowMs - changedAtMs < LOWER_EVERY_MS) return;
    limit = Math.max(1, Math.min(limit, open.size + opening) - 1);
    changedAtMs = nowMs;
    while (open.size > limit) {
      const spare = idle.pop();
      if (!spare) return;
      discard(spare.connection);
    }
  };
  const raise = (): void => {
    const nowMs = performance.now();
    if (limit >= options.size || nowMs - changedAtMs < RAISE_EVERY_MS) return;
    limit += 1;
    changedAtMs = nowMs;
  };

  const connect = async (signal: AbortSignal): Promise<FtpConnection | undefined> => {
    opening += 1;
    try {
      const connection = await options.connect(signal);
      if (isClosed) connection.client.close();
      else open.add(connection);
      return connection;
    } catch (error) {
      const others = open.size + opening - 1;
      if (!options.isBusy(error) || others === 0) throw error;
      limit = others;
      changedAtMs = performance.now();
      return undefined;
    } finally {
      opening -= 1;
    }
  };

  /** A place in the line; left without one when the signal ends. */
  const wait = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const admit = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        line.splice(line.indexOf(admit), 1);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      line.push(admit);
    });

  const acquire = async (signal: AbortSignal): Promise<FtpConnection> => {
    for (;;) {
      signal.throwIfAborted();
      if (isClosed) throw new ChannelError('connection_lost', 'expected an open session, it was closed');
      raise();
      const found = idle.pop();
      if (found) {
        if (await isAlive(found, signal)) return found.connection;
        discard(found.connection);
      } else if (open.size + opening < limit) {
        const connection = await connect(signal);
        if (connection) return connection;
      } else {
        await wait(signal);
      }
    }
  };

  const release = (connection: FtpConnection): void => {
    if (connection.client.closed || isClosed || open.size > limit) discard(connection);
    else idle.push({ connection, sinceMs: performance.now() });
  };

  return {
    async use(signal, work) {
      let connection: FtpConnection | undefined;
      const end = (): void => connection?.client.close();
      try {
        connection = await acquire(signal);
        signal.addEventListener('abort', end, { once: true });
        signal.throwIfAborted();
        return await untilAborted(work(connection), signal);
      } catch (error) {
        // After a refusal the connection is as it was; after anything else nobody knows what it is at.
        if (!(error instanceof FTPError)) connection?.client.close();
        throw error;
      } finally {
        signal.removeEventListener('abort', end);
        if (connection) release(connection);
        line.shift()?.();
      }
    },
    transfer: (signal, begin) => whenThereIsRoom(begin, { signal, onFull: lower }),
    close() {
      isClosed = true;
      for (const connection of open) connection.client.close();
      for (const admit of line.splice(0)) admit();
    },
  };
}

/** Work that hangs in the library is not waited for: its connection is closed. */
async function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

async function isAlive(
  { connection, sinceMs }: { readonly connection: FtpConnection; readonly sinceMs: number },
  signal: AbortSignal,
): Promise<boolean> {
  const { client } = connection;
  if (client.closed) return false;
  if (performance.now() - sinceMs < IDLE_TRUST_MS) return true;
  try {
    const limit = { signal, limitMs: NOOP_LIMIT_MS, what: 'an answer of the FTP server' };
    await withinLimit(limit, () => client.sendIgnoringError('NOOP'));
    return true;
  } catch {
    return false;
  }
}
