import { execFile } from 'node:child_process';
import { access, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { AppError, type Logger, messageOf } from '../../base/index.ts';
import type { DetectedType } from '../file-type.ts';
import type { MetadataReader } from '../metadata/metadata-reader.ts';
import type { ExifOrientation, PhotoMetadata } from '../metadata/photo-metadata.ts';
import type { WorkerProcess } from '../worker-process.ts';
import type { DecodeRequest } from './decode-worker.ts';
import { MAX_PHOTO_PIXELS, photoDamaged, photoTooLarge, photoTooSlow } from './photo-errors.ts';
import { orientedSize } from './pixels.ts';
import { isRawFileType } from './raw-formats.ts';

/** A file that sharp can open in place of the original, and how to turn it. */
export type PictureSource = {
  readonly path: string;
  readonly orientation: 'embedded' | ExifOrientation;
  /** Upright size of the original where the stand-in is smaller. */
  readonly size?: { readonly width: number; readonly height: number };
  readonly warnings: readonly string[];
};

export type PictureSources = {
  /** @throws AppError `file_damaged`, `file_limits_exceeded` or `unsupported_media_type` */
  find(photo: {
    readonly path: string;
    readonly detected: DetectedType;
    readonly metadata: PhotoMetadata;
    readonly workDir: string;
    readonly signal: AbortSignal | undefined;
  }): Promise<PictureSource>;
};
type Photo = Parameters<PictureSources['find']>[0];

const runFile = promisify(execFile);
/** An embedded preview below this is a thumbnail; developing the sensor data is worth its time then. */
const MIN_PREVIEW_SIDE_PX = 1000;

/** Chooses by format: camera RAW through its preview or LibRaw, HEIC through a converter, everything else as it is. */
export function createPictureSources(deps: {
  readonly logger: Logger;
  readonly metadata: MetadataReader;
  readonly decoder: WorkerProcess<DecodeRequest, unknown>;
  readonly timeoutMs: number;
  /** Path of libheif's `heif-convert`, which keeps wide-gamut colour. */
  readonly heifConvert: string | undefined;
}): PictureSources {
  const { logger } = deps;

  const decodeInChild = async (request: DecodeRequest, signal: AbortSignal | undefined): Promise<void> => {
    try {
      await deps.decoder.request(request, signal);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unavailable') throw error;
      throw error.details['reason'] === 'timeout' ? photoTooSlow(error) : photoDamaged(error);
    }
  };

  const rawSource = async ({ path, metadata, workDir, signal }: Photo): Promise<PictureSource> => {
    const { orientation } = metadata;
    const stored = storedSize(metadata);
    const size = stored && orientedSize(stored, orientation);
    const preview = await deps.metadata.extractPreview(path, join(workDir, 'preview.jpg'), signal);
    const previewSource = preview && {
      path: preview.path,
      orientation: isUprightAlready(preview, stored, orientation) ? 1 : orientation,
      size: size ?? orientedSize(preview, orientation),
      warnings: [],
    };
    if (previewSource && Math.max(preview.width, preview.height) >= MIN_PREVIEW_SIDE_PX) return previewSource;
    const outPath = join(workDir, 'developed.jpg');
    try {
      await decodeInChild({ kind: 'raw', path, outPath }, signal);
    } catch (error) {
      if (!previewSource) throw error;
      logger.info({ reason: messageOf(error) }, 'photo.raw_preview_only');
      return { ...previewSource, warnings: ['only a small preview of this camera RAW file could be read'] };
    }
    return { path: outPath, orientation, ...(size && { size }), warnings: [] };
  };

  const heicSource = async ({ path, workDir, signal }: Photo): Promise<PictureSource> => {
    const outPath = join(workDir, 'heic.jpg');
    const converted = deps.heifConvert !== undefined && (await convert(deps.heifConvert, path, outPath, signal));
    if (!converted) await decodeInChild({ kind: 'heic', path, outPath }, signal);
    // Both turn the picture as the container says; an EXIF orientation beside it repeats that and must not be obeyed again.
    return { path: outPath, orientation: 1, warnings: [] };
  };

  const convert = async (tool: string, path: string, outPath: string, signal: AbortSignal | undefined) => {
    try {
      await runFile(tool, ['-q', '95', path, outPath], { timeout: deps.timeoutMs, ...(signal && { signal }) });
      await settleName(outPath);
      return true;
    } catch (error) {
      signal?.throwIfAborted();
      logger.info({ reason: messageOf(error) }, 'photo.heif_convert_failed');
      return false;
    }
  };

  return {
    async find(photo) {
      const stored = storedSize(photo.metadata);
      if (stored && stored.width * stored.height > MAX_PHOTO_PIXELS) throw photoTooLarge(stored);
      if (photo.detected.format === 'raw' || isRawFileType(photo.metadata.fileType)) return rawSource(photo);
      if (photo.detected.format === 'heic') return heicSource(photo);
      return { path: photo.path, orientation: 'embedded', warnings: [] };
    },
  };
}

/** A file with several top-level pictures is written as `heic-1.jpg`, `heic-2.jpg`...; the first is the primary one. */
async function settleName(outPath: string): Promise<void> {
  try {
    await access(outPath);
  } catch {
    await rename(outPath.replace(/\.jpg$/, '-1.jpg'), outPath);
  }
}

function storedSize({ width, height }: PhotoMetadata): { readonly width: number; readonly height: number } | undefined {
  return width === undefined || height === undefined ? undefined : { width, height };
}

/** Some cameras store the preview upright beside sensor data on its side: its shape tells. */
function isUprightAlready(
  preview: { readonly width: number; readonly height: number },
  stored: { readonly width: number; readonly height: number } | undefined,
  orientation: ExifOrientation,
): boolean {
  if (orientation < 5 || !stored) return false;
  return Math.sign(preview.width - preview.height) === -Math.sign(stored.width - stored.height);
}
