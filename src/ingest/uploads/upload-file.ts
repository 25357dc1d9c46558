import { createHash, type Hash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError, KIB, MIB } from '../../base/index.ts';
import { HEAD_BYTES } from '../intake.ts';

/** SHA-256 of the first `at` bytes of a file. */
export type RunningHash = { at: number; readonly hash: Hash };

export const newRunningHash = (): RunningHash => ({ at: 0, hash: createHash('sha256') });
export const copyOfHash = ({ at, hash }: RunningHash): RunningHash => ({ at, hash: hash.copy() });

/** A network chunk is 64 KiB at most; fewer and larger writes take less time of the thread pool. */
const GATHER_BYTES = 512 * KIB;

/** The bytes of one upload on the disk of this node, opened to go on at one place. */
export type UploadFile = {
  /** End of what was handed over to `append`. */
  readonly end: number;
  /** End of what was written. */
  readonly written: number;
  append(chunk: Buffer): Promise<void>;
  /** Writes what was gathered. */
  flush(): Promise<void>;
  /** Writes what was gathered, and lets it survive a power cut. */
  sync(): Promise<void>;
  /** The first 64 KiB, or what there is. */
  readHead(): Promise<Buffer>;
  close(): Promise<void>;
};

function elsewhere(cause?: unknown): AppError {
  const message =
    'The bytes of this upload are not on this node: several nodes need one data folder, or a client has to stay with one node.';
  return new AppError('unavailable', message, { cause, retryAfterSeconds: 5 });
}

async function openThere(path: string, flags: number): Promise<FileHandle> {
  try {
    return await open(path, flags);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') throw elsewhere(error);
    throw error;
  }
}

async function openAt(path: string, offset: number): Promise<FileHandle> {
  // A new file, and whatever an earlier try has left there.
  if (offset === 0) return open(path, constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC, 0o600);
  const handle = await openThere(path, constants.O_RDWR);
  try {
    const { size } = await handle.stat();
    if (size < offset) throw elsewhere();
    if (size > offset) await handle.truncate(offset);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Opens the file of an upload to go on at `offset`; what lies behind it was never acknowledged and is cut off.
 * @param hash of the bytes before `offset`, carried on with every byte that is written
 * @throws AppError `unavailable` when the bytes before `offset` are not here
 */
export async function openUploadFile(
  path: string,
  { offset, hash }: { readonly offset: number; readonly hash: RunningHash | undefined },
): Promise<UploadFile> {
  const handle = await openAt(path, offset);
  let gathered: Buffer[] = [];
  let end = offset;
  let written = offset;
  let named = offset > 0;
  /** The beginning of a file that is written from its start; others are read. */
  let head: Buffer | undefined = offset === 0 ? Buffer.alloc(0) : undefined;

  const flush = async () => {
    if (gathered.length === 0) return;
    let rest = Buffer.concat(gathered);
    gathered = [];
    if (head && head.length < HEAD_BYTES) head = Buffer.concat([head, rest.subarray(0, HEAD_BYTES - head.length)]);
    // A disk that is nearly full takes a part and refuses the next one.
    while (rest.length > 0) {
      const { bytesWritten } = await handle.write(rest, 0, rest.length, written);
      if (hash) {
        hash.hash.update(rest.subarray(0, bytesWritten));
        hash.at += bytesWritten;
      }
      written += bytesWritten;
      rest = rest.subarray(bytesWritten);
    }
  };

  return {
    get end() {
      return end;
    },
    get written() {
      return written;
    },
    async append(chunk) {
      gathered.push(chunk);
      end += chunk.length;
      if (end - written >= GATHER_BYTES) await flush();
    },
    flush,
    async sync() {
      await flush();
      await handle.datasync();
      if (named) return;
      // The name of a new file has to survive too.
      const folder = await open(dirname(path), 'r');
      try {
        await folder.sync();
        named = true;
      } finally {
        await folder.close();
      }
    },
    async readHead() {
      await flush();
      return head ?? readHead(handle);
    },
    close: () => handle.close(),
  };
}

async function readHead(handle: FileHandle): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  return buffer.subarray(0, bytesRead);
}

/** The first 64 KiB of a file. @throws AppError `unavailable` when it is not here */
export async function readHeadOf(path: string): Promise<Buffer> {
  const handle = await openThere(path, constants.O_RDONLY);
  try {
    return await readHead(handle);
  } finally {
    await handle.close();
  }
}

/** SHA-256 of a file, in hex; read again where its bytes did not all pass through this process. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: MIB }), hash);
  return hash.digest('hex');
}
