import { access } from 'node:fs/promises';
import { type Logger, messageOf } from '../../base/index.ts';
import { captureTime } from './capture-time.ts';
import { photoDetails, photoKeywords, photoPersons } from './details.ts';
import { type EmbeddedPreview, extractLargestPreview } from './embedded-preview.ts';
import { readExifreaderTags } from './exifreader-tags.ts';
import { createExifToolProcess } from './exiftool-process.ts';
import { readExiftoolTags } from './exiftool-tags.ts';
import type { ExifOrientation, PhotoMetadata, TagBag } from './photo-metadata.ts';
import { namedRegions } from './regions.ts';
import { cleanText, finiteNumber } from './tag-values.ts';

export type MetadataReader = {
  /**
   * Reads what a photo says about itself. Damaged or hostile values are left out, never thrown.
   * @throws the system error when the file cannot be opened, and the signal's reason when it is aborted.
   */
  read(path: string, signal?: AbortSignal): Promise<PhotoMetadata>;
  /** Writes the largest JPEG embedded in a RAW file to `outPath`; undefined when there is none or ExifTool is not available. */
  extractPreview(path: string, outPath: string, signal?: AbortSignal): Promise<EmbeddedPreview | undefined>;
  /** Whether ExifTool runs here (it needs perl); otherwise `read` falls back to a reader that knows fewer formats. */
  available(): Promise<boolean>;
  close(): Promise<void>;
};

/** ExifTool is started at the first use and kept; `timeoutMs` limits one file, `maxProcesses` the perl processes. */
export function createMetadataReader(options: {
  readonly logger: Logger;
  readonly timeoutMs: number;
  readonly maxProcesses: number;
  /** Another ExifTool than the bundled one. */
  readonly exiftoolPath?: string;
}): MetadataReader {
  const { logger } = options;
  const { ready, close } = createExifToolProcess(options);

  const read = async (path: string): Promise<PhotoMetadata> => {
    await access(path);
    const tool = await ready();
    if (tool) {
      try {
        return toPhotoMetadata(await readExiftoolTags(tool, path), 'exiftool');
      } catch (error) {
        logger.warn({ reason: messageOf(error) }, 'metadata.exiftool_failed');
      }
    }
    return toPhotoMetadata(await readExifreaderTags(path), 'exifreader');
  };

  return {
    read: (path, signal) => abortable(() => read(path), signal),
    extractPreview: (path, outPath, signal) =>
      abortable(async () => {
        const tool = await ready();
        return tool ? extractLargestPreview(tool, path, outPath) : undefined;
      }, signal),
    available: async () => (await ready()) !== undefined,
    close,
  };
}

/** Translates tags under ExifTool's names; pure, so that both readers share every rule. */
export function toPhotoMetadata(tags: TagBag, reader: PhotoMetadata['reader']): PhotoMetadata {
  const orientation = exifOrientation(tags['IFD0:Orientation']);
  const regions = namedRegions(tags, orientation);
  const keywords = photoKeywords(tags);
  const persons = photoPersons(
    tags,
    regions.map((region) => region.name),
  );
  const fileType = cleanText(tags['File:FileType'], 32);
  const mimeType = cleanText(tags['File:MIMEType'], 128);
  const rating = stars(tags['XMP-xmp:Rating']) ?? stars(tags['IFD0:Rating']);
  return {
    ...(fileType !== undefined && { fileType }),
    ...(mimeType !== undefined && { mimeType }),
    ...storedSize(tags['Composite:ImageSize']),
    orientation,
    ...captureTime(tags),
    details: photoDetails(tags, { keywords, persons }),
    keywords,
    persons,
    regions,
    ...(rating !== undefined && { rating }),
    reader,
  };
}

function exifOrientation(value: unknown): ExifOrientation {
  const number = finiteNumber(value) ?? 1;
  // The check admits exactly the members of the union.
  return Number.isInteger(number) && number >= 1 && number <= 8 ? (number as ExifOrientation) : 1;
}

/** ExifTool writes "6000 4000" for `ImageSize#`. */
function storedSize(value: unknown): { readonly width?: number; readonly height?: number } {
  const match = typeof value === 'string' ? /^(\d{1,7})[ x](\d{1,7})$/.exec(value) : null;
  if (!match) return {};
  return { width: Number(match[1]), height: Number(match[2]) };
}

/** Adobe's -1 (rejected) is no star rating. */
function stars(value: unknown): number | undefined {
  const number = finiteNumber(value);
  return number !== undefined && number >= 0 && number <= 5 ? Math.round(number) : undefined;
}

/** ExifTool cannot be called back from a file; an abort frees the caller, and the task ends at its own time limit. */
async function abortable<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work();
  signal.throwIfAborted();
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', onAbort));
  });
}
