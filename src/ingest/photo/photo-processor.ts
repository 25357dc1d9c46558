import { AppError, checkPictureLimits, type Logger, MINUTE_MS } from '../../base/index.ts';
import type { DetectedType } from '../file-type.ts';
import type { MetadataReader } from '../metadata/metadata-reader.ts';
import type { PhotoMetadata } from '../metadata/photo-metadata.ts';
import { createWorkerProcess } from '../worker-process.ts';
import type { DecodeRequest } from './decode-worker.ts';
import { allowPhotoLoadersOnly } from './loaders.ts';
import { createPictureSources } from './picture-source.ts';
import { decodePhoto } from './pixels.ts';
import { isRawFileType } from './raw-formats.ts';
import { COMPRESSED_SIDE_PX, type PhotoTier, writeTiers } from './tiers.ts';

export type PhotoResult = {
  /** Size of the whole photo, upright. */
  readonly width: number;
  readonly height: number;
  readonly orientation: 'landscape' | 'portrait' | 'square';
  /** Type of the original file. */
  readonly mimeType: string;
  /** Usual file name extension of the original, without the dot; for camera RAW the exact one (`nef`, `dng`). */
  readonly extension: string;
  /** Whether the original has transparency; the tiers show it on white. */
  readonly hasAlpha: boolean;
  readonly metadata: PhotoMetadata;
  /** JPEG, long side at most 2048, sRGB. */
  readonly compressed: PhotoTier;
  /** JPEG, long side at most 480, sRGB. */
  readonly thumbnail: PhotoTier;
  /** Whether the file has faults that may show in the picture. */
  readonly damaged: boolean;
  readonly warnings: readonly string[];
};

export type PhotoProcessor = {
  /**
   * Reads a photo's metadata and writes its displayable tiers into `workDir`, which the caller owns and empties.
   * @throws AppError `file_damaged`, `file_limits_exceeded` (150 megapixels, time) or `unsupported_media_type`; the signal's
   * reason when aborted.
   */
  process(photo: {
    readonly path: string;
    readonly detected: DetectedType;
    readonly workDir: string;
    readonly signal?: AbortSignal;
  }): Promise<PhotoResult>;
  /** Ends the decoder child. The metadata reader belongs to the caller. */
  close(): Promise<void>;
};

/** RAW files come in folders, so the child stays a while; its WebAssembly memory is given back after. */
const DECODER_IDLE_MS = MINUTE_MS;

/** `timeoutMs` limits each step (conversion, decoding) of one photo. */
export function createPhotoProcessor(options: {
  readonly logger: Logger;
  readonly metadata: MetadataReader;
  readonly timeoutMs: number;
  readonly tools: { readonly heifConvert?: string };
}): PhotoProcessor {
  const { logger, metadata, timeoutMs } = options;
  allowPhotoLoadersOnly();
  const decoder = createWorkerProcess<DecodeRequest, unknown>({
    name: 'photo decoder',
    module: new URL('decode-worker.ts', import.meta.url),
    logger,
    timeoutMs,
    idleMs: DECODER_IDLE_MS,
  });
  const sources = createPictureSources({
    logger,
    metadata,
    decoder,
    timeoutMs,
    heifConvert: options.tools.heifConvert,
  });

  return {
    async process({ path, detected, workDir, signal }) {
      if (detected.kind !== 'photo') {
        throw new AppError('unsupported_media_type', `expected a photo, received ${detected.mimeType}`);
      }
      // Before any reader: some unpack what they find into memory.
      await checkPictureLimits(path);
      const read = await metadata.read(path, signal);
      const source = await sources.find({ path, detected, metadata: read, workDir, signal });
      const decoded = await decodePhoto({
        path: source.path,
        orientation: source.orientation,
        maxSidePx: COMPRESSED_SIDE_PX,
        timeoutMs,
        signal,
      });
      signal?.throwIfAborted();
      const tiers = await writeTiers({ pixels: decoded.pixels, details: read.details, workDir });
      const { width, height } = source.size ?? decoded;
      return {
        width,
        height,
        orientation: shapeOf(width, height),
        ...exactType(detected, read),
        hasAlpha: decoded.hasAlpha,
        metadata: read,
        ...tiers,
        damaged: decoded.damaged,
        warnings: [...source.warnings, ...decoded.warnings],
      };
    },
    close: () => decoder.close(),
  };
}

/** A RAW file's exact type is known only to the metadata step; that of the other formats from their first bytes. */
function exactType(
  detected: DetectedType,
  { fileType, mimeType }: PhotoMetadata,
): Pick<PhotoResult, 'mimeType' | 'extension'> {
  if (fileType === undefined || !isRawFileType(fileType))
    return { mimeType: detected.mimeType, extension: detected.extension };
  return { mimeType: mimeType ?? detected.mimeType, extension: fileType.toLowerCase() };
}

function shapeOf(width: number, height: number): PhotoResult['orientation'] {
  if (width === height) return 'square';
  return width > height ? 'landscape' : 'portrait';
}
