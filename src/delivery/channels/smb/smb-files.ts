/** Folders and files of a share, besides storing them. */
import { setTimeout as delay } from 'node:timers/promises';
import { MIB, SECOND_MS } from '../../../base/index.ts';
import type { TargetFile } from '../../channel.ts';
import { type FileTarget, folderOf } from '../put-by-rename.ts';
import { classifySmb, isBusy, isMissing, isTakenName } from './smb-faults.ts';
import type { SmbRequest } from './smb-messages.ts';
import type { SmbPool } from './smb-pool.ts';
import type { SmbAnswer, SmbWorker } from './smb-worker.ts';

export type SmbFiles = Pick<FileTarget, 'read' | 'remove' | 'names' | 'classify' | 'makeFolders'> & {
  stat(path: string, signal: AbortSignal): Promise<TargetFile | undefined>;
};

/** A file that somebody has open, such as a virus scanner or a connection whose end the server has not noticed: 3 s in all. */
const BUSY_TRIES = 16;
const BUSY_WAIT_MS = 200;
const READ_BYTES = MIB;
/** While one part is on its way to the reader, the next one is on its way from the server. */
const READS_AT_ONCE = 2;
const CLOSE_LIMIT_MS = 10 * SECOND_MS;

export function createSmbFiles(pool: SmbPool): SmbFiles {
  const ask = (message: SmbRequest, signal: AbortSignal): Promise<SmbAnswer> =>
    pool.use(signal, (worker) => worker.request(message, { signal }));
  const makeAll = async (folder: string, signal: AbortSignal): Promise<void> => {
    try {
      await ask({ op: 'makeFolder', path: folder }, signal);
    } catch (error) {
      if (isTakenName(error)) return;
      if (!isMissing(error) || !folder.includes('/')) throw error;
      await makeAll(folderOf(folder), signal);
      await ask({ op: 'makeFolder', path: folder }, signal).catch((again: unknown) => {
        if (!isTakenName(again)) throw again;
      });
    }
  };
  return {
    classify: classifySmb,
    async stat(path, signal) {
      const { file } = await ask({ op: 'stat', path }, signal);
      return file && !file.isFolder ? { bytes: file.bytes, modifiedAt: new Date(file.modifiedAtMs) } : undefined;
    },
    makeFolders: async (folder, signal) => {
      if (folder !== '') await makeAll(folder, signal);
    },
    async *read(path, signal) {
      const { worker, release } = await pool.borrow(signal);
      try {
        yield* readFile(worker, path, signal);
      } finally {
        await closeFile(worker);
        release();
      }
    },
    async remove(path, signal) {
      try {
        await whileBusy(signal, () => ask({ op: 'remove', path }, signal));
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
    },
    async names(folder, signal) {
      try {
        return (await ask({ op: 'names', path: folder }, signal)).names ?? [];
      } catch (error) {
        if (isMissing(error)) return [];
        throw error;
      }
    },
  };
}

/** Asks again for what may be free in a moment. */
export async function whileBusy<Result>(signal: AbortSignal, ask: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!isBusy(error) || tries === BUSY_TRIES) throw error;
      await delay(BUSY_WAIT_MS, undefined, { signal });
    }
  }
}

/** After a fault too, so that the next work with this child finds none open. A child that cannot is ended. */
export async function closeFile(worker: SmbWorker): Promise<void> {
  if (worker.isLost) return;
  await worker.request({ op: 'close' }, { signal: AbortSignal.timeout(CLOSE_LIMIT_MS) }).catch(() => {});
}

async function* readFile(worker: SmbWorker, path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  await worker.request({ op: 'open', path, how: 'read', offset: 0 }, { signal });
  const waiting: Promise<SmbAnswer>[] = [];
  for (;;) {
    while (waiting.length < READS_AT_ONCE) {
      const asked = worker.request({ op: 'read', bytes: READ_BYTES }, { signal });
      // Awaited in order; a fault of a later one must not count as unhandled meanwhile.
      asked.catch(() => {});
      waiting.push(asked);
    }
    const first = await waiting.shift();
    if (!first || first.body.length === 0) return;
    yield first.body;
  }
}
