import type { Dirent } from 'node:fs';
import { createReadStream } from 'node:fs';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { AppError, type Clock, type Logger } from '../base/index.ts';
import { isMissing, localFault, notFound } from './faults.ts';
import { assertKey, assertPrefix, assertRange } from './keys.ts';
import {
  canBeMoved,
  copyToTemporary,
  makePrivateDirectory,
  probeDirectory,
  removeStaleFiles,
  renameInto,
  settleFile,
} from './local-files.ts';
import type { ObjectStorage, PutFileOptions, StoredObject } from './object-storage.ts';
import { verifyFile } from './verified-read.ts';

/** Hidden, hence no key can name it; inside the folder, hence on the same file system as the objects. */
const TEMPORARY_FOLDER = '.tmp';

/**
 * Objects as files of a folder, written under a temporary name, synced and renamed.
 * @throws AppError `unavailable` when the folder cannot be made or written
 */
export async function openLocalStorage(
  directory: string,
  options: { readonly logger: Logger; readonly clock: Clock },
): Promise<ObjectStorage> {
  const temporary = join(directory, TEMPORARY_FOLDER);
  const pathOf = (key: string): string => {
    assertKey(key);
    return join(directory, ...key.split('/'));
  };

  try {
    await makePrivateDirectory(directory);
    await makePrivateDirectory(temporary);
    const removed = await removeStaleFiles(temporary, options.clock.now().getTime());
    if (removed > 0) options.logger.info({ removed }, 'storage.stale_files_removed');
  } catch (error) {
    throw localFault(error);
  }

  return {
    async putFile(key, path, put) {
      const target = pathOf(key);
      try {
        await store({ target, path, temporary }, put);
      } catch (error) {
        throw localFault(error, put.signal);
      }
    },
    async stat(key, signal) {
      signal?.throwIfAborted();
      const file = await statFile(pathOf(key));
      return file && { bytes: file.bytes };
    },
    async read(key, range, signal) {
      if (range) assertRange(range);
      signal?.throwIfAborted();
      return readFrom(pathOf(key), { key, range, signal });
    },
    async openLocal(key, signal) {
      signal?.throwIfAborted();
      const path = pathOf(key);
      if (!(await statFile(path))) throw notFound(key);
      return { path, release: async () => undefined };
    },
    async remove(keys) {
      try {
        for (const path of keys.map(pathOf)) await rm(path, { force: true });
      } catch (error) {
        throw localFault(error);
      }
    },
    list(prefix) {
      assertPrefix(prefix);
      return listFolder(directory, { folder: '', prefix });
    },
    async check(signal) {
      signal?.throwIfAborted();
      try {
        await probeDirectory(temporary);
      } catch (error) {
        throw localFault(error);
      }
    },
    close: async () => undefined,
  };
}

async function store(
  paths: { readonly target: string; readonly path: string; readonly temporary: string },
  put: PutFileOptions,
): Promise<void> {
  const { target, path, temporary } = paths;
  const { sha256, signal, move = false } = put;
  signal?.throwIfAborted();
  const file = await statFile(path);
  if (!file) {
    if (move && sha256 !== undefined && (await isStored(target, sha256))) return;
    throw new AppError('internal', 'expected a file to store, found none at its path');
  }
  const expected = { bytes: file.bytes, ...(sha256 === undefined ? {} : { sha256 }), ...(signal ? { signal } : {}) };
  if (move && (await canBeMoved(path, temporary))) {
    if (sha256 !== undefined) await verifyFile(path, expected);
    await settleFile(path);
    signal?.throwIfAborted();
    await renameInto(path, target);
    return;
  }
  const copy = await copyToTemporary(path, temporary, expected);
  try {
    signal?.throwIfAborted();
    await renameInto(copy, target);
  } catch (error) {
    await rm(copy, { force: true });
    throw error;
  }
  if (move) await rm(path, { force: true });
}

/** Whether an earlier, interrupted call has already moved the file into the object. */
async function isStored(target: string, sha256: string): Promise<boolean> {
  const object = await statFile(target);
  if (!object) return false;
  await verifyFile(target, { bytes: object.bytes, sha256 });
  return true;
}

async function statFile(path: string): Promise<{ readonly bytes: number } | undefined> {
  try {
    const found = await stat(path);
    return found.isFile() ? { bytes: found.size } : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw localFault(error);
  }
}

async function readFrom(
  path: string,
  options: {
    readonly key: string;
    readonly range: { readonly start: number; readonly end: number } | undefined;
    readonly signal: AbortSignal | undefined;
  },
): Promise<Readable> {
  const { key, range, signal } = options;
  // Opened before it is answered: a removal in between then cannot break the stream.
  const handle = await open(path, 'r').catch((error: unknown) => {
    throw isMissing(error) ? notFound(key, error) : localFault(error);
  });
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw notFound(key);
    const { start, end } = range ?? { start: 0, end: found.size };
    if (Math.min(end, found.size) <= start) {
      await handle.close();
      return Readable.from([], { objectMode: false });
    }
    return createReadStream('', { fd: handle, start, end: end - 1, ...(signal ? { signal } : {}) });
  } catch (error) {
    await handle.close();
    throw localFault(error);
  }
}

/** Walks in key order: a folder sorts by its name and the slash that follows it in the keys. */
async function* listFolder(
  directory: string,
  at: { readonly folder: string; readonly prefix: string },
): AsyncGenerator<StoredObject> {
  const { folder, prefix } = at;
  const sortName = (entry: Dirent): string => (entry.isDirectory() ? `${entry.name}/` : entry.name);
  let entries: readonly Dirent[];
  try {
    entries = await readdir(join(directory, folder), { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return;
    throw localFault(error);
  }
  const visible = entries.filter((entry) => !entry.name.startsWith('.'));
  for (const entry of visible.toSorted((a, b) => (sortName(a) < sortName(b) ? -1 : 1))) {
    const key = folder + sortName(entry);
    if (entry.isDirectory()) {
      if (key.startsWith(prefix) || prefix.startsWith(key)) yield* listFolder(directory, { folder: key, prefix });
    } else if (key.startsWith(prefix)) {
      const file = await statFile(join(directory, key));
      if (file) yield { key, bytes: file.bytes };
    }
  }
}
