import { MIB } from '../../../base/index.ts';
import { ChannelError } from '../../channel.ts';
import { createPutMemory } from '../file-pieces.ts';
import { type FileTarget, nameTaken } from '../put-by-rename.ts';
import type { SftpClient } from './sftp-client.ts';
import type { SftpConnection } from './sftp-connection.ts';
import { classifySftp, sftpStatus } from './sftp-faults.ts';
import { type FileAttributes, STATUS } from './sftp-messages.ts';
import type { SftpReader } from './sftp-reader.ts';
import { appendFile, hashFile, readFile, writeAndFollowFile, writeAndHashFile } from './sftp-transfer.ts';

/** A server may write what is under way in any order, which leaves gaps: these bytes are sent again. */
const RESUME_BACK_BYTES = 4 * MIB;
/** From here on a second connection, which takes a quarter of a second, gains more than it costs. */
const FOLLOWED_BYTES = 32 * MIB;

/** One chunk for each of the files that go out together: it is cut into pieces at once. */
const MEMORY_BYTES = 4 * MIB;

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
  const at = (path: string): string =>
    path === '' ? options.root : options.root === '/' ? `/${path}` : `${options.root}/${path}`;
  const client = async (signal: AbortSignal): Promise<SftpClient> => (await options.connect(signal)).sftp;
  const stat = async (path: string, signal: AbortSignal): Promise<FileAttributes | undefined> => {
    try {
      return await (await client(signal)).stat(at(path), signal);
    } catch (error) {
      if (sftpStatus(error) === STATUS.noSuchFile) return undefined;
      throw error;
    }
  };
  const isFolder = async (path: string, signal: AbortSignal): Promise<boolean> =>
    (await stat(path, signal))?.isFolder === true;
  const makeFolders = async (folder: string, signal: AbortSignal): Promise<void> => {
    if (folder === '' || (await isFolder(folder, signal))) return;
    await makeFolders(folder.slice(0, Math.max(0, folder.lastIndexOf('/'))), signal);
    try {
      await (await client(signal)).makeFolder(at(folder), signal);
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
      if (sftpStatus(error) !== STATUS.failure || !(await isFull(connection, options.root, signal))) throw error;
      throw new ChannelError('disk_full', 'expected free space on the SFTP server, received none', { cause: error });
    }
  };
  return {
    classify: classifySftp,
    memory: createPutMemory(MEMORY_BYTES),
    resumeBackBytes: RESUME_BACK_BYTES,
    isFolder,
    makeFolders,
    async stat(path, signal) {
      const found = await stat(path, signal);
      return found?.isFile === true ? { bytes: found.bytes, modifiedAt: found.modifiedAt } : undefined;
    },
    size: async (path, signal) => (await stat(path, signal))?.bytes,
    write: (file) => orDiskFull(file.signal, (connection) => appendFile(connection, { ...file, path: at(file.path) })),
    writeAndHash: (file) =>
      orDiskFull(file.signal, (connection) => {
        const own = { ...file, path: at(file.path) };
        return options.reader?.isOfUse() === true && file.bytes >= FOLLOWED_BYTES
          ? writeAndFollowFile(connection, own, options.reader)
          : writeAndHashFile(connection, own);
      }),
    async *read(path, signal) {
      yield* readFile(await options.connect(signal), { path: at(path), signal });
    },
    readBack: async (path, { bytes, signal }) =>
      hashFile(await options.connect(signal), { path: at(path), bytes, signal }),
    async rename({ from, to, replace, signal }) {
      const sftp = await client(signal);
      const names = { from: at(from), to: at(to) };
      try {
        // Plain SFTP never replaces; OpenSSH's extension always does, in one step.
        await sftp.rename({ ...names, replace }, signal);
      } catch (error) {
        if (!replace) throw (await stat(to, signal)) ? nameTaken(to) : error;
        if (sftpStatus(error) !== STATUS.unsupported) throw error;
        await remove(to, signal);
        await sftp.rename({ ...names, replace: false }, signal);
      }
    },
    remove,
    async names(folder, signal) {
      try {
        const names = await (await client(signal)).names(at(folder), signal);
        return names.filter((name) => name !== '.' && name !== '..');
      } catch (error) {
        if (sftpStatus(error) === STATUS.noSuchFile) return [];
        throw error;
      }
    },
  };

  async function remove(path: string, signal: AbortSignal): Promise<void> {
    try {
      await (await client(signal)).remove(at(path), signal);
    } catch (error) {
      if (sftpStatus(error) !== STATUS.noSuchFile) throw error;
    }
  }
}

async function isFull({ sftp }: SftpConnection, root: string, signal: AbortSignal): Promise<boolean> {
  try {
    return (await sftp.freeBlocks(root, signal)) === 0;
  } catch {
    return false;
  }
}
