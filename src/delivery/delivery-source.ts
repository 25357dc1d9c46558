import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { LibraryScope } from '../auth/index.ts';
import { AppError, MIB } from '../base/index.ts';
import type { Asset, AssetFile } from '../library/index.ts';
import type { ObjectStorage } from '../storage/index.ts';
import { ChannelError } from './channel.ts';
import type { DeliveredQuality } from './destination-types.ts';

/** A temporary file with the library's metadata in it, or the XMP beside one. */
export type WrittenMetadata = {
  readonly path: string;
  readonly bytes: number;
  readonly mimeType: string;
  release(): Promise<void>;
};

type WriteRequest = {
  readonly scope: LibraryScope;
  readonly asset: Asset;
  readonly quality: DeliveredQuality;
  readonly signal: AbortSignal;
};

/** What deliveries need of metadata; `app.ts` satisfies it with the ingest module. */
export type DeliveryMetadata = {
  /** @throws AppError `unsupported_media_type` for formats that are never altered */
  embed(request: WriteRequest): Promise<WrittenMetadata>;
  /** @throws AppError */
  sidecar(request: WriteRequest): Promise<WrittenMetadata>;
};

/** The bytes that go out, in a local file that stays until it is released. */
export type DeliverySource = {
  readonly bytes: number;
  readonly sha256: string;
  readonly contentType: string;
  readonly embedded: boolean | undefined;
  read(offset: number, signal: AbortSignal): AsyncIterable<Uint8Array>;
  release(): Promise<void>;
};

export function readFileFrom(path: string) {
  return (offset: number, signal: AbortSignal): AsyncIterable<Uint8Array> =>
    createReadStream(path, { start: offset, highWaterMark: MIB, signal });
}

export async function hashFile(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: MIB, signal })) hash.update(chunk);
  return hash.digest('hex');
}

/** Opens the file of an asset for a delivery. @throws AppError, ChannelError `source_changed`, or the signal's reason */
export async function openSource(
  deps: { readonly storage: ObjectStorage; readonly metadata: DeliveryMetadata },
  wanted: WriteRequest & { readonly file: AssetFile; readonly embed: boolean },
): Promise<DeliverySource> {
  const { asset, file, signal } = wanted;
  const contentType = file.quality === 'photographer' ? asset.mimeType : file.mimeType;
  if (wanted.embed) {
    const written = await deps.metadata.embed(wanted).catch((error: unknown) => {
      // Camera RAW and others go out as they are.
      if (error instanceof AppError && error.code === 'unsupported_media_type') return undefined;
      throw error;
    });
    if (written) {
      try {
        const sha256 = await hashFile(written.path, signal);
        const { bytes, release } = written;
        return { bytes, sha256, contentType, embedded: true, read: readFileFrom(written.path), release };
      } catch (error) {
        await written.release();
        throw error;
      }
    }
  }
  const local = await deps.storage.openLocal(file.storageKey, signal);
  try {
    // Originals are named by their hash; that of a derived file is known to nobody yet.
    const sha256 = file.quality === 'photographer' ? asset.sha256 : await hashFile(local.path, signal);
    return {
      bytes: file.bytes,
      sha256,
      contentType,
      embedded: wanted.embed ? false : undefined,
      read: readFileFrom(local.path),
      release: () => local.release(),
    };
  } catch (error) {
    await local.release();
    if (error instanceof AppError && error.code === 'not_found') {
      throw new ChannelError('source_changed', 'the file of the asset is not there any more', { cause: error });
    }
    throw error;
  }
}
