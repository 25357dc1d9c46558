import { scopeOf } from '../auth/index.ts';
import type { Clock, Logger } from '../base/index.ts';
import type { Database } from '../db/index.ts';
import type { ImageService } from '../images/index.ts';
import { type Change, findAssets, isPublic } from '../library/index.ts';

/**
 * Frees this node's disk of pictures that are shown no more: of assets that are gone, or not public any longer, and of
 * revisions that are past. None of them would be answered without it, since every answer looks at the asset first.
 */
export type ImagePurge = {
  /** Takes note of changes; the work is done beside. */
  note(organizationId: number, changes: readonly Change[]): void;
  /** Resolves when the work that was noted is done. */
  settled(): Promise<void>;
};

const GONE: ReadonlySet<Change['type']> = new Set(['media.deleted', 'media.purged'] as const);
const EDITED: ReadonlySet<Change['type']> = new Set(['media.updated', 'media.ready', 'media.failed'] as const);

export function createImagePurge(deps: {
  readonly db: Database;
  readonly images: Pick<ImageService, 'holds' | 'purge'>;
  readonly clock: Clock;
  readonly logger: Logger;
}): ImagePurge {
  const { db, images, clock, logger } = deps;
  let work: Promise<void> = Promise.resolve();

  const purge = async (organizationId: number, changes: readonly Change[]): Promise<void> => {
    const edited = new Set<number>();
    for (const { type, objectId: mediaId } of changes) {
      if (GONE.has(type)) await images.purge({ orgId: organizationId, mediaId });
      else if (EDITED.has(type) && images.holds({ orgId: organizationId, mediaId })) edited.add(mediaId);
    }
    if (edited.size === 0) return;
    const now = clock.now();
    for (const asset of await findAssets(db, scopeOf(organizationId), [...edited])) {
      const kept = isPublic(asset, now) ? { keepRev: String(asset.revision) } : {};
      await images.purge({ orgId: organizationId, mediaId: asset.id }, kept);
    }
  };

  return {
    note(organizationId, changes) {
      const relevant = changes.filter(({ type }) => GONE.has(type) || EDITED.has(type));
      if (relevant.length === 0) return;
      // One after the other: a burst of writes must not take the database's connections.
      work = work
        .then(() => purge(organizationId, relevant))
        .catch((error: unknown) => logger.warn({ event: 'image_purge.failed', organizationId, err: error }));
    },
    settled: () => work,
  };
}
