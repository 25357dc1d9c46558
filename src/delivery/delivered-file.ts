import type { LibraryScope } from '../auth/index.ts';
import { AppError } from '../base/index.ts';
import type { Database } from '../db/index.ts';
import { isPublic } from '../library/index.ts';
import { type DeliverySource, openSource, type SourceDeps } from './delivery-source.ts';
import { findDelivery } from './delivery-store.ts';
import { findSubject } from './delivery-subject.ts';
import { findDestination } from './destination-store.ts';

/** A delivery that has been told to its target: the target may fetch before we have noted that it said yes. */
const TOLD: ReadonlySet<string> = new Set(['running', 'queued', 'succeeded']);

/**
 * Opens what a delivery told its target of. Pictures and copies with metadata are made again.
 * @throws AppError `not_found`, `url_expired` when other bytes would come of it by now, `media_restricted`, or the signal's reason
 */
export async function openDeliveredFile(
  deps: SourceDeps & { readonly db: Database },
  scope: LibraryScope,
  wanted: { readonly id: number; readonly now: Date; readonly signal: AbortSignal },
): Promise<DeliverySource> {
  const { id, now, signal } = wanted;
  const delivery = await findDelivery(deps.db, scope, id);
  if (!delivery || !TOLD.has(delivery.state) || delivery.sha256 === null) {
    throw new AppError('not_found', 'There is no such file.');
  }
  const changed = () => new AppError('url_expired', 'The file has changed since it was delivered.');
  const found = await findSubject(deps.db, scope, delivery);
  const destination = await findDestination(deps.db, scope, delivery.destinationId);
  if (found.kind !== 'found' || !destination) throw changed();
  if (!delivery.includeRestricted && !found.assets.every((asset) => isPublic(asset, now))) {
    throw new AppError('media_restricted', 'The asset is not public any more.');
  }
  const embed = delivery.settings?.embedMetadata ?? destination.embedMetadata;
  const source = await openSource(deps, { scope, subject: found.subject, embed, signal });
  if (source.sha256 === delivery.sha256) return source;
  await source.release();
  throw changed();
}
