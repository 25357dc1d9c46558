import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { LibraryScope } from '../auth/index.ts';
import { AppError, KIB, MIB } from '../base/index.ts';
import type { Asset } from '../library/index.ts';
import type { ObjectStorage } from '../storage/index.ts';
import { ChannelError } from './channel.ts';
import type { Subject } from './delivery-subject.ts';
import type { DeliveredQuality } from './destination-types.ts';
import type { DeliveryPictures } from './rendition.ts';

/** A temporary file: metadata written into a copy, the XMP beside one, or a picture. */
export type WrittenFile = {
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
  embed(request: WriteRequest): Promise<WrittenFile>;
  /** @throws AppError */
  sidecar(request: WriteRequest): Promise<WrittenFile>;
};

/** The bytes that go out, in a local file that stays until it is released. */
export type DeliverySource = {
  readonly bytes: number;
  readonly sha256: string;
  readonly contentType: string;
  readonly embedded: boolean | undefined;
  /** Where it lies until it is released. */
  readonly file: string;
  read(offset: number, signal: AbortSignal): AsyncIterable<Uint8Array>;
  release(): Promise<void>;
};

/** Small files are one piece. */
const SMALL_BYTES = MIB;
/** Of others: pieces of a megabyte cost a tenth more of the processor, since their memory is new to the system each time. */
const PIECE_BYTES = 256 * KIB;

/** A whole file, read in pieces no longer than what is left of it: each is memory of its own, which its reader may keep. */
export function readFileFrom(file: { readonly path: string; readonly bytes: number }) {
  const pieceBytes = file.bytes <= SMALL_BYTES ? SMALL_BYTES : PIECE_BYTES;
  return async function* (offset: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const handle = await open(file.path, 'r');
    try {
      for (let at = offset; at < file.bytes; ) {
        signal.throwIfAborted();
        const piece = Buffer.allocUnsafe(Math.min(pieceBytes, file.bytes - at));
        const { bytesRead } = await handle.read(piece, 0, piece.length, at);
        if (bytesRead === 0) return;
        at += bytesRead;
        yield piece.subarray(0, bytesRead);
      }
    } finally {
      await handle.close();
    }
  };
}

export async function hashFile(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(MIB);
  const handle = await open(path, 'r');
  try {
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await handle.read(buffer, 0, MIB, null);
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}

export type SourceDeps = {
  readonly storage: ObjectStorage;
  readonly metadata: DeliveryMetadata;
  readonly pictures: DeliveryPictures;
};

type Wanted = {
  readonly scope: LibraryScope;
  readonly subject: Subject;
  readonly embed: boolean;
  readonly signal: AbortSignal;
};

/** Opens what a delivery brings. @throws AppError, ChannelError `source_changed`, or the signal's reason */
export async function openSource(deps: SourceDeps, wanted: Wanted): Promise<DeliverySource> {
  const { scope, subject, embed, signal } = wanted;
  if (subject.kind === 'image') {
    const { asset, params } = subject;
    return openWritten(await deps.pictures.make(scope, { asset, params, signal }), { embedded: undefined, signal });
  }
  if (subject.kind === 'clip') {
    const { storageKey, facts } = subject;
    const { bytes, sha256 } = facts;
    return openStored(deps, { storageKey, bytes, sha256, contentType: 'video/mp4', embedded: undefined, signal });
  }
  const { asset, file } = subject;
  const isOriginal = file.quality === 'photographer';
  const contentType = isOriginal ? asset.mimeType : file.mimeType;
  if (embed) {
    // Nothing else is ever delivered as a file.
    const quality = file.quality as DeliveredQuality;
    const written = await deps.metadata.embed({ scope, asset, quality, signal }).catch((error: unknown) => {
      // Camera RAW and others go out as they are.
      if (error instanceof AppError && error.code === 'unsupported_media_type') return undefined;
      throw error;
    });
    if (written) return openWritten({ ...written, mimeType: contentType }, { embedded: true, signal });
  }
  return openStored(deps, {
    storageKey: file.storageKey,
    bytes: file.bytes,
    // Originals are named by their hash; that of a derived file is known to nobody yet.
    sha256: isOriginal ? asset.sha256 : undefined,
    contentType,
    embedded: embed ? false : undefined,
    signal,
  });
}

/** Of a temporary file, which goes when it is released. */
async function openWritten(
  written: WrittenFile,
  { embedded, signal }: { readonly embedded: boolean | undefined; readonly signal: AbortSignal },
): Promise<DeliverySource> {
  const { path, bytes, mimeType: contentType } = written;
  const release = () => written.release();
  try {
    const sha256 = await hashFile(path, signal);
    return { bytes, sha256, contentType, embedded, file: path, read: readFileFrom({ path, bytes }), release };
  } catch (error) {
    await release();
    throw error;
  }
}

async function openStored(
  deps: Pick<SourceDeps, 'storage'>,
  stored: {
    readonly storageKey: string;
    readonly bytes: number;
    readonly sha256: string | undefined;
    readonly contentType: string;
    readonly embedded: boolean | undefined;
    readonly signal: AbortSignal;
  },
): Promise<DeliverySource> {
  const { bytes, contentType, embedded, signal } = stored;
  try {
    const local = await deps.storage.openLocal(stored.storageKey, signal);
    const release = () => local.release();
    try {
      const sha256 = stored.sha256 ?? (await hashFile(local.path, signal));
      const { path } = local;
      return { bytes, sha256, contentType, embedded, file: path, read: readFileFrom({ path, bytes }), release };
    } catch (error) {
      await release();
      throw error;
    }
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') {
      throw new ChannelError('source_changed', 'the file of the asset is not there any more', { cause: error });
    }
    throw error;
  }
}
