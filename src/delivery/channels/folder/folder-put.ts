/**
 * A file under a temporary name, read back from the disk and hashed before it gets its own. Only what is read back counts, so that
 * neither the source nor what an earlier try has left needs to be hashed on its way.
 */
import { constants } from 'node:fs';
import { copyFile, type FileHandle, link, lstat, open, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { GIB, MIB } from '../../../base/index.ts';
import { ChannelError, type PutOptions, type PutResult } from '../../channel.ts';
import { sha256Of } from '../transfer.ts';
import { isMissing, isTaken } from './folder-faults.ts';
import type { ReadBack } from './folder-read-back.ts';

export type FolderPlaces = { readonly target: string; readonly temporary: string };

const WRITE_BYTES = 4 * MIB;
/** Smaller files find out by themselves that the disk is full. */
const EXPECTED_SPACE_BYTES = 16 * MIB;
/** The system copies up to here in one call, which cannot be cancelled: 10 s on a disk of 100 MB/s. */
const COPY_BYTES = GIB;
const LOOK_EVERY_MS = 500;

/** What a session knows of its folders. */
export type FolderWork = {
  readonly readBack: ReadBack;
  readonly syncFolder: (path: string) => Promise<void>;
  /** Of new files. */
  readonly mode: number;
};

export async function putFile(options: PutOptions, places: FolderPlaces, work: FolderWork): Promise<PutResult> {
  const { target, temporary } = places;
  const { bytes, signal } = options;
  const there = options.isFirst === true ? 0 : await findLeft(temporary, bytes);
  if (bytes - there > EXPECTED_SPACE_BYTES) await expectSpace(dirname(target), bytes - there);
  if (!options.replace && (await lstat(target).catch(() => undefined))) throw taken();
  let sentBytes = bytes - there;
  let isRight = await store(options, { temporary, offset: there }, work);
  if (!isRight && there > 0) {
    // What was left was of other bytes.
    sentBytes += bytes;
    isRight = await store(options, { temporary, offset: 0 }, work);
  }
  if (!isRight) {
    await rm(temporary, { force: true });
    const source = await sha256Of(options.read(0, signal));
    if (source.sha256 !== options.sha256) throw changed('the bytes are not those of the SHA-256');
    throw new ChannelError('corrupted', 'the folder answers other bytes than were written');
  }
  await name(options, places);
  await work.syncFolder(dirname(target));
  return { verified: 'read_back', sentBytes };
}

/** Bytes that an earlier try has left and that can be gone on from. */
async function findLeft(temporary: string, bytes: number): Promise<number> {
  const left = await lstat(temporary).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (left && !left.isFile()) throw new ChannelError('refused', 'the temporary name is taken');
  return left?.nlink === 1 && left.size <= bytes ? left.size : 0;
}

async function expectSpace(folder: string, bytes: number): Promise<void> {
  const free = await statfs(folder);
  if (BigInt(free.bavail) * BigInt(free.bsize) >= BigInt(bytes)) return;
  throw new ChannelError('disk_full', `expected ${bytes} bytes of free space in the folder, there are fewer`);
}

/** Brings the temporary file to its full length, on the disk, and tells whether it answers the bytes that were said. */
async function store(
  options: PutOptions,
  { temporary, offset }: { readonly temporary: string; readonly offset: number },
  { readBack, mode }: FolderWork,
): Promise<boolean> {
  const { file, bytes, signal, isFirst, onProgress } = options;
  onProgress?.(offset);
  // A new file and not an emptied one: the old one may have got its name already, when the last try was killed at its end.
  if (offset === 0 && isFirst !== true) await rm(temporary, { force: true });
  const isCopied = offset === 0 && file !== undefined && (await copied(options, { from: file, to: temporary }));
  const handle = offset > 0 || isCopied ? await open(temporary, 'r+') : await openNew(temporary);
  try {
    // What others may do with a file is the folder's matter; a copy takes that from its source.
    if (isCopied) await handle.chmod(mode);
    else await writeFrom(options, handle, offset);
    signal.throwIfAborted();
    // While the disk writes, what it was given is read. Closing waits for both.
    const [isRight] = await Promise.all([readBack(handle, options), handle.sync()]);
    onProgress?.(bytes);
    return isRight;
  } finally {
    await handle.close();
  }
}

async function openNew(temporary: string): Promise<FileHandle> {
  try {
    return await open(temporary, 'wx+', 0o666);
  } catch (error) {
    if (!isTaken(error)) throw error;
    // Somebody put it there: it is neither followed nor written into.
    await rm(temporary, { force: true });
    return open(temporary, 'wx+', 0o666);
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
    if (isMissing(error) && (await stat(copy.from).catch(() => undefined)) === undefined)
      throw changed('the source is not there any more');
    // It has removed what it began. Whatever the reason was, writing tells it again.
    return false;
  } finally {
    clearInterval(looking);
  }
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

const changed = (why: string) => new ChannelError('source_changed', why);
const taken = () => new ChannelError('name_taken', 'a file of this name is there, and is not to be replaced');

/** Gives the file its name in one step. */
async function name(options: PutOptions, { target, temporary }: FolderPlaces): Promise<void> {
  if (options.replace) await rename(temporary, target);
  else {
    // A link fails where the name is taken, which a rename does not.
    await link(temporary, target).catch((error: unknown) => {
      throw isTaken(error) ? taken() : error;
    });
    await rm(temporary, { force: true });
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
