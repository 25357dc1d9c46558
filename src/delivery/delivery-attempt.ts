import { createHash } from 'node:crypto';
import type { LibraryScope } from '../auth/index.ts';
import { AppError, SECOND_MS } from '../base/index.ts';
import type { Database } from '../db/index.ts';
import { type Asset, isPublic } from '../library/index.ts';
import type { Bandwidth } from './bandwidth.ts';
import { ChannelError, type ChannelSession, type FileOffer, type PutResult } from './channel.ts';
import { decideTarget } from './delivery-path.ts';
import { type DeliveryEnd, noteDeliveryTarget } from './delivery-run-store.ts';
import { type DeliverySource, hashFile, openSource, readFileFrom, type SourceDeps } from './delivery-source.ts';
import { findSubject, type Subject } from './delivery-subject.ts';
import type { Delivery, Receipt } from './delivery-types.ts';
import type { Destination } from './destination-types.ts';
import { readToken, staleToken } from './resume-token.ts';
import type { Find } from './shared-reads.ts';
import type { Slots } from './slots.ts';

/** Makes a URL of what a delivery brings, which opens without a key until then; `app.ts` satisfies it with the API. */
export type DeliveryLinks = (
  scope: LibraryScope,
  link: { readonly deliveryId: number; readonly name: string; readonly expires: Date },
) => Promise<string>;

export type AttemptDeps = SourceDeps & { readonly db: Database; readonly links?: DeliveryLinks | undefined };

export type AttemptContext = {
  readonly scope: LibraryScope;
  readonly destination: Destination;
  readonly delivery: Delivery;
  readonly session: ChannelSession;
  readonly findAssets: Find<Asset>;
  readonly bandwidth: Bandwidth;
  readonly slots: Slots;
  /** Whether nothing new is to begin at the destination. */
  readonly isHeld: () => boolean;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  readonly onSent: (bytes: number) => void;
  readonly onProgress: (ratio: number) => void;
};

/** A clip is looked at again after this long when nobody said that it is ready. */
const CLIP_WAIT_MS = 10 * SECOND_MS;

/** One try to bring a file to its place, whole and checked. @throws ChannelError, AppError, or the signal's reason */
export async function attemptDelivery(deps: AttemptDeps, context: AttemptContext): Promise<DeliveryEnd> {
  const { scope, delivery, destination, signal } = context;
  const found = await findSubject(deps.db, scope, delivery, context.findAssets);
  if (found.kind === 'missing') return { state: 'failed', code: found.code, reason: found.reason };
  if (found.kind === 'waiting') {
    const nextAttemptAt = new Date(context.now().getTime() + CLIP_WAIT_MS);
    return { state: 'queued', nextAttemptAt, code: null, reason: null, isFree: true };
  }
  const restricted = delivery.includeRestricted ? undefined : found.assets.find((one) => !isPublic(one, context.now()));
  if (restricted) {
    const reason = `the usage of asset ${restricted.id} is ${restricted.usage}`;
    return { state: 'skipped', receipt: null, code: 'media_restricted', reason };
  }
  const { subject } = found;
  const source = await openSource(deps, { scope, subject, embed: destination.embedMetadata, signal });
  try {
    return await context.slots.use(signal, async () =>
      // It may have waited, while the destination was paused or began to fail.
      context.isHeld() ? backToQueue(delivery) : await send(deps, context, { source, subject }),
    );
  } finally {
    await source.release();
  }
}

function backToQueue({ nextAttemptAt }: Delivery): DeliveryEnd {
  return { state: 'queued', nextAttemptAt, code: null, reason: null, isFree: true };
}

async function send(
  deps: AttemptDeps,
  context: AttemptContext,
  { source, subject }: { readonly source: DeliverySource; readonly subject: Subject },
): Promise<DeliveryEnd> {
  const { delivery, destination, session, signal } = context;
  const { bytes, sha256 } = source;
  const decided = await decideTarget(session, { delivery, collision: destination.collision, bytes, sha256, signal });
  const { path } = decided;
  const result = decided.kind === 'put' ? await put(deps, context, { source, subject, ...decided }) : undefined;
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
  const sidecarPath = await putSidecar(deps, context, { subject, path });
  return { state: 'succeeded', receipt: receiptOf(sidecarPath) };
}

