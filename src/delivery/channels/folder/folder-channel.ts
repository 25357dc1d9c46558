import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, link, lstat, mkdir, open, readdir, realpath, rename, rm, statfs } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { Type } from 'typebox';
import { invalidField, MIB } from '../../../base/index.ts';
import {
  ChannelError,
  type ChannelSession,
  type DestinationChannel,
  defineChannel,
  type PutOptions,
  type PutResult,
  temporaryId,
  temporaryPath,
} from '../../channel.ts';
import { POSIX_NAMES } from '../../name-rules.ts';
import { folderFault, isMissing } from './folder-faults.ts';

const FolderConfig = Type.Object(
  {
    path: Type.String({
      minLength: 1,
      maxLength: 2000,
      description: 'Absolute; one of the folders of the setting DELIVERY_FOLDERS, or below one',
    }),
  },
  { additionalProperties: false },
);
const FolderSecrets = Type.Object({}, { additionalProperties: false });

const WRITE_BYTES = 4 * MIB;

/** Whether a path is a root or lies below one, by their names alone. */
function isBelow(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => {
    const rest = relative(resolve(root), path);
    return rest === '' || (!isAbsolute(rest) && rest !== '..' && !rest.startsWith(`..${sep}`));
  });
}

/** Folders of this machine, and what is mounted into them. Only below the roots that the installation's owner has allowed. */
export function createFolderChannel({ roots }: { readonly roots: readonly string[] }): DestinationChannel {
  const refuse = (config: { readonly path: string }): string | undefined => {
    if (roots.length === 0) return 'expected the setting DELIVERY_FOLDERS to allow folders, it allows none';
    if (!isAbsolute(config.path)) return 'expected an absolute path';
    if (config.path.split(/[/\\]/).includes('..')) return 'expected a path without ".."';
    if (config.path.includes('\0')) return 'expected a path without NUL';
    if (!isBelow(resolve(config.path), roots)) return 'expected a folder that the setting DELIVERY_FOLDERS allows';
    return undefined;
  };
  return defineChannel({
    kind: 'folder',
    configSchema: FolderConfig,
    secretsSchema: FolderSecrets,
    names: POSIX_NAMES,
    missing: () => (roots.length === 0 ? 'the setting DELIVERY_FOLDERS allows no folder' : undefined),
    check: (config) => {
      const fault = refuse(config);
      if (fault !== undefined) throw invalidField('/config/path', fault);
    },
    open: async ({ config, signal }) => {
      signal.throwIfAborted();
      const fault = refuse(config);
      if (fault !== undefined) throw new ChannelError('permission', fault);
      try {
        // A root that is not there is made by its owner: it may be a share that is not mounted.
        const root = await realpath(resolve(config.path));
        const allowed = await Promise.all(roots.map((one) => realpath(resolve(one)).catch(() => resolve(one))));
        if (!isBelow(root, allowed)) {
          throw new ChannelError('permission', 'expected a folder that the setting DELIVERY_FOLDERS allows');
        }
        return createSession(root);
      } catch (error) {
        throw folderFault(error, signal);
      }
    },
  });
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Hashes the first `bytes` of a file. */
async function hashFile(path: string, bytes: number, signal: AbortSignal) {
  const hash = createHash('sha256');
  if (bytes > 0) {
    for await (const chunk of createReadStream(path, { end: bytes - 1, highWaterMark: MIB, signal }))
      hash.update(chunk);
  }
  return hash;
}

function createSession(root: string): ChannelSession {
  /** Where a path lies. Links that lead out of the root are refused: somebody else may write into the folder. */
  const place = async (path: string, make: boolean): Promise<string> => {
    const target = join(root, ...path.split('/'));
    if (!isBelow(target, [root]) || target === root)
      throw new ChannelError('name_illegal', 'the path leaves the folder');
    const folder = dirname(target);
    if (make) await mkdir(folder, { recursive: true });
    const real = await realpath(folder).catch((error: unknown) => {
      if (isMissing(error)) return folder;
      throw error;
    });
    if (!isBelow(real, [root])) throw new ChannelError('permission', 'a link leads out of the folder');
    return target;
  };
  const guarded = async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      throw folderFault(error, signal);
    }
  };

  return {
    put: (options) =>
      guarded(options.signal, async () => {
        const target = await place(options.path, true);
        const temporary = await place(temporaryPath(options), false);
        try {
          return await putFile(options, { target, temporary });
        } catch (error) {
          const fault = folderFault(error, options.signal);
          // Nobody goes on from what was refused for good.
          if (fault instanceof ChannelError && fault.permanent && (await isFile(temporary))) {
            await rm(temporary, { force: true });
          }
          throw fault;
        }
      }),
    stat: (path, signal) =>
      guarded(signal, async () => {
        const found = await lstat(await place(path, false)).catch((error: unknown) => {
          if (isMissing(error)) return undefined;
          throw error;
        });
        return found?.isFile() ? { bytes: found.size, modifiedAt: found.mtime } : undefined;
      }),
    async *read(path, signal) {
      signal.throwIfAborted();
      try {
        yield* createReadStream(await place(path, false), { highWaterMark: MIB, signal });
      } catch (error) {
        throw folderFault(error, signal);
      }
    },
    remove: (path, signal) => guarded(signal, async () => rm(await place(path, false), { force: true })),
    leftovers: (path, signal) =>
      guarded(signal, async () => {
        const folder = dirname(await place(path, false));
        const names = await readdir(folder).catch((error: unknown) => {
          if (isMissing(error)) return [];
          throw error;
        });
        const parent = path.slice(0, path.lastIndexOf('/') + 1);
        return names.flatMap((name) => {
          const id = temporaryId(name);
          return id === undefined ? [] : [{ id, path: `${parent}${name}` }];
        });
      }),
    removeLeftover: ({ path }, signal) => guarded(signal, async () => rm(await place(path, false), { force: true })),
    close: async () => {},
  };
}

