import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { LibraryScope } from '../auth/index.ts';
import { AppError, DAY_MS, KIB, type Logger } from '../base/index.ts';
import type { Database } from '../db/index.ts';
import type { Jobs } from '../jobs/index.ts';
import {
  acceptUpload,
  type AssetPatch,
  isStorageKeyUsed,
  type LibraryWrite,
  type UploadOutcome,
  writeLibrary,
} from '../library/index.ts';
import type { ObjectStorage } from '../storage/index.ts';
import { type DetectedType, detectFileType } from './file-type.ts';
import { WORK_FOLDER } from './work-folder.ts';

/** A file that has arrived in full, in a temporary place. */
export type ReceivedFile = {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly detected: DetectedType;
};

export type UploadFields = AssetPatch & {
  readonly name: string;
  readonly tagOptionIds: readonly number[];
  readonly tagSource: 'manual' | 'import';
};

export type Intake = {
  /**
   * Streams a file to the temporary folder and hashes it on the way; refused as soon as its first bytes are no known format.
   * @throws AppError `unsupported_media_type`, `file_empty`, `payload_too_large`, `upload_incomplete`
   */
  receive(stream: Readable, signal: AbortSignal): Promise<ReceivedFile>;
  /**
   * Stores the bytes, then records asset, changes and job in one transaction: when this returns, a crash loses nothing.
   * The received file is moved or removed.
   */
  accept(
    scope: LibraryScope,
    file: ReceivedFile,
    fields: UploadFields,
    options?: {
      /** Done in the same transaction, after the asset is there. */
      readonly onAccepted?: (write: LibraryWrite, outcome: UploadOutcome) => Promise<void>;
    },
  ): Promise<UploadOutcome & { readonly version: number }>;
  /** Removes those stored originals that no asset and no upload needs. */
  removeUnused(scope: LibraryScope, storageKeys: readonly string[]): Promise<void>;
  discard(file: ReceivedFile): Promise<void>;
  /** Removes what interrupted uploads and processing left behind a day ago or more. */
  sweep(): Promise<void>;
};

/** The formats we know show themselves within this much. */
export const HEAD_BYTES = 64 * KIB;
const FOLDER = 'uploads';

export function originalKey(organizationId: number, sha256: string): string {
  return `originals/${organizationId}/${sha256.slice(0, 2)}/${sha256}`;
}

/** The refusal of a file that is neither a photo nor a video by its first bytes. */
export function unsupportedFile(): AppError {
  return new AppError(
    'unsupported_media_type',
    'expected a photo (JPEG, PNG, WebP, TIFF, GIF, HEIC, AVIF, camera RAW) or a video (MP4, MOV, MXF), received another kind of file',
    {
      errors: [
        {
          pointer: '/file',
          code: 'unsupported_media_type',
          detail: 'expected a photo or video by its content, whatever its name',
        },
      ],
    },
  );
}

/** Whether a disk, or its user's part of it, has no room left. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}

export const diskFull = (cause?: unknown) =>
  new AppError('storage_full', 'The disk for uploads is full.', { cause, retryAfterSeconds: 60 });

/** Passes bytes on while it hashes and counts them, and ends the upload early when it cannot be accepted. */
function createInspector(maxBytes: number) {
  const hash = createHash('sha256');
  const head: Buffer[] = [];
  let bytes = 0;
  let detected: DetectedType | undefined;
  let decided = false;
  const decide = () => {
    decided = true;
    detected = detectFileType(Buffer.concat(head));
  };
  const transform = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        done(new AppError('payload_too_large', `expected a file of at most ${maxBytes} bytes`));
        return;
      }
      hash.update(chunk);
      if (!decided) {
        head.push(chunk);
        if (bytes >= HEAD_BYTES) decide();
      }
      done(decided && !detected ? unsupportedFile() : null, chunk);
    },
    flush(done) {
      if (!decided) decide();
      if (bytes === 0) done(new AppError('file_empty', 'expected a file, received 0 bytes'));
      else done(detected ? null : unsupportedFile());
    },
  });
  return { transform, result: () => ({ sha256: hash.digest('hex'), bytes, detected }) };
}

