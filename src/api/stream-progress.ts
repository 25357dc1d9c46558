import type { LibraryScope, Principal } from '../auth/index.ts';
import { SECOND_MS } from '../base/index.ts';
import type { Database } from '../db/index.ts';
import { findRunningDeliveries } from '../delivery/index.ts';
import { findRunningWork } from '../library/index.ts';

type Progress = { readonly kind: string; readonly id: number; readonly progress: number };

export type StreamProgress = {
  /** What is under way and the principal may see; the database is asked once a second at most, and only while somebody asks here. */
  read(principal: Principal): Promise<readonly Progress[]>;
};

export const PROGRESS_MS = SECOND_MS;

const rounded = (progress: number): number => Math.round(progress * 1000) / 1000;

async function load(db: Database, scope: LibraryScope): Promise<readonly Progress[]> {
  const [deliveries, others] = await Promise.all([findRunningDeliveries(db, scope), findRunningWork(db, scope)]);
  return [
    ...deliveries.map(({ id, destinationId, mediaId, progress }) => ({
      kind: 'delivery',
      id,
      destination_id: destinationId,
      media_id: mediaId,
      progress: rounded(progress),
    })),
    ...others.map((one) => ({ ...one, progress: rounded(one.progress) })),
  ];
}

export function createStreamProgress(db: Database): StreamProgress {
  const known = new Map<number, { readonly atMs: number; readonly found: Promise<readonly Progress[]> }>();
  return {
    async read({ scope, key }) {
      const id = scope.organizationId;
      const nowMs = performance.now();
      for (const [other, { atMs }] of known) if (nowMs - atMs >= PROGRESS_MS) known.delete(other);
      const entry = known.get(id) ?? { atMs: nowMs, found: load(db, scope) };
      known.set(id, entry);
      const found = await entry.found;
      // Deliveries are for keys that may see them elsewhere.
      return key.scopes.includes('delivery.run') ? found : found.filter(({ kind }) => kind !== 'delivery');
    },
  };
}
