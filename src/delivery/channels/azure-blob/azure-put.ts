/**
 * One request for small files: the service compares its MD5, and answers the one that it has computed. Else blocks, and a list of blocks that makes them the blob in one step. Each block is sent with its MD5, which the service compares, and is
 * named by its place and that MD5: what an earlier try has sent is known by its name, whatever became of that try.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { BlockBlobClient } from '@azure/storage-blob';
import { KIB, MIB, MINUTE_MS } from '../../../base/index.ts';
import { ChannelError, type PutOptions, type PutResult } from '../../channel.ts';
import { type CheckedSource, piecesOf, wholeOf, withinLimit } from '../transfer.ts';
import { azureStatus } from './azure-faults.ts';

export const BLOCK_BYTES = 8 * MIB;
/** Azure takes 50,000 blocks. */
const BLOCKS_MAX = 45_000;
/** With the one that is being read: 32 MiB in memory for a put. */
export const BLOCKS_AT_ONCE = 3;
const SLICE_BYTES = 128 * KIB;
export const REQUEST_LIMIT_MS = 5 * MINUTE_MS;

export type AzureCall = <Result>(
  signal: AbortSignal,
  work: (abortSignal: AbortSignal, onMove: () => void) => Promise<Result>,
) => Promise<Result>;

/** Requests that may take long while their bytes move, and no longer than `stallMs` while nothing does. */
export function createAzureCall(stallMs: number): AzureCall {
  return (signal, work) =>
    withinLimit({ signal, limitMs: REQUEST_LIMIT_MS, stallMs, what: 'an answer of Azure' }, work);
}

/** What a put works with. */
export type AzurePut = {
  readonly blob: BlockBlobClient;
  /**
   * The same blob for the request that makes it visible, which the client must not send again by itself: its answer may have been lost
   * after it was carried out. A blind second one would deliver twice, or find the name taken by the first.
   */
  readonly once: BlockBlobClient;
  readonly call: AzureCall;
  readonly put: PutOptions;
};

/** All IDs of a blob have one length. */
function blockId(index: number, md5: Buffer): string {
  return Buffer.from(`${String(index).padStart(6, '0')}${md5.toString('hex').slice(0, 18)}`).toString('base64');
}

/** In slices, so that a slow connection shows that it moves. A function: the client sends it again when it tries again. */
function streamOf(body: Buffer): () => NodeJS.ReadableStream {
  function* slices(): Generator<Buffer> {
    for (let at = 0; at < body.length; at += SLICE_BYTES) yield body.subarray(at, at + SLICE_BYTES);
  }
  return () => Readable.from(slices(), { objectMode: false, highWaterMark: SLICE_BYTES });
}

const md5Of = (bytes: Uint8Array): Buffer => createHash('md5').update(bytes).digest();

export async function putWhole({ once, call, put }: AzurePut, source: CheckedSource): Promise<PutResult> {
  const body = await wholeOf(source.chunks, put.bytes);
  const md5 = md5Of(body);
  const { etag, versionId, contentMD5 } = await call(put.signal, (abortSignal, onMove) =>
    once.upload(streamOf(body), body.length, {
      blobHTTPHeaders: { blobContentType: put.contentType, blobContentMD5: md5 },
      transactionalContentMD5: md5,
      metadata: { sha256: put.sha256 },
      ...(!put.replace && { conditions: { ifNoneMatch: '*' } }),
      onProgress: onMove,
      abortSignal,
    }),
  );
  if (contentMD5 === undefined || !md5.equals(contentMD5)) {
    throw new ChannelError('corrupted', 'expected the MD5 that was sent in the answer of Azure, received another');
  }
  put.onProgress?.(put.bytes);
  return {
    verified: 'checksum',
    checksum: md5.toString('hex'),
    ...(etag !== undefined && { etag: etag.replaceAll('"', '') }),
    ...(versionId !== undefined && { version: versionId }),
    sentBytes: put.bytes,
  };
}

export async function putBlocks(work: AzurePut, source: CheckedSource): Promise<PutResult> {
  const { blob, once, call, put } = work;
  const { signal } = put;
  const present = put.isFirst === true ? new Map<string, number>() : await stagedBlocks(work);
  const ids: string[] = [];
  const pieceBytes = Math.max(BLOCK_BYTES, Math.ceil(put.bytes / BLOCKS_MAX));
  const used: Buffer<ArrayBuffer>[] = [];
  const underWay = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;
  let [sentBytes, doneBytes] = [0, 0];
  const report = (bytes: number): void => {
    doneBytes += bytes;
    put.onProgress?.(doneBytes);
  };
  const stage = async (id: string, piece: Buffer<ArrayBuffer>, transactionalContentMD5: Buffer): Promise<void> => {
    await call(signal, (abortSignal, onMove) =>
      blob.stageBlock(id, streamOf(piece), piece.length, { transactionalContentMD5, onProgress: onMove, abortSignal }),
    );
    if (piece.length === pieceBytes) used.push(piece);
    sentBytes += piece.length;
    report(piece.length);
  };
  try {
    for await (const piece of piecesOf(source.chunks, { pieceBytes, bytes: put.bytes, used })) {
      const md5 = md5Of(piece);
      const id = blockId(ids.length, md5);
      ids.push(id);
      if (present.get(id) === piece.length) {
        report(piece.length);
        continue;
      }
      const staging = stage(id, piece, md5)
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => underWay.delete(staging));
      underWay.add(staging);
      if (underWay.size >= BLOCKS_AT_ONCE) await Promise.race(underWay);
      if (failure) throw failure.error;
    }
  } finally {
    // What is under way may arrive, so that the next try finds it.
    await Promise.all(underWay);
  }
  if (failure) throw failure.error;
  const { etag, versionId } = await call(signal, (abortSignal) =>
    once.commitBlockList(ids, {
      blobHTTPHeaders: { blobContentType: put.contentType },
      metadata: { sha256: put.sha256 },
      ...(!put.replace && { conditions: { ifNoneMatch: '*' } }),
      abortSignal,
    }),
  );
  await checkCommitted(work, ids);
  return {
    verified: 'checksum',
    ...(etag !== undefined && { etag: etag.replaceAll('"', '') }),
    ...(versionId !== undefined && { version: versionId }),
    sentBytes,
  };
}

async function stagedBlocks({ blob, call, put }: AzurePut): Promise<ReadonlyMap<string, number>> {
  try {
    const list = await call(put.signal, (abortSignal) => blob.getBlockList('uncommitted', { abortSignal }));
    return new Map((list.uncommittedBlocks ?? []).map(({ name, size }) => [name, size]));
  } catch (error) {
    if (azureStatus(error) === 404) return new Map();
    throw error;
  }
}

/** The service's own list of what the blob is made of: blocks whose MD5 it has compared, in our order, with their sizes. */
async function checkCommitted({ blob, call, put }: AzurePut, ids: readonly string[]): Promise<void> {
  const list = await call(put.signal, (abortSignal) => blob.getBlockList('committed', { abortSignal }));
  const blocks = list.committedBlocks ?? [];
  const bytes = blocks.reduce((sum, { size }) => sum + size, 0);
  const isSame = blocks.length === ids.length && blocks.every(({ name }, at) => name === ids[at]);
  if (isSame && bytes === put.bytes) return;
  throw new ChannelError(
    'corrupted',
    `expected ${put.bytes} bytes in ${ids.length} blocks, received ${bytes} in ${blocks.length}`,
  );
}
