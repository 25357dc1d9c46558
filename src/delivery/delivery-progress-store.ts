import type { LibraryScope } from '../auth/index.ts';
import type { Queryable } from '../db/index.ts';

export type RunningDelivery = {
  readonly id: number;
  readonly destinationId: number;
  readonly mediaId: number;
  /** 0 to 1. */
  readonly progress: number;
};

const MOST = 200;

/** Deliveries that are under way, the newest 200. */
export async function findRunningDeliveries(db: Queryable, scope: LibraryScope): Promise<readonly RunningDelivery[]> {
  return db
    .selectFrom('delivery')
    .select(['id', 'destination_id as destinationId', 'media_id as mediaId', 'progress'])
    .where('organization_id', '=', scope.organizationId)
    .where('state', '=', 'running')
    .orderBy('id', 'desc')
    .limit(MOST)
    .execute();
}
