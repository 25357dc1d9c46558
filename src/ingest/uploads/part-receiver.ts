import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { AppError } from '../../base/index.ts';
import { detectFileType } from '../file-type.ts';
import { HEAD_BYTES, unsupportedFile } from '../intake.ts';
import type { UploadFile } from './upload-file.ts';
import type { Upload } from './upload-store.ts';

export const CHECKSUM_ALGORITHMS = ['sha1', 'sha256', 'sha512', 'md5'] as const;
export type Checksum = { readonly algorithm: (typeof CHECKSUM_ALGORITHMS)[number]; readonly digest: Buffer };

/** What a kill at any time may cost: bytes that are sent again. Each note is a disk sync and a short statement. */
const NOTE_EVERY_MS = 2000;

/**
 * Writes one part as it arrives. The format is judged as soon as its first 64 KiB are there. A part with a checksum counts
 * whole or not at all, so nothing of it is noted on the way.
 * @param options.note called every two seconds with what is on the disk for good
 * @throws AppError `unsupported_media_type`, `payload_too_large`, `checksum_mismatch`; what the stream or the disk throws
 */
export async function receivePart(options: {
  readonly upload: Pick<Upload, 'bytes' | 'received'>;
  readonly file: UploadFile;
  readonly stream: Readable;
  readonly checksum: Checksum | undefined;
  readonly note: (received: number) => Promise<void>;
}): Promise<void> {
  const { upload, file, stream, checksum, note } = options;
  const digest = checksum && createHash(checksum.algorithm);
  let judged = upload.received >= HEAD_BYTES;
  let notedAtMs = performance.now();
  // The request lives on to be answered when the loop ends early. Its body has no encoding: chunks are buffers.
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (file.end + chunk.length > upload.bytes) {
      throw new AppError('payload_too_large', `expected at most the declared ${upload.bytes} bytes, received more`);
    }
    digest?.update(chunk);
    await file.append(chunk);
    if (!judged && file.end >= HEAD_BYTES) {
      if (!detectFileType(await file.readHead())) throw unsupportedFile();
      judged = true;
    }
    if (!checksum && performance.now() - notedAtMs >= NOTE_EVERY_MS) {
      await file.sync();
      await note(file.written);
      notedAtMs = performance.now();
    }
  }
  if (checksum && !digest?.digest().equals(checksum.digest)) {
    throw new AppError('checksum_mismatch', `expected bytes with the ${checksum.algorithm} of Upload-Checksum`);
  }
}
