import { randomUUID } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { KIB } from '../../base/index.ts';
import type { ApiClient } from './api-client.ts';
import type { MediaFile } from './media-walk.ts';

/** Part `metadata` of `POST /v1/media`. */
export type UploadMetadata = {
  readonly name: string;
  readonly tag_source: 'import';
  readonly tag_options?: readonly number[];
  readonly collections?: readonly number[];
  readonly rating?: number;
  readonly usage?: string;
  readonly usage_at?: string;
  readonly captured_at?: string;
  readonly details?: Readonly<Record<string, string>>;
};

export type Uploaded = {
  readonly mediaId: number;
  readonly sha256: string;
  /** The library had these bytes before this upload began. */
  readonly duplicate: boolean;
  readonly libraryVersion: number;
};

/** The file on this machine is at fault, not the service. */
export class FileError extends Error {}

const CHUNK_BYTES = 256 * KIB;

type Answer = { readonly media: { readonly id: number; readonly sha256: string }; readonly duplicate: boolean };

/** The file's bytes as they were when it was listed. @throws FileError when it changes meanwhile */
async function* readChunks(handle: FileHandle, file: MediaFile): AsyncGenerator<Buffer> {
  const changed = () => new FileError('it changed while it was read: run the import again once it is complete');
  let position = 0;
  while (position < file.bytes) {
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, file.bytes - position));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) throw changed();
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
  // Asked before the last part of the body goes out: a file that a camera still writes never becomes half an asset.
  const info = await handle.stat();
  if (info.size !== file.bytes || Math.trunc(info.mtimeMs) !== file.mtimeMs) throw changed();
}

/** File names in a form are escaped as browsers do (WHATWG HTML, multipart/form-data encoding). */
const escapeName = (name: string) => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/**
 * Streams a file with its metadata to `POST /v1/media`; memory does not grow with the file. `onBytes` gets the bytes of the
 * file that have gone out since its last call; less than 0 when a try is begun anew.
 * @throws ApiError, UnreachableError, FileError, the signal's reason
 */
export async function uploadMedia(options: {
  readonly client: ApiClient;
  readonly file: MediaFile;
  readonly metadata: UploadMetadata;
  readonly onBytes: (bytes: number) => void;
  readonly signal: AbortSignal;
}): Promise<Uploaded> {
  const { client, file, metadata, onBytes, signal } = options;
  if (file.bytes === 0) throw new FileError('it is empty');
  const boundary = `touchline-${randomUUID()}`;
  const head = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="metadata"\r\n\r\n` +
      `${JSON.stringify(metadata)}\r\n` +
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${escapeName(metadata.name)}"\r\n` +
      'Content-Type: application/octet-stream\r\n\r\n',
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const handle = await open(file.absolutePath, 'r');
  let sentBytes = 0;
  let wasSentWhole = false;
  let tries = 0;
  let mayBeOurs = false;
  async function* body(): AsyncGenerator<Buffer> {
    // Of an earlier try that went out whole only the answer may have been lost.
    mayBeOurs ||= wasSentWhole;
    tries += 1;
    if (tries > 1) onBytes(-sentBytes);
    sentBytes = 0;
    yield head;
    for await (const chunk of readChunks(handle, file)) {
      sentBytes += chunk.length;
      onBytes(chunk.length);
      yield chunk;
    }
    wasSentWhole = true;
    yield tail;
  }
  try {
    const { body: answer, headers } = await client.send<Answer>({
      path: '/v1/media',
      contentType: `multipart/form-data; boundary=${boundary}`,
      contentLength: head.length + file.bytes + tail.length,
      body,
      signal,
    });
    return {
      mediaId: answer.media.id,
      sha256: answer.media.sha256,
      duplicate: answer.duplicate && !mayBeOurs,
      libraryVersion: Number(headers.get('x-library-version') ?? 0),
    };
  } finally {
    await handle.close();
  }
}
