import { scopeOf } from '../auth/index.ts';
import { type Logger, messageOf } from '../base/index.ts';
import { type Database, inTransaction } from '../db/index.ts';
import type { Jobs } from '../jobs/index.ts';
import { onLibraryWritten } from '../library/index.ts';
import { wakeForClip } from './delivery-run-store.ts';

/**
 * Starts deliveries that wait for a clip as soon as this process has made it; those of other nodes look for it themselves. The
 * answer ends that.
 */
export function wakeWhenClipsEnd(deps: {
  readonly db: Database;
  readonly jobs: Pick<Jobs, 'enqueue'>;
  readonly logger: Logger;
}): () => void {
  const { db, jobs, logger } = deps;
  const wake = async (organizationId: number, clipId: number): Promise<void> => {
    try {
      await inTransaction(db, async (tx) => {
        for (const destinationId of await wakeForClip(tx, scopeOf(organizationId), clipId)) {
          await jobs.enqueue(tx, 'delivery.run', { organizationId, destinationId });
        }
      });
    } catch (error) {
      logger.debug({ event: 'delivery.not_woken', clipId, reason: messageOf(error) });
    }
  };
  return onLibraryWritten(db, (organizationId, _version, changes) => {
    for (const { type, objectId } of changes) {
      if (type === 'clip.ready' || type === 'clip.failed') void wake(organizationId, objectId);
    }
  });
}
