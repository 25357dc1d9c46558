/** Files over SFTP. Requests are pipelined: one at a time would wait for the network 30 times for a megabyte. */
import type { FileEntryWithStats, SFTPWrapper, Stats } from 'ssh2';
import { KIB, MIB, MINUTE_MS } from '../../../base/index.ts';
import { ChannelError } from '../../channel.ts';
import { type FileTarget, nameTaken } from '../put-by-rename.ts';
import { piecesOf, withinLimit } from '../transfer.ts';
import type { SftpConnection } from './sftp-connection.ts';
import { classifySftp, sftpStatus } from './sftp-faults.ts';

/** What every server takes in one request. */
const PIECE_BYTES = 32 * KIB;
const REQUESTS_AT_ONCE = 64;
/** One request, with those that are queued before it. */
const ANSWER_LIMIT_MS = MINUTE_MS;
/** A server may write what is under way in any order, which leaves gaps: these bytes are sent again. */
const RESUME_BACK_BYTES = 2 * MIB;

const NO_SUCH_FILE = 2;
const FAILURE = 4;

type Done<Result> = (error: Error | null | undefined, result: Result) => void;

export type SftpFiles = FileTarget & {
  readonly stat: (
    path: string,
    signal: AbortSignal,
  ) => Promise<{ readonly bytes: number; readonly modifiedAt: Date } | undefined>;
  readonly isFolder: (path: string, signal: AbortSignal) => Promise<boolean>;
};

/** `connect` gives the living connection, or makes a new one. */
export function createSftpFiles(options: {
  readonly connect: (signal: AbortSignal) => Promise<SftpConnection>;
  readonly root: string;
}): SftpFiles {
  const at = (path: string): string =>
    path === '' ? options.root : options.root === '/' ? `/${path}` : `${options.root}/${path}`;
  const ask = async <Result>(
    signal: AbortSignal,
    send: (sftp: SFTPWrapper, done: Done<Result>) => void,
  ): Promise<Result> => answerOf(await options.connect(signal), signal, send);
  const stat = async (path: string, signal: AbortSignal) => {
    try {
      return await ask(signal, (sftp, done: Done<Stats>) => sftp.stat(at(path), done));
    } catch (error) {
      if (sftpStatus(error) === NO_SUCH_FILE) return undefined;
      throw error;
    }
  };
  const isFolder = async (path: string, signal: AbortSignal): Promise<boolean> =>
    (await stat(path, signal))?.isDirectory() === true;
  const makeFolders = async (folder: string, signal: AbortSignal): Promise<void> => {
    if (folder === '' || (await isFolder(folder, signal))) return;
    await makeFolders(folder.slice(0, Math.max(0, folder.lastIndexOf('/'))), signal);
    try {
      await ask<void>(signal, (sftp, done) => sftp.mkdir(at(folder), done));
    } catch (error) {
      // Another put may have made it meanwhile; servers say no more than "failure" then.
      if (!(await isFolder(folder, signal))) throw error;
    }
  };
  return {
    classify: classifySftp,
    resumeBackBytes: RESUME_BACK_BYTES,
    isFolder,
    makeFolders,
    async stat(path, signal) {
      const found = await stat(path, signal);
      return found?.isFile() === true ? { bytes: found.size, modifiedAt: new Date(found.mtime * 1000) } : undefined;
    },
    size: async (path, signal) => (await stat(path, signal))?.size,
    write: async (file) => {
      const connection = await options.connect(file.signal);
      try {
        await writeFile(connection, { ...file, path: at(file.path) });
      } catch (error) {
        if (sftpStatus(error) === FAILURE && (await isFull(connection, options.root, file.signal))) {
          throw new ChannelError('disk_full', 'expected free space on the SFTP server, received none', {
            cause: error,
          });
        }
        throw error;
      }
    },
    async *read(path, signal) {
      yield* readFile(await options.connect(signal), { path: at(path), signal });
    },
    async rename({ from, to, replace, signal }) {
      try {
        // Plain SFTP never replaces; OpenSSH's extension always does, in one step.
        await ask<void>(signal, (sftp, done) =>
          replace ? sftp.ext_openssh_rename(at(from), at(to), done) : sftp.rename(at(from), at(to), done),
        );
      } catch (error) {
        if (!replace) throw (await stat(to, signal)) ? nameTaken(to) : error;
        if (!isUnsupported(error)) throw error;
        await remove(to, signal);
        await ask<void>(signal, (sftp, done) => sftp.rename(at(from), at(to), done));
      }
    },
    remove,
    async names(folder, signal) {
      try {
        const list = await ask(signal, (sftp, done: Done<FileEntryWithStats[]>) => sftp.readdir(at(folder), done));
        return list.map(({ filename }) => filename);
      } catch (error) {
        if (sftpStatus(error) === NO_SUCH_FILE) return [];
        throw error;
      }
    },
  };

  async function remove(path: string, signal: AbortSignal): Promise<void> {
    try {
      await ask<void>(signal, (sftp, done) => sftp.unlink(at(path), done));
    } catch (error) {
      if (sftpStatus(error) !== NO_SUCH_FILE) throw error;
    }
  }
}

