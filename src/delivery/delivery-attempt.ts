import { createHash } from 'node:crypto';
import type { LibraryScope } from '../auth/index.ts';
import { AppError } from '../base/index.ts';
import type { Database } from '../db/index.ts';
import { type Asset, findAssets, isPublic } from '../library/index.ts';
import type { ObjectStorage } from '../storage/index.ts';
import { ChannelError, type ChannelSession, type PutResult } from './channel.ts';
import { decideTarget } from './delivery-path.ts';
import { type DeliveryMetadata, type DeliverySource, hashFile, openSource, readFileFrom } from './delivery-source.ts';
import { type DeliveryEnd, noteDeliveryTarget } from './delivery-store.ts';
import type { Delivery, Receipt } from './delivery-types.ts';
import type { Destination } from './destination-types.ts';

export type AttemptDeps = {
  readonly db: Database;
  readonly storage: ObjectStorage;
  readonly metadata: DeliveryMetadata;
};

export type AttemptContext = {
  readonly scope: LibraryScope;
  readonly destination: Destination;
  readonly delivery: Delivery;
  readonly session: ChannelSession;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  readonly onSent: (bytes: number) => void;
  readonly onProgress: (ratio: number) => void;
};

/** One try to bring a file to its place, whole and checked. @throws ChannelError, AppError, or the signal's reason */
export async function attemptDelivery(deps: AttemptDeps, context: AttemptContext): Promise<DeliveryEnd> {
  const { scope, delivery, destination, signal } = context;
  const [asset] = await findAssets(deps.db, scope, [delivery.mediaId]);
  const file = asset?.files.find((one) => one.quality === delivery.quality);
  if (!asset || asset.status === 'deleted' || !file) {
    return {
      state: 'failed',
      code: 'not_found',
      reason: `asset ${delivery.mediaId} or its file is not there any more`,
    };
  }
  if (!delivery.includeRestricted && !isPublic(asset, context.now())) {
    const reason = `the usage of the asset is ${asset.usage}`;
    return { state: 'skipped', receipt: null, code: 'media_restricted', reason };
  }
  const { quality } = delivery;
  const source = await openSource(deps, { scope, asset, file, quality, embed: destination.embedMetadata, signal });
  try {
    return await send(deps, context, { source, asset });
  } finally {
    await source.release();
  }
}

async function send(
  deps: AttemptDeps,
  context: AttemptContext,
  { source, asset }: { readonly source: DeliverySource; readonly asset: Asset },
): Promise<DeliveryEnd> {
  const { delivery, destination, session, signal } = context;
  const { bytes, sha256 } = source;
  const decided = await decideTarget(session, { delivery, collision: destination.collision, bytes, sha256, signal });
  const { path } = decided;
  const result = decided.kind === 'put' ? await put(deps, context, { source, ...decided }) : undefined;
  const receiptOf = (sidecarPath: string | undefined): Receipt => ({
    path,
    bytes,
    sha256,
    // What was found there had been read back.
    verified: result?.verified ?? 'read_back',
    ...(result?.etag !== undefined && { etag: result.etag }),
    ...(result?.version !== undefined && { version: result.version }),
    ...(result?.checksum !== undefined && { checksum: result.checksum }),
    ...(sidecarPath !== undefined && { sidecar_path: sidecarPath }),
    ...(source.embedded !== undefined && { metadata_embedded: source.embedded }),
    finished_at: context.now().toISOString(),
  });
  if (decided.kind === 'same') {
    const reason = 'the target has the same file under this name';
    return { state: 'skipped', receipt: receiptOf(undefined), code: 'same_file', reason };
  }
  const sidecarPath = await putSidecar(deps, context, { asset, path });
  return { state: 'succeeded', receipt: receiptOf(sidecarPath) };
}

/** The name of the temporary file: of this delivery, and of these bytes, since metadata may have changed since the last try. */
const putIdOf = (delivery: Delivery, sha256: string): string => `${delivery.nonce}-${sha256.slice(0, 16)}`;