type Places = { readonly target: string; readonly temporary: string };

async function putFile(options: PutOptions, { target, temporary }: Places): Promise<PutResult> {
  const { signal, bytes } = options;
  const free = await statfs(dirname(target));
  const left = await lstat(temporary).catch(() => undefined);
  const there = left?.isFile() && left.nlink === 1 && left.size <= bytes ? left.size : 0;
  if (BigInt(free.bavail) * BigInt(free.bsize) < BigInt(bytes - there)) {
    throw new ChannelError('disk_full', `expected ${bytes} bytes of free space in the folder, there are fewer`);
  }
  if (left !== undefined && !left.isFile()) throw new ChannelError('refused', 'the temporary name is taken');
  if (!options.replace && (await lstat(target).catch(() => undefined))) throw taken();
  const hash = await hashFile(temporary, there, signal).catch((error: unknown) => {
    if (isMissing(error)) return createHash('sha256');
    throw error;
  });
  const handle = await open(temporary, there > 0 ? 'r+' : 'w', 0o666);
  let at = there;
  try {
    if (left !== undefined && left.size > there) await handle.truncate(there);
    options.onProgress?.(at);
    for await (const piece of gathered(options.read(there, signal))) {
      signal.throwIfAborted();
      if (at + piece.length > bytes) throw changed('the source is longer than was said');
      hash.update(piece);
      await writeAll(handle, piece, at);
      at += piece.length;
      options.onProgress?.(at);
    }
    signal.throwIfAborted();
    if (at !== bytes) throw changed('the source is shorter than was said');
    if (hash.digest('hex') !== options.sha256) throw changed('the bytes are not those of the SHA-256');
    await handle.sync();
  } finally {
    await handle.close();
  }
  await finish(options, { target, temporary });
  return { verified: 'read_back', sentBytes: bytes - there };
}

const changed = (why: string) => new ChannelError('source_changed', why);
const isFile = async (path: string): Promise<boolean> => (await lstat(path).catch(() => undefined))?.isFile() === true;
const taken = () => new ChannelError('name_taken', 'a file of this name is there, and is not to be replaced');

/** Checks what the folder has, then gives it its name in one step. */
async function finish(options: PutOptions, { target, temporary }: Places): Promise<void> {
  const { bytes, signal } = options;
  const stored = await lstat(temporary);
  if (stored.size !== bytes || (await hashFile(temporary, bytes, signal)).digest('hex') !== options.sha256) {
    await rm(temporary, { force: true });
    throw new ChannelError('corrupted', 'the folder answers other bytes than were written');
  }
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
