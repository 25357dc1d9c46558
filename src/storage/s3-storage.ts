import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError, type Clock, type Logger } from '../base/index.ts';
import { isDiskFault, isMissing, localFault } from './faults.ts';
import { assertKey, assertPrefix, assertRange } from './keys.ts';
import { makePrivateDirectory, removeStaleFiles } from './local-files.ts';
import type { ObjectStorage, PutFileOptions } from './object-storage.ts';
import { type Bucket, createBucket } from './s3-bucket.ts';
import { createS3Client, type S3Config, s3Fault } from './s3-client.ts';

/**
 * Objects in a bucket of any S3-compatible store. Nothing is asked of the store yet: `check` does.
 * @throws AppError `unavailable` when the folder for temporary copies cannot be made
 */
export async function openS3Storage(
  config: S3Config,
  options: { readonly tempDirectory: string; readonly logger: Logger; readonly clock: Clock },
): Promise<ObjectStorage> {
  // Its own folder: what is stale in it is certainly ours.
  const temporary = join(options.tempDirectory, 'storage');
  try {
    await makePrivateDirectory(temporary);
    const removed = await removeStaleFiles(temporary, options.clock.now().getTime());
    if (removed > 0) options.logger.info({ removed }, 'storage.stale_files_removed');
  } catch (error) {
    throw localFault(error);
  }
  const client = createS3Client(config);
  const base = config.prefix === '' ? '' : `${config.prefix}/`;
  const bucket = createBucket(client, { bucket: config.bucket, base });

  return {
    async putFile(key, path, put) {
      assertKey(key);
      await putFile(bucket, { key, path, put });
    },
    async stat(key, signal) {
      assertKey(key);
      const found = await bucket.stat(key, signal);
      return found && { bytes: found.bytes };
    },
    async read(key, range, signal) {
      assertKey(key);
      if (range) assertRange(range);
      return bucket.read(key, { range, signal });
    },
    async openLocal(key, signal) {
      assertKey(key);
      const path = join(temporary, randomUUID());
      const release = (): Promise<void> => rm(path, { force: true });
      const body = await bucket.read(key, { signal });
      try {
        await pipeline(body, createWriteStream(path, { mode: 0o600, flags: 'wx' }), signal ? { signal } : {});
      } catch (error) {
        await release();
        throw isDiskFault(error) ? localFault(error, signal) : s3Fault(error, signal);
      }
      return { path, release };
    },
    async remove(keys) {
      for (const key of keys) assertKey(key);
      await bucket.remove(keys);
    },
    list(prefix) {
      assertPrefix(prefix);
      return bucket.list(prefix);
    },
    check: (signal) => bucket.check(signal),
    async close() {
      client.destroy();
    },
  };
}

async function putFile(
  bucket: Bucket,
  file: { readonly key: string; readonly path: string; readonly put: PutFileOptions },
): Promise<void> {
  const { key, path, put } = file;
  const { sha256, signal, move = false } = put;
  signal?.throwIfAborted();
  const found = await stat(path).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw localFault(error, signal);
  });
  if (!found) {
    // An earlier, interrupted call may have stored these bytes; it removed the file only when they were complete.
    if (move && sha256 !== undefined && (await bucket.stat(key, signal))?.sha256 === sha256) return;
    throw new AppError('internal', 'expected a file to store, found none at its path');
  }
  const expected = { bytes: found.size, ...(sha256 === undefined ? {} : { sha256 }), ...(signal ? { signal } : {}) };
  await bucket.upload(key, { path, contentType: put.contentType, expected });
  if (move) await rm(path, { force: true });
}