async function put(
  deps: AttemptDeps,
  context: AttemptContext,
  target: { readonly source: DeliverySource; readonly path: string; readonly replace: boolean },
): Promise<PutResult> {
  const { scope, delivery, destination, session, signal } = context;
  const { source, path, replace } = target;
  const { bytes, sha256 } = source;
  const { id } = delivery;
  const isSameSource = delivery.sha256 === sha256;
  // Before the first byte: whatever happens from here on, the next try knows where to look.
  await noteDeliveryTarget(deps.db, scope, { id, targetPath: path, sha256, bytes });
  try {
    return await session.put({
      path,
      bytes,
      sha256,
      contentType: source.contentType,
      read: (offset, readSignal) => source.read(offset, readSignal),
      id: putIdOf(delivery, sha256),
      resumeFrom: isSameSource && delivery.targetPath === path ? (delivery.resumeToken ?? undefined) : undefined,
      onToken: (resumeToken) => noteDeliveryTarget(deps.db, scope, { id, resumeToken }),
      onProgress: (done) => {
        context.onSent(done);
        context.onProgress(bytes === 0 ? 0 : done / bytes);
      },
      replace,
      signal,
    });
  } catch (error) {
    if (destination.collision === 'suffix' && error instanceof ChannelError && error.code === 'name_taken') {
      // Somebody else took the number meanwhile: the next try looks for another one.
      await noteDeliveryTarget(deps.db, scope, { id, targetPath: null });
      throw new ChannelError('busy', 'the name was taken by another file meanwhile', { cause: error });
    }
    throw error;
  }
}

async function putSidecar(
  deps: AttemptDeps,
  context: AttemptContext,
  { asset, path }: { readonly asset: Asset; readonly path: string },
): Promise<string | undefined> {
  const { scope, delivery, destination, session, signal } = context;
  if (destination.sidecar === 'none') return undefined;
  const sidecarPath = `${path}.${destination.sidecar}`;
  const common = { path: sidecarPath, id: `${delivery.nonce}-side`, replace: true, signal };
  if (destination.sidecar === 'json') {
    const body = Buffer.from(`${JSON.stringify(describeAsset(asset, delivery), null, 2)}\n`);
    const sha256 = createHash('sha256').update(body).digest('hex');
    async function* read(offset: number): AsyncIterable<Uint8Array> {
      yield body.subarray(offset);
    }
    await session.put({ ...common, bytes: body.length, sha256, contentType: 'application/json', read });
    return sidecarPath;
  }
  const written = await deps.metadata.sidecar({ scope, asset, quality: delivery.quality, signal });
  try {
    const sha256 = await hashFile(written.path, signal);
    const { bytes, mimeType } = written;
    await session.put({ ...common, bytes, sha256, contentType: mimeType, read: readFileFrom(written.path) });
  } finally {
    await written.release();
  }
  return sidecarPath;
}

/** What the JSON beside a file says: the asset in the words of the API, without what only this installation can use. */
function describeAsset(asset: Asset, delivery: Delivery) {
  return {
    id: asset.id,
    external_id: asset.externalId,
    media_type: asset.mediaType,
    name: asset.name,
    quality: delivery.quality,
    sha256: asset.sha256,
    captured_at: asset.capturedAt?.toISOString() ?? null,
    created_at: asset.createdAt.toISOString(),
    width: asset.width,
    height: asset.height,
    duration_ms: asset.durationMs,
    rating: asset.rating,
    usage: asset.usage,
    details: asset.details,
    tag_options: asset.tags.map(({ id, type, label }) => ({ id, type, label })),
    delivery_id: delivery.id,
  };
}

/** Puts what was thrown into words: which of our codes, and whether the next try may go better. */
export function faultOf(error: unknown): {
  readonly code: string;
  readonly reason: string;
  readonly isPermanent: boolean;
} {
  if (error instanceof ChannelError) return { code: error.code, reason: error.message, isPermanent: error.permanent };
  if (error instanceof AppError) return { code: error.code, reason: error.message, isPermanent: error.status < 500 };
  return { code: 'internal', reason: 'the try failed; the log says why', isPermanent: false };
}
