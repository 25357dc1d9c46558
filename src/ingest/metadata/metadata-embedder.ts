import { randomUUID } from 'node:crypto';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { LibraryScope } from '../../auth/index.ts';
import { AppError, createPermits, type Logger, messageOf, MINUTE_MS } from '../../base/index.ts';
import type { Database } from '../../db/index.ts';
import { type Asset, findTags, type Quality } from '../../library/index.ts';
import type { ObjectStorage } from '../../storage/index.ts';
import { WORK_FOLDER } from '../work-folder.ts';
import { metadataValues } from './metadata-values.ts';
import { createMetadataWriter } from './metadata-writer.ts';

export type EmbeddedFile = {
  readonly path: string;
  readonly bytes: number;
  readonly mimeType: string;
  /** Removes the file. It may be open still: what has been opened can be read to its end. */
  release(): Promise<void>;
};

export type EmbedRequest = {
  readonly scope: LibraryScope;
  readonly asset: Asset;
  readonly quality: Exclude<Quality, 'poster'>;
  readonly signal: AbortSignal;
};

export type MetadataEmbedder = {
  /**
   * A temporary copy of a file of an asset, with the library's present values written into it: texts, keywords, persons, faces,
   * rating. The caller releases it.
   * @throws AppError `not_found` when the asset lacks the quality, `state_conflict` when it is not processed,
   * `unsupported_media_type` (RAW and others that are never altered), `file_damaged`, `file_limits_exceeded`,
   * `capability_missing`, `overloaded`, `unavailable`; the signal's reason when aborted
   */
  embed(request: EmbedRequest): Promise<EmbeddedFile>;
  /** The XMP file that goes beside a file of an asset, with the same values. @throws as `embed` */
  sidecar(request: EmbedRequest): Promise<EmbeddedFile>;
  close(): Promise<void>;
};

/** More would only make each other wait: writing is mostly copying. */
const WAITING_PER_PERMIT = 20;

/**
 * Writes metadata into copies of stored files, `concurrency` at a time; `timeoutMs` limits one file. What nobody waits for any
 * more is removed as soon as ExifTool, which cannot be interrupted in a file, has done with it.
 */
export function createMetadataEmbedder(options: {
  readonly db: Database;
  readonly storage: ObjectStorage;
  readonly temporaryFolder: string;
  readonly logger: Logger;
  readonly timeoutMs: number;
  readonly concurrency: number;
  /** Another ExifTool than the bundled one. */
  readonly exiftoolPath?: string;
}): MetadataEmbedder {
  const { db, storage, logger, concurrency } = options;
  const writer = createMetadataWriter({ ...options, maxProcesses: concurrency });
  const permits = createPermits({
    name: 'metadata',
    running: concurrency,
    waiting: concurrency * WAITING_PER_PERMIT,
    maxWaitMs: MINUTE_MS,
  });

  const write = async (request: EmbedRequest, kind: 'embed' | 'sidecar'): Promise<EmbeddedFile> => {
    const { scope, asset, quality, signal } = request;
    const file = asset.files.find((one) => one.quality === quality);
    if (!file) throw new AppError('not_found', `Asset ${asset.id} has no ${quality} file.`);
    if (asset.status !== 'ready' && asset.status !== 'archived') {
      throw new AppError('state_conflict', `Asset ${asset.id} is ${asset.status}: its metadata is not known yet.`);
    }
    const optionIds = [...asset.tags.map((tag) => tag.id), ...asset.faces.flatMap((face) => face.tagOptionId ?? [])];
    const values = metadataValues(asset, await findTags(db, scope, [...new Set(optionIds)]));
    const original = quality === 'photographer';
    const mimeType = original ? asset.mimeType : file.mimeType;
    const folder = join(options.temporaryFolder, WORK_FOLDER, `embed-${asset.id}-${randomUUID().slice(0, 8)}`);
    // ExifTool goes by the bytes, not by the name, but for XMP, which it makes from nothing.
    const outPath = join(folder, kind === 'embed' ? 'copy' : 'sidecar.xmp');
    const release = () => rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      const local = await storage.openLocal(file.storageKey, signal);
      try {
        signal.throwIfAborted();
        await writer[kind]({ path: local.path, outPath, mimeType, values });
      } finally {
        await local.release();
      }
      const { size } = await stat(outPath);
      return { path: outPath, bytes: size, mimeType: kind === 'embed' ? mimeType : 'application/rdf+xml', release };
    } catch (error) {
      await release();
      throw error;
    }
  };

  /** Removes a result that came too late. */
  const dropAbandoned = async (work: Promise<EmbeddedFile>, signal: AbortSignal): Promise<void> => {
    try {
      const file = await work;
      if (signal.aborted) await file.release();
    } catch (error) {
      if (signal.aborted) logger.debug({ reason: messageOf(error) }, 'metadata.embed_abandoned');
    }
  };

  /** Answers at once when it is aborted; the work goes on to its end, keeps its permit so long, and its result is removed. */
  const whileWanted = async (request: EmbedRequest, kind: 'embed' | 'sidecar'): Promise<EmbeddedFile> => {
    const { signal } = request;
    signal.throwIfAborted();
    const work = permits.run(() => write(request, kind), signal);
    void dropAbandoned(work, signal);
    let onAbort = (): void => undefined;
    const aborted = new Promise<never>((_resolve, reject) => {
      onAbort = () => reject(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
    });
    try {
      return await Promise.race([work, aborted]);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  };

  return {
    embed: (request) => whileWanted(request, 'embed'),
    sidecar: (request) => whileWanted(request, 'sidecar'),
    close: () => writer.close(),
  };
}