function isUnsupported(error: unknown): boolean {
  return sftpStatus(error) === 8 || (error instanceof Error && /does not support/.test(error.message));
}

/** One request and its answer, which also ends with the connection. */
async function answerOf<Result>(
  connection: SftpConnection,
  signal: AbortSignal,
  send: (sftp: SFTPWrapper, done: Done<Result>) => void,
): Promise<Result> {
  const both = AbortSignal.any([signal, connection.ended]);
  return withinLimit(
    { signal: both, limitMs: ANSWER_LIMIT_MS, what: 'an answer of the SFTP server' },
    () =>
      new Promise<Result>((resolve, reject) => {
        send(connection.sftp, (error, result) => (error ? reject(error) : resolve(result)));
      }),
  );
}

async function isFull(connection: SftpConnection, root: string, signal: AbortSignal): Promise<boolean> {
  try {
    const space: unknown = await answerOf(connection, signal, (sftp, done: Done<unknown>) =>
      sftp.ext_openssh_statvfs(root, done),
    );
    return typeof space === 'object' && space !== null && 'f_bavail' in space && Number(space.f_bavail) === 0;
  } catch {
    return false;
  }
}

async function openHandle(
  connection: SftpConnection,
  file: { readonly path: string; readonly flags: 'r' | 'r+' | 'w'; readonly signal: AbortSignal },
): Promise<Buffer> {
  return answerOf(connection, file.signal, (sftp, done: Done<Buffer>) => sftp.open(file.path, file.flags, done));
}

/** The server closes it after the requests before; nobody needs to wait for that when something else failed. */
function closeLater({ sftp, ended }: SftpConnection, handle: Buffer): void {
  if (!ended.aborted) sftp.close(handle, () => {});
}

async function writeFile(connection: SftpConnection, file: Parameters<FileTarget['write']>[0]): Promise<void> {
  const { offset, signal, onBytes } = file;
  const handle = await openHandle(connection, { path: file.path, flags: offset > 0 ? 'r+' : 'w', signal });
  const underWay = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;
  let wake = (): void => {};
  let [at, done] = [offset, offset];
  try {
    for await (const piece of piecesOf(file.chunks, PIECE_BYTES)) {
      const position = at;
      at += piece.length;
      const send = async (): Promise<void> => {
        try {
          await answerOf<void>(connection, signal, (sftp, end) =>
            sftp.write(handle, piece, 0, piece.length, position, end),
          );
          done += piece.length;
          onBytes(done);
        } catch (error) {
          failure ??= { error };
        }
      };
      const sending = send().finally(() => {
        underWay.delete(sending);
        wake();
      });
      underWay.add(sending);
      while (underWay.size >= REQUESTS_AT_ONCE) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (failure) throw failure.error;
    }
  } finally {
    await Promise.all(underWay);
    closeLater(connection, handle);
  }
  if (failure) throw failure.error;
}

async function* readFile(
  connection: SftpConnection,
  file: { readonly path: string; readonly signal: AbortSignal },
): AsyncGenerator<Buffer> {
  const { signal } = file;
  const handle = await openHandle(connection, { ...file, flags: 'r' });
  /** Empty at the end of the file. */
  const piece = async (position: number): Promise<Buffer> => {
    const target = Buffer.allocUnsafe(PIECE_BYTES);
    let filled = 0;
    while (filled < PIECE_BYTES) {
      const received = await answerOf<number>(connection, signal, (sftp, done) =>
        sftp.read(handle, target, filled, PIECE_BYTES - filled, position + filled, (error, bytes) => {
          if (error && sftpStatus(error) === 1) done(undefined, 0);
          else done(error, bytes);
        }),
      );
      if (received === 0) break;
      filled += received;
    }
    return target.subarray(0, filled);
  };
  const waiting: Promise<Buffer>[] = [];
  try {
    const { size } = await answerOf(connection, signal, (sftp, done: Done<Stats>) => sftp.fstat(handle, done));
    for (let next = 0; next < size; next += PIECE_BYTES) {
      const asked = piece(next);
      // Awaited in order; a fault of a later one must not count as unhandled meanwhile.
      asked.catch(() => {});
      waiting.push(asked);
      const first = waiting.length < REQUESTS_AT_ONCE ? undefined : waiting.shift();
      if (first) yield await first;
    }
    for (const asked of waiting) yield await asked;
  } finally {
    closeLater(connection, handle);
  }
}
