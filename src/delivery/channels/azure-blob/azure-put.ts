/**
 * Blocks, and a list of blocks that makes them the blob in one step. Each block is sent with its MD5, which the service compares, and is
 * named by its place and its SHA-256: what an earlier try has sent is known by its name, whatever became of that try.
 */
import { createHash } from 'node:crypto';
import type { BlockBlobClient } from '@azure/storage-blob';
import { MIB, MINUTE_MS } from '../../../base/index.ts';
import { ChannelError, type PutOptions, type PutResult } from '../../channel.ts';
import { type CheckedSource, piecesOf, withinLimit } from '../transfer.ts';
import { azureStatus } from './azure-faults.ts';

export const BLOCK_BYTES = 8 * MIB;
/** Azure takes 50,000 blocks. */
const BLOCKS_MAX = 45_000;
/** With the one that is being read: 32 MiB in memory for a put. */
export const BLOCKS_AT_ONCE = 3;
export const REQUEST_LIMIT_MS = 5 * MINUTE_MS;

export const limited = <Result>(
  signal: AbortSignal,
  work: (abortSignal: AbortSignal) => Promise<Result>,
): Promise<Result> => withinLimit({ signal, limitMs: REQUEST_LIMIT_MS, what: 'an answer of Azure' }, work);

/** All IDs of a blob have one length. */
function blockId(index: number, piece: Buffer): string {
  const digest = createHash('sha256').update(piece).digest('hex').slice(0, 18);
  return Buffer.from(`${String(index).padStart(6, '0')}${digest}`).toString('base64');
}

export async function putBlocks(blob: BlockBlobClient, put: PutOptions, source: CheckedSource): Promise<PutResult> {
  const { signal } = put;
  const present = await stagedBlocks(blob, signal);
  const ids: string[] = [];
  const underWay = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;
  let [sentBytes, doneBytes] = [0, 0];
  const report = (bytes: number): void => {
    doneBytes += bytes;
    put.onProgress?.(doneBytes);
  };
  const stage = async (id: string, piece: Buffer): Promise<void> => {
    const transactionalContentMD5 = createHash('md5').update(piece).digest();
    await limited(signal, (abortSignal) =>
      blob.stageBlock(id, piece, piece.length, { transactionalContentMD5, abortSignal }),
    );
    sentBytes += piece.length;
    report(piece.length);
  };
  try {
    for await (const piece of piecesOf(source.chunks, Math.max(BLOCK_BYTES, Math.ceil(put.bytes / BLOCKS_MAX)))) {
      const id = blockId(ids.length, piece);
      ids.push(id);
      if (present.get(id) === piece.length) {
        report(piece.length);
        continue;
      }
      const staging = stage(id, piece)
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
  const { etag, versionId } = await limited(signal, (abortSignal) =>
    blob.commitBlockList(ids, {
      blobHTTPHeaders: { blobContentType: put.contentType },
      metadata: { sha256: put.sha256 },
      ...(!put.replace && { conditions: { ifNoneMatch: '*' } }),
      abortSignal,
    }),
  );
  await checkCommitted(blob, { ids, bytes: put.bytes, signal });
  return {
    verified: 'checksum',
    ...(etag !== undefined && { etag: etag.replaceAll('"', '') }),
    ...(versionId !== undefined && { version: versionId }),
    sentBytes,
  };
}

async function stagedBlocks(blob: BlockBlobClient, signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
  try {
    const list = await limited(signal, (abortSignal) => blob.getBlockList('uncommitted', { abortSignal }));
    return new Map((list.uncommittedBlocks ?? []).map(({ name, size }) => [name, size]));
  } catch (error) {
    if (azureStatus(error) === 404) return new Map();
    throw error;
  }
}

/** The service's own list of what the blob is made of: blocks whose MD5 it has compared, in our order, with their sizes. */
async function checkCommitted(
  blob: BlockBlobClient,
  wanted: { readonly ids: readonly string[]; readonly bytes: number; readonly signal: AbortSignal },
): Promise<void> {
  const list = await limited(wanted.signal, (abortSignal) => blob.getBlockList('committed', { abortSignal }));
  const blocks = list.committedBlocks ?? [];
  const bytes = blocks.reduce((sum, { size }) => sum + size, 0);
  const isSame = blocks.length === wanted.ids.length && blocks.every(({ name }, at) => name === wanted.ids[at]);
  if (isSame && bytes === wanted.bytes) return;
  throw new ChannelError(
    'corrupted',
    `expected ${wanted.bytes} bytes in ${wanted.ids.length} blocks, received ${bytes} in ${blocks.length}`,
  );
}