/** Queues the processing of an accepted asset in the same transaction. */
export async function enqueueProcessing(
  jobs: Jobs,
  write: LibraryWrite,
  outcome: Pick<UploadOutcome, 'id' | 'process'>,
): Promise<void> {
  if (!outcome.process) return;
  await jobs.enqueue(write.tx, outcome.process.mediaType === 'photo' ? 'photo.process' : 'video.process', {
    organizationId: write.scope.organizationId,
    mediaId: outcome.id,
    revision: outcome.process.revision,
  });
}

export function createIntake(options: {
  readonly db: Database;
  readonly storage: ObjectStorage;
  readonly jobs: Jobs;
  readonly temporaryFolder: string;
  readonly maxBytes: number;
  readonly logger: Logger;
}): Intake {
  const { db, storage, jobs, maxBytes, logger } = options;
  const folder = join(options.temporaryFolder, FOLDER);

  /** Removes those objects that no asset points at, under the organization's lock, so that none begins to meanwhile. */
  const removeUnused = async (scope: LibraryScope, storageKeys: readonly string[]): Promise<void> => {
    if (storageKeys.length === 0) return;
    try {
      await writeLibrary(db, scope, async ({ tx }) => {
        for (const key of storageKeys) if (!(await isStorageKeyUsed(tx, key))) await storage.remove([key]);
      });
    } catch (error) {
      // What is left behind costs room and nothing else; the upload's own outcome matters more.
      logger.warn({ event: 'storage.remove_failed', keys: storageKeys, err: error }, 'objects were left behind');
    }
  };

  return {
    async receive(stream, signal) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, randomUUID());
      const inspector = createInspector(maxBytes);
      try {
        await pipeline(stream, inspector.transform, createWriteStream(path, { mode: 0o600 }), { signal });
        const { detected, ...facts } = inspector.result();
        if (!detected) throw unsupportedFile();
        return { path, detected, ...facts };
      } catch (error) {
        await rm(path, { force: true });
        if (error instanceof AppError) throw error;
        const code = error instanceof Error && 'code' in error ? String(error.code) : '';
        if (isDiskFull(error)) throw diskFull(error);
        if (signal.aborted || code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET') {
          throw new AppError('upload_incomplete', 'The upload ended before the file was complete.', { cause: error });
        }
        throw error;
      }
    },

    async accept(scope, file, fields, options = {}) {
      const { tagOptionIds, tagSource, ...rest } = fields;
      const storageKey = originalKey(scope.organizationId, file.sha256);
      await storage.putFile(storageKey, file.path, {
        contentType: file.detected.mimeType,
        move: true,
        sha256: file.sha256,
      });
      await rm(file.path, { force: true });
      try {
        const { result, version } = await writeLibrary(db, scope, async (write) => {
          // Another upload of these bytes may have been refused, and its object removed, since ours was stored.
          if (!(await storage.stat(storageKey)))
            throw new AppError('unavailable', 'The file went away: upload it again.');
          const outcome = await acceptUpload(
            write,
            {
              mediaType: file.detected.kind,
              sha256: file.sha256,
              bytes: file.bytes,
              mimeType: file.detected.mimeType,
              extension: file.detected.extension,
              storageKey,
            },
            { ...rest, tags: tagOptionIds.map((tagOptionId) => ({ tagOptionId, source: tagSource })) },
          );
          await enqueueProcessing(jobs, write, outcome);
          await options.onAccepted?.(write, outcome);
          return outcome;
        });
        await removeUnused(scope, result.replacedKeys);
        return { ...result, version };
      } catch (error) {
        await removeUnused(scope, [storageKey]);
        throw error;
      }
    },

    removeUnused,

    discard: (file) => rm(file.path, { force: true }),

    async sweep() {
      for (const place of [folder, join(options.temporaryFolder, WORK_FOLDER)]) {
        for (const name of await readdir(place).catch(() => [])) {
          const info = await stat(join(place, name)).catch(() => undefined);
          const stale = info !== undefined && Date.now() - info.mtimeMs > DAY_MS;
          if (stale) await rm(join(place, name), { recursive: true, force: true });
        }
      }
    },
  };
}