/** The name of the temporary file: of this delivery, and of these bytes, since metadata may have changed since the last try. */
const putIdOf = (delivery: Delivery, sha256: string): string => `${delivery.nonce}-${sha256.slice(0, 16)}`;

async function put(
  deps: AttemptDeps,
  context: AttemptContext,
  target: {
    readonly source: DeliverySource;
    readonly subject: Subject;
    readonly path: string;
    readonly replace: boolean;
  },
): Promise<PutResult> {
  const { scope, delivery, destination, session, signal } = context;
  const { source, subject, path, replace } = target;
  const { bytes, sha256 } = source;
  const { id } = delivery;
  const kept = delivery.targetPath === path && delivery.resumeToken !== null ? delivery.resumeToken : undefined;
  const { token, isStale = false } = kept === undefined ? {} : readToken(kept);
  const mayResume = delivery.sha256 === sha256 && !isStale;
  const resumeToken = kept === undefined || mayResume ? kept : staleToken(kept);
  // Before the first byte: whatever happens from here on, the next try knows where to look.
  await noteDeliveryTarget(deps.db, scope, { id, targetPath: path, sha256, bytes, resumeToken });
  try {
    return await session.put({
      path,
      bytes,
      sha256,
      contentType: source.contentType,
      read: (offset, readSignal) => context.bandwidth.pace(source.read(offset, readSignal), readSignal),
      // The system's own copying knows no pace.
      ...(destination.bandwidthLimit === null && { file: source.file }),
      id: putIdOf(delivery, sha256),
      isFirst: delivery.targetPath === null,
      ...(mayResume ? { resumeFrom: token } : { staleToken: token }),
      onToken: (given) => noteDeliveryTarget(deps.db, scope, { id, resumeToken: given }),
      onProgress: (done) => {
        context.onSent(done);
        context.onProgress(bytes === 0 ? 0 : done / bytes);
      },
      replace,
      offer: offerOf(deps, context, { subject, path }),
      signal,
    });
  } catch (error) {
    if (destination.collision === 'suffix' && error instanceof ChannelError && error.code === 'name_taken') {
      // Somebody else took the number meanwhile: the next try looks for another one.
      await noteDeliveryTarget(deps.db, scope, { id, targetPath: null });
      throw new ChannelError('failed', 'the name was taken by another file meanwhile', { cause: error });
    }
    throw error;
  }
}

/** For a target that fetches files itself. */
function offerOf(
  { links }: AttemptDeps,
  { scope, delivery }: AttemptContext,
  { subject, path }: { readonly subject: Subject; readonly path: string },
): FileOffer | undefined {
  if (!links) return undefined;
  const name = path.slice(path.lastIndexOf('/') + 1);
  return {
    asset: describeAsset(subject.asset, delivery),
    url: (expires) => links(scope, { deliveryId: delivery.id, name, expires }),
  };
}

async function putSidecar(
  deps: AttemptDeps,
  context: AttemptContext,
  { subject, path }: { readonly subject: Subject; readonly path: string },
): Promise<string | undefined> {
  const { scope, delivery, destination, session, signal } = context;
  // What a target is told of a file that it fetches says all that a sidecar does.
  if (destination.sidecar === 'none' || session.fetches) return undefined;
  const sidecarPath = `${path}.${destination.sidecar}`;
  const { asset } = subject;
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
  const written = await deps.metadata.sidecar({ scope, asset, quality: delivery.quality ?? 'photographer', signal });
  try {
    const sha256 = await hashFile(written.path, signal);
    const { bytes, mimeType } = written;
    await session.put({ ...common, bytes, sha256, contentType: mimeType, read: readFileFrom(written) });
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
    rendition: delivery.rendition,
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
