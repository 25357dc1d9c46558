import { copyFile, lstat, rm, symlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ExifTool, WriteTags } from 'exiftool-vendored';
import { AppError, type Logger, messageOf } from '../../base/index.ts';
import { isRawFileType } from '../photo/raw-formats.ts';
import { createExifToolProcess } from './exiftool-process.ts';
import { readExiftoolTags } from './exiftool-tags.ts';
import type { MetadataValues } from './metadata-values.ts';
import { toPhotoMetadata } from './metadata-reader.ts';
import type { PhotoMetadata, TagBag } from './photo-metadata.ts';
import { type Carrier, writeArguments } from './write-arguments.ts';

type Request = {
  /** The file whose metadata is brought up to date; it is only read. */
  readonly path: string;
  /** Where the result goes; must not be there. */
  readonly outPath: string;
  readonly mimeType: string;
  readonly values: MetadataValues;
};

export type MetadataWriter = {
  /**
   * Writes a copy of a file that carries these values. Nothing is left at `outPath` when it fails.
   * @throws AppError `unsupported_media_type` for formats that are never altered, `file_damaged`, `file_limits_exceeded`
   * (time), `capability_missing` without ExifTool, `unavailable` when the disk is full
   */
  embed(request: Request): Promise<void>;
  /** Writes an XMP file with the XMP of a file, brought up to date with these values. @throws AppError as `embed` */
  sidecar(request: Request): Promise<void>;
  close(): Promise<void>;
};

const carrier = (kind: Partial<Carrier>): Carrier => ({
  iptc: false,
  exif: false,
  quickTime: false,
  clears: true,
  ...kind,
});

/**
 * Formats that may be altered. Camera RAW may not: its makers' structures break, and it is the negative. IPTC has no place in
 * PNG, WebP, HEIC and AVIF.
 */
const CARRIERS: Readonly<Record<string, Carrier>> = {
  'image/jpeg': carrier({ iptc: true, exif: true }),
  'image/tiff': carrier({ iptc: true, exif: true }),
  'image/png': carrier({ exif: true }),
  'image/webp': carrier({ exif: true }),
  'image/heic': carrier({ exif: true }),
  'image/avif': carrier({ exif: true }),
  'image/gif': carrier({}),
  'video/mp4': carrier({ quickTime: true, clears: false }),
  'video/quicktime': carrier({ quickTime: true, clears: false }),
};

/** Texts of IPTC are written as UTF-8; files may be larger than 2 GiB. */
const COMMON_ARGS = ['-charset', 'iptc=utf8', '-api', 'LargeFileSupport=1'];

/**
 * `-DocumentID-=` without a value: the assignment that follows counts for files that have none. It goes first because the
 * library, given no tag of its own to write, adds one that names the file, which in some calls changes the file itself.
 */
// The type knows names of tags only; ExifTool takes this one with its operator.
const IF_NEW = { 'XMP-xmpMM:DocumentID-': '' } as WriteTags;

/** Writes with processes of its own: a large video takes longer than reading ever may. `timeoutMs` limits one file. */
export function createMetadataWriter(options: {
  readonly logger: Logger;
  readonly timeoutMs: number;
  readonly maxProcesses: number;
  /** Another ExifTool than the bundled one. */
  readonly exiftoolPath?: string;
}): MetadataWriter {
  const { logger } = options;
  const exiftool = createExifToolProcess(options);

  const getTool = async (): Promise<ExifTool> => {
    const tool = await exiftool.ready();
    if (!tool) throw new AppError('capability_missing', 'Metadata cannot be written here: ExifTool needs perl.');
    return tool;
  };

  /**
   * ExifTool is never given the name of the file itself, which may be an original in storage. It is given a link to it, and
   * puts its copy in the place of the link.
   */
  const write = async (
    { path, outPath }: Request,
    into: 'copy' | 'sidecar',
    argumentsFor: (file: { readonly tags: TagBag; readonly metadata: PhotoMetadata }) => readonly string[],
  ): Promise<void> => {
    const tool = await getTool();
    try {
      const tags = await readExiftoolTags(tool, path);
      const args = argumentsFor({ tags, metadata: toPhotoMetadata(tags, 'exiftool') });
      if (into === 'copy') await symlink(resolve(path), outPath);
      // Minor errors are damage that a write could make worse; they are refused like others.
      const options = { ignoreMinorErrors: false, writeArgs: [...COMMON_ARGS, ...args] };
      const result = await tool.write(outPath, IF_NEW, options);
      if (result.warnings) logger.debug({ warnings: result.warnings.slice(0, 10) }, 'metadata.write_warned');
      // ExifTool reports some faults as warnings only; and what needs no change is still the link.
      if ((await lstat(outPath)).isSymbolicLink()) await replaceLink(path, outPath);
    } catch (error) {
      await rm(outPath, { force: true });
      throw toAppError(error);
    }
  };

  return {
    embed: (request) =>
      write(request, 'copy', (file) => {
        const kind = CARRIERS[request.mimeType];
        if (!kind || isRawFileType(file.metadata.fileType)) {
          throw new AppError(
            'unsupported_media_type',
            `expected a file that can carry metadata, received ${request.mimeType}: ask for metadata=sidecar`,
          );
        }
        return [...writeArguments(file, request.values, kind), '-overwrite_original'];
      }),
    sidecar: (request) =>
      write(request, 'sidecar', (file) => {
        const kind = carrier({ clears: request.mimeType.startsWith('image/') });
        const args = writeArguments(file, request.values, kind);
        return [...copyXmp(request.path, args), ...args];
      }),
    close: () => exiftool.close(),
  };
}

/** The XMP of the file is copied, but for what is written: assignments would add to what a copy puts into a list. */
function copyXmp(path: string, args: readonly string[]): readonly string[] {
  const written = new Set(args.map((arg) => /^-([\w-]+:\w+)-?=/.exec(arg)?.[1]).filter((tag) => tag !== undefined));
  return ['-tagsFromFile', fileName(path), '-XMP:all', ...[...written].map((tag) => `--${tag}`)];
}

async function replaceLink(path: string, outPath: string): Promise<void> {
  await rm(outPath);
  await copyFile(path, outPath);
}

/** In names that are options, ExifTool expands `%d` and the like. */
function fileName(path: string): string {
  return path.replaceAll('%', '%%');
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const reason = messageOf(error);
  if (/timeout|timed out|too large/i.test(reason)) {
    return new AppError(
      'file_limits_exceeded',
      'Writing the metadata took too long, or the file is too large for it.',
      {
        cause: error,
      },
    );
  }
  if (/no space left|disk quota|error (creating|opening|writing|renaming)/i.test(reason)) {
    return new AppError('unavailable', 'The copy with its metadata could not be written.', { cause: error });
  }
  if (/can\S{1,6}t (yet |currently )?(write|handle)|not yet supported/i.test(reason)) {
    const detail = 'expected a file whose metadata can be written, received one of a kind that cannot';
    return new AppError('unsupported_media_type', `${detail}: ask for metadata=sidecar`, { cause: error });
  }
  return new AppError('file_damaged', 'The metadata of this file cannot be written: it is damaged.', { cause: error });
}
