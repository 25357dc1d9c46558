import type { FileEntryWithStats, SFTPWrapper, Stats } from 'ssh2';
import { MIB } from '../../../base/index.ts';
import { ChannelError } from '../../channel.ts';
import { type FileTarget, nameTaken } from '../put-by-rename.ts';
import type { Done } from './sftp-answers.ts';
import type { SftpConnection } from './sftp-connection.ts';
import { classifySftp, sftpStatus } from './sftp-faults.ts';
import type { SftpReader } from './sftp-reader.ts';
import { answerOf, appendFile, hashFile, readFile, writeAndHashFile, writeAndFollowFile } from './sftp-transfer.ts';

/** A server may write what is under way in any order, which leaves gaps: these bytes are sent again. */
const RESUME_BACK_BYTES = 4 * MIB;
/** From here on a second connection, which takes a quarter of a second, gains more than it costs. */
const FOLLOWED_BYTES = 32 * MIB;

const NO_SUCH_FILE = 2;
const FAILURE = 4;

export type SftpFiles = FileTarget & {
  readonly stat: (
    path: string,
    signal: AbortSignal,
  ) => Promise<{ readonly bytes: number; readonly modifiedAt: Date } | undefined>;
  readonly isFolder: (path: string, signal: AbortSignal) => Promise<boolean>;
};

/** `connect` gives the living connection, or makes a new one. `reader` reads large files while they are written. */
export function createSftpFiles(options: {
  readonly connect: (signal: AbortSignal) => Promise<SftpConnection>;
  readonly root: string;
  readonly reader?: SftpReader | undefined;
}): SftpFiles {
  const buffers: Buffer<ArrayBuffer>[] = [];
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
  const orDiskFull = async <Result>(
    signal: AbortSignal,
    work: (connection: SftpConnection) => Promise<Result>,
  ): Promise<Result> => {
    const connection = await options.connect(signal);
    try {
      return await work(connection);
    } catch (error) {
      if (sftpStatus(error) !== FAILURE || !(await isFull(connection, options.root, signal))) throw error;
      throw new ChannelError('disk_full', 'expected free space on the SFTP server, received none', { cause: error });
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
    write: (file) =>
      orDiskFull(file.signal, (connection) => appendFile(connection, { ...file, path: at(file.path), buffers })),
    writeAndHash: (file) =>
      orDiskFull(file.signal, (connection) => {
        const own = { ...file, path: at(file.path), buffers };
        return options.reader?.isOfUse() === true && file.bytes >= FOLLOWED_BYTES
          ? writeAndFollowFile(connection, own, options.reader)
          : writeAndHashFile(connection, own);
      }),
    async *read(path, signal) {
      yield* readFile(await options.connect(signal), { path: at(path), signal });
    },
    readBack: async (path, { bytes, signal }) =>
      hashFile(await options.connect(signal), { path: at(path), bytes, signal, buffers }),
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
