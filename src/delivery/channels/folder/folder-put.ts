/**
 * A file under a temporary name, read back from the disk and hashed before it gets its own. Only what is read back counts, so that
 * neither the source nor what an earlier try has left needs to be hashed on its way.
 */
import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { chmod, copyFile, type FileHandle, link, lstat, open, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { GIB, MIB } from '../../../base/index.ts';
import { ChannelError, type PutOptions, type PutResult } from '../../channel.ts';
import { sha256Of } from '../transfer.ts';
import { isMissing } from './folder-faults.ts';

export type FolderPlaces = { readonly target: string; readonly temporary: string };

const READ_BYTES = MIB;
const WRITE_BYTES = 4 * MIB;
/** The system copies up to here in one call, which cannot be cancelled: 10 s on a disk of 100 MB/s. */
const COPY_BYTES = GIB;
const LOOK_EVERY_MS = 500;

export async function putFile(options: PutOptions, places: FolderPlaces): Promise<PutResult> {
  const { target, temporary } = places;
  const { bytes, signal } = options;
  const left = await findLeft(temporary);
  const there = left?.nlink === 1 && left.size <= bytes ? left.size : 0;
  await expectSpace(dirname(target), bytes - there);
  if (!options.replace && (await lstat(target).catch(() => undefined))) throw taken();
  let sentBytes = bytes - there;
  await fill(options, temporary, there);
  let isRight = await hasBytes(temporary, options);
  if (!isRight && there > 0) {
    // What was left was of other bytes.
    sentBytes += bytes;
    await fill(options, temporary, 0);
    isRight = await hasBytes(temporary, options);
  }
  if (!isRight) {
    await rm(temporary, { force: true });
    const source = await sha256Of(options.read(0, signal));
    if (source.sha256 !== options.sha256) throw changed('the bytes are not those of the SHA-256');
    throw new ChannelError('corrupted', 'the folder answers other bytes than were written');
  }
  await finish(options, places);
  return { verified: 'read_back', sentBytes };
}

async function findLeft(temporary: string): Promise<Stats | undefined> {
  const left = await lstat(temporary).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (left && !left.isFile()) throw new ChannelError('refused', 'the temporary name is taken');
  return left;
}

async function expectSpace(folder: string, bytes: number): Promise<void> {
  const free = await statfs(folder);
  if (BigInt(free.bavail) * BigInt(free.bsize) >= BigInt(bytes)) return;
  throw new ChannelError('disk_full', `expected ${bytes} bytes of free space in the folder, there are fewer`);
}

/** Brings the temporary file to its full length, on the disk. */
async function fill(options: PutOptions, temporary: string, offset: number): Promise<void> {
  const { file, bytes, signal, onProgress } = options;
  onProgress?.(offset);
  // A new file and not an emptied one: the old one may have got its name already, when the last try was killed at its end.
  if (offset === 0) await rm(temporary, { force: true });
  const isCopied = offset === 0 && file !== undefined && (await copied(options, { from: file, to: temporary }));
  const handle = await open(temporary, offset > 0 || isCopied ? 'r+' : 'wx', 0o666);
  try {
    if (!isCopied) await writeFrom(options, handle, offset);
    if ((await handle.stat()).size !== bytes) throw changed('the source has another length than was said');
    signal.throwIfAborted();
    await handle.sync();
    onProgress?.(bytes);
  } finally {
    await handle.close();
  }
}

/** A file of this machine is copied by the system, or shares its blocks where the file system can do that; false when it is left to us. */
async function copied(
  { bytes, onProgress }: PutOptions,
  copy: { readonly from: string; readonly to: string },
): Promise<boolean> {
  const { COPYFILE_EXCL: asNew, COPYFILE_FICLONE: shared, COPYFILE_FICLONE_FORCE: onlyShared } = constants;
  const isLarge = bytes > COPY_BYTES;
  const look = async (): Promise<void> => onProgress?.(Math.min(bytes, (await stat(copy.to)).size));
  const looking = setInterval(() => void look().catch(() => {}), LOOK_EVERY_MS);
  try {
    await copyFile(copy.from, copy.to, asNew | (isLarge ? onlyShared : shared));
  } catch (error) {
    if (isMissing(error)) throw changed('the source is not there any more');
    // It has removed what it began. Whatever the reason was, writing tells it again.
    return false;
  } finally {
    clearInterval(looking);
  }
  // What others may do with a file is the folder's matter; a copy takes that from its source.
  await chmod(copy.to, 0o666 & ~process.umask());
  return true;
}

async function writeFrom(options: PutOptions, handle: FileHandle, offset: number): Promise<void> {
  const { bytes, signal } = options;
  let at = offset;
  for await (const piece of gathered(options.read(offset, signal))) {
    signal.throwIfAborted();
    if (at + piece.length > bytes) throw changed('the source is longer than was said');
    await writeAll(handle, piece, at);
    at += piece.length;
    options.onProgress?.(at);
  }
  signal.throwIfAborted();
  if (at !== bytes) throw changed('the source is shorter than was said');
}

/** Whether the disk answers the bytes that were said. */
async function hasBytes(path: string, { bytes, sha256, signal }: PutOptions): Promise<boolean> {
  const hash = createHash('sha256');
  // Two buffers for all of the file: one is read into while the other is hashed, and fresh ones would cost more than the hash.
  const buffers = [0, 1].map(() => Buffer.allocUnsafe(Math.min(READ_BYTES, bytes + 1)));
  const handle = await open(path, 'r');
  try {
    const readAt = async (at: number, turn: number): Promise<Uint8Array> => {
      const buffer = buffers[turn % 2] ?? Buffer.alloc(0);
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
      return buffer.subarray(0, bytesRead);
    };
    let at = 0;
    let turn = 0;
    for (let coming = readAt(0, turn); ; ) {
      const piece = await coming;
      signal.throwIfAborted();
      if (piece.length === 0) return at === bytes && hash.digest('hex') === sha256;
      at += piece.length;
      turn += 1;
      coming = readAt(at, turn);
      hash.update(piece);
    }
  } finally {
    await handle.close();
  }
}

const changed = (why: string) => new ChannelError('source_changed', why);
const taken = () => new ChannelError('name_taken', 'a file of this name is there, and is not to be replaced');

/** Gives the file its name in one step. */
async function finish(options: PutOptions, { target, temporary }: FolderPlaces): Promise<void> {
  if (options.replace) await rename(temporary, target);
  else {
    // A link fails where the name is taken, which a rename does not.
    await link(temporary, target).catch((error: unknown) => {
      throw error instanceof Error && 'code' in error && error.code === 'EEXIST' ? taken() : error;
    });
    await rm(temporary, { force: true });
  }
  await syncFolder(dirname(target));
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function writeAll(handle: FileHandle, piece: Uint8Array, position: number): Promise<void> {
  let written = 0;
  while (written < piece.length) {
    const { bytesWritten } = await handle.write(piece, written, piece.length - written, position + written);
    written += bytesWritten;
  }
}

/** Few large writes instead of many small ones: shares answer each with a round trip. */
async function* gathered(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let held: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      held.push(chunk);
      bytes += chunk.length;
      if (bytes < WRITE_BYTES) continue;
      yield held.length === 1 ? chunk : Buffer.concat(held, bytes);
      held = [];
      bytes = 0;
    }
  } catch (error) {
    // What came before the source broke off is kept, so that the next try goes on behind it.
    if (bytes > 0) yield Buffer.concat(held, bytes);
    throw error;
  }
  if (bytes > 0) yield Buffer.concat(held, bytes);
}
