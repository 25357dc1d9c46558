import { randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { scopeOf } from '../auth/index.ts';
import { AppError, KIB, type Logger, messageOf } from '../base/index.ts';
import type { Database } from '../db/index.ts';
import type { JobPayloads, Jobs } from '../jobs/index.ts';
import {
  type Asset,
  type AssetFile,
  type EmbeddedNames,
  findAsset,
  finishProcessing,
  type FoundFace,
  giveUpProcessing,
  type ProcessedFacts,
  type Quality,
  writeLibrary,
} from '../library/index.ts';
import type { ObjectStorage } from '../storage/index.ts';
import type { Face } from './faces/face-boxes.ts';
import { enqueueFaceSuggestions } from './face-suggester.ts';
import type { FaceDetector } from './faces/face-detector.ts';
import { nameFaces } from './faces/named-faces.ts';
import { detectFileType, type DetectedType } from './file-type.ts';
import type { PhotoProcessor } from './photo/photo-processor.ts';
import { writeThumbnail } from './photo/tiers.ts';
import { WORK_FOLDER } from './work-folder.ts';

const THUMBNAIL_TIMEOUT_MS = 30_000;

type Target = JobPayloads['photo.process'];
type LocalTier = Pick<AssetFile, 'width' | 'height' | 'bytes' | 'mimeType'> & {
  readonly quality: Quality;
  readonly path: string;
};
type Found = Omit<ProcessedFacts, 'files' | 'faces'> &
  EmbeddedNames & { readonly faces: readonly FoundFace[]; readonly tiers: readonly LocalTier[] };

/** What processing needs of videos; `app.ts` satisfies it with the video module. */
export type VideoTools = {
  /** Probes, and writes poster and proxy into `workDir`. @throws AppError as the video module does */
  process(video: { readonly path: string; readonly workDir: string; readonly signal: AbortSignal }): Promise<{
    readonly width: number;
    readonly height: number;
    readonly durationMs: number;
    readonly frameRate: { readonly num: number; readonly den: number };
    readonly facts: Readonly<Record<string, unknown>>;
    readonly createdAt: Date | undefined;
    readonly warnings: readonly string[];
    readonly poster: { readonly path: string; readonly width: number; readonly height: number; readonly bytes: number };
    readonly proxy: { readonly path: string; readonly width: number; readonly height: number; readonly bytes: number };
  }>;
};

export type Processing = {
  photo(target: Target, context: { readonly signal: AbortSignal; readonly lastAttempt: boolean }): Promise<void>;
  video(target: Target, context: { readonly signal: AbortSignal; readonly lastAttempt: boolean }): Promise<void>;
  /** For a job that ended without its handler, such as one that took the process down each time. */
  abandon(target: Target): Promise<void>;
};

async function detect(path: string): Promise<DetectedType> {
  const file = await open(path);
  try {
    const head = Buffer.alloc(64 * KIB);
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    const detected = detectFileType(head.subarray(0, bytesRead));
    if (!detected)
      throw new AppError('unsupported_media_type', 'expected a photo or a video, received another kind of file');
    return detected;
  } finally {
    await file.close();
  }
}

function shapeOf(width: number, height: number): ProcessedFacts['orientation'] {
  if (width === height) return 'square';
  return width > height ? 'landscape' : 'portrait';
}

/** True for faults of the file, which another try would only find again. */
function isFinal(error: unknown): error is AppError {
  return error instanceof AppError && error.status < 500;
}

/** The jobs that turn stored bytes into a searchable, showable asset. */
export function createProcessing(options: {
  readonly db: Database;
  readonly storage: ObjectStorage;
  readonly temporaryFolder: string;
  readonly photos: PhotoProcessor;
  readonly faces: FaceDetector;
  readonly videos: VideoTools;
  readonly jobs: Jobs;
  readonly logger: Logger;
}): Processing {
  const { db, storage, photos, faces, videos, jobs, logger } = options;

  const findFaces = async (
    path: string,
    signal: AbortSignal,
  ): Promise<{ faces: readonly Face[]; warnings: string[] }> => {
    try {
      return { faces: await faces.detect(path, signal), warnings: [] };
    } catch (error) {
      signal.throwIfAborted();
      // A photograph without face boxes is still worth having; crops fall back to the rest of the chain.
      logger.warn({ event: 'faces.failed', reason: messageOf(error) }, 'face detection failed');
      return { faces: [], warnings: ['Faces could not be looked for.'] };
    }
  };

  const readPhoto = async (path: string, workDir: string, signal: AbortSignal): Promise<Found> => {
    const detected = await detect(path);
    const photo = await photos.process({ path, detected, workDir, signal });
    const found = await findFaces(photo.compressed.path, signal);
    const { metadata } = photo;
    return {
      mimeType: photo.mimeType,
      extension: photo.extension,
      width: photo.width,
      height: photo.height,
      orientation: photo.orientation,
      durationMs: null,
      frameRate: null,
      video: null,
      hasAlpha: photo.hasAlpha,
      capturedAt: metadata.capturedAt ?? null,
      capturedOffsetMinutes: metadata.capturedOffsetMinutes ?? null,
      rating: metadata.rating ?? null,
      details: metadata.details,
      warnings: [...photo.warnings, ...found.warnings],
      faces: nameFaces(found.faces, metadata.regions),
      keywords: metadata.keywords,
      persons: metadata.persons,
      events: metadata.details.event === undefined ? [] : [metadata.details.event],
      tiers: [
        { quality: 'compressed', ...photo.compressed },
        { quality: 'thumbnail', ...photo.thumbnail },
      ],
    };
  };

  const readVideo = async (path: string, workDir: string, signal: AbortSignal): Promise<Found> => {
    const detected = await detect(path);
    const video = await videos.process({ path, workDir, signal });
    const thumbnail = await writeThumbnail({
      path: video.poster.path,
      workDir,
      timeoutMs: THUMBNAIL_TIMEOUT_MS,
      signal,
    });
    const found = await findFaces(video.poster.path, signal);
    return {
      mimeType: detected.mimeType,
      extension: detected.extension,
      width: video.width,
      height: video.height,
      orientation: shapeOf(video.width, video.height),
      durationMs: video.durationMs,
      frameRate: video.frameRate,
      video: video.facts,
      hasAlpha: false,
      capturedAt: video.createdAt ?? null,
      capturedOffsetMinutes: null,
      rating: null,
      details: {},
      warnings: [...video.warnings, ...found.warnings],
      faces: found.faces,
      keywords: [],
      persons: [],
      events: [],
      tiers: [
        { quality: 'poster', mimeType: 'image/jpeg', ...video.poster },
        { quality: 'compressed', mimeType: 'video/mp4', ...video.proxy },
        { quality: 'thumbnail', ...thumbnail },
      ],
    };
  };

  const store = async (asset: Asset, target: Target, found: Found): Promise<readonly AssetFile[]> => {
    const files: AssetFile[] = [];
    for (const tier of found.tiers) {
      // A new name each time: a tier is never overwritten while somebody reads it, and a crash leaves no mixture.
      const extension = tier.mimeType === 'video/mp4' ? 'mp4' : 'jpg';
      const storageKey = `derived/${target.organizationId}/${asset.id}/${target.revision}-${tier.quality}-${randomUUID().slice(0, 8)}.${extension}`;
      await storage.putFile(storageKey, tier.path, { contentType: tier.mimeType, move: true });
      const { quality, width, height, bytes, mimeType } = tier;
      files.push({ quality, storageKey, width, height, bytes, mimeType });
    }
    return files;
  };

  const finish = async (asset: Asset, target: Target, found: Found): Promise<void> => {
    const files = await store(asset, target, found);
    let taken = false;
    try {
      const { result } = await writeLibrary(db, scopeOf(target.organizationId), async (write) => {
        const { mediaId, revision } = target;
        const isTaken = await finishProcessing(write, { id: mediaId, revision }, { ...found, files });
        if (isTaken && found.faces.length > 0) await enqueueFaceSuggestions(jobs, write, { mediaId });
        return isTaken;
      });
      taken = result;
    } finally {
      if (!taken) await storage.remove(files.map((file) => file.storageKey));
    }
  };

  const giveUp = async (target: Target, failure: { code: string; reason: string }): Promise<void> => {
    await writeLibrary(db, scopeOf(target.organizationId), (write) =>
      giveUpProcessing(write, { id: target.mediaId, revision: target.revision }, failure),
    );
    logger.info(
      { event: 'media.failed', mediaId: target.mediaId, code: failure.code, reason: failure.reason },
      'media failed',
    );
  };

  const run = async (
    target: Target,
    context: { readonly signal: AbortSignal; readonly lastAttempt: boolean },
    read: (path: string, workDir: string, signal: AbortSignal) => Promise<Found>,
  ): Promise<void> => {
    const asset = await findAsset(db, scopeOf(target.organizationId), target.mediaId);
    const original = asset?.files.find((file) => file.quality === 'photographer');
    // Replaced, deleted or done in the meantime: nothing is left to do for this revision.
    if (!asset || !original || asset.status !== 'processing' || asset.revision !== target.revision) return;
    const startedMs = performance.now();
    const workDir = join(options.temporaryFolder, WORK_FOLDER, `${target.mediaId}-${randomUUID().slice(0, 8)}`);
    await mkdir(workDir, { recursive: true, mode: 0o700 });
    try {
      const local = await storage.openLocal(original.storageKey, context.signal);
      try {
        await finish(asset, target, await read(local.path, workDir, context.signal));
      } finally {
        await local.release();
      }
      const tookMs = Math.round(performance.now() - startedMs);
      logger.info({ event: 'media.ready', mediaId: target.mediaId, bytes: asset.bytes, tookMs }, 'media ready');
    } catch (error) {
      if (context.signal.aborted && !context.lastAttempt) throw error;
      if (!isFinal(error) && !context.lastAttempt) throw error;
      if (!isFinal(error))
        logger.error({ event: 'media.processing_failed', mediaId: target.mediaId, err: error }, 'processing failed');
      const reason =
        error instanceof AppError
          ? error.message
          : 'The file could not be processed; the log says why. Retry it later.';
      await giveUp(target, { code: error instanceof AppError ? error.code : 'internal', reason });
    } finally {
      await rm(workDir, { recursive: true, force: true });
    }
  };

  return {
    photo: (target, context) => run(target, context, readPhoto),
    video: (target, context) => run(target, context, readVideo),
    abandon: (target) =>
      giveUp(target, {
        code: 'internal',
        reason: 'Processing was interrupted every time it was tried. Retry it later.',
      }),
  };
}
