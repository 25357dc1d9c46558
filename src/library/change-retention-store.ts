import { sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import { type Database, inTransaction, type Queryable } from '../db/index.ts';

/** The oldest change that is kept; one more than the newest version when none is. */
export async function readOldestChange(db: Queryable, scope: LibraryScope): Promise<number> {
  const found = await sql<{ oldest: number }>`
    SELECT coalesce((SELECT min(version) FROM change WHERE organization_id = o.id), o.version + 1) AS oldest
    FROM organization o WHERE o.id = ${scope.organizationId}`.execute(db);
  return found.rows[0]?.oldest ?? 1;
}

/**
 * Followers that keep their place in a table need what lies behind it: webhooks, with messages that wait to be sent again, and rules.
 * Those in memory need nothing: one that finds a gap behind its place starts anew. A disabled webhook is not waited for.
 */
const HELD_BACK = sql<number>`least(
  (SELECT min(position) FROM webhook WHERE organization_id = o.id AND status = 'active'),
  (SELECT min(m.event_version) - 1 FROM webhook_message m JOIN webhook w ON w.id = m.webhook_id
    WHERE w.organization_id = o.id AND w.status = 'active' AND m.state = 'pending'),
  (SELECT min(version) FROM rule_position WHERE organization_id = o.id))`;

/** However far behind a follower is, after twice the time it goes on at the oldest change that is left. */
const HELD_BACK_FOR = 2;

/** One after the other, from the oldest on, so that what is kept never has a gap. */
const AT_ONCE = 5000;

/**
 * Removes changes that are older than `keptMs`, and the messages of webhooks that were made of them; answers how many changes. The newest
 * change of an organization stays: snapshots of indexes are recognised by it.
 */
export async function deleteOldChanges(
  db: Database,
  { now, keptMs, signal }: { readonly now: Date; readonly keptMs: number; readonly signal: AbortSignal },
): Promise<number> {
  let deleted = 0;
  const organizations = await db.selectFrom('organization').select('id').execute();
  for (const { id } of organizations) {
    for (;;) {
      signal.throwIfAborted();
      const removed = await deleteOldest(db, id, { now, keptMs });
      deleted += removed;
      if (removed < AT_ONCE) break;
    }
  }
  return deleted;
}

async function deleteOldest(
  db: Database,
  organizationId: number,
  { now, keptMs }: { readonly now: Date; readonly keptMs: number },
): Promise<number> {
  const before = (times: number) => new Date(now.getTime() - times * keptMs);
  // Up to the first change that is young enough: in a burst of writes, times and versions may cross by milliseconds.
  const behind = (times: number) => sql<number>`
    coalesce((SELECT min(version) - 1 FROM oldest WHERE created_at >= ${before(times)}), (SELECT max(version) FROM oldest))`;
  return inTransaction(db, async (tx) => {
    const found = await sql<{ upTo: number | null }>`
      WITH oldest AS (
        SELECT version, created_at FROM change WHERE organization_id = ${organizationId} ORDER BY version LIMIT ${AT_ONCE}
      )
      SELECT least(o.version - 1, greatest(least(${behind(1)}, ${HELD_BACK}), ${behind(HELD_BACK_FOR)})) AS "upTo"
      FROM organization o WHERE o.id = ${organizationId}`.execute(tx);
    const upTo = found.rows[0]?.upTo ?? 0;
    const gone = await tx
      .deleteFrom('change')
      .where('organization_id', '=', organizationId)
      .where('version', '<=', upTo)
      .executeTakeFirst();
    await tx
      .deleteFrom('webhook_message')
      .where('organization_id', '=', organizationId)
      .where('event_version', '<=', upTo)
      .where('state', '!=', 'pending')
      .execute();
    return Number(gone.numDeletedRows);
  });
}
