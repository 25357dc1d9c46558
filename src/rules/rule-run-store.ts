import { sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import type { Database, Queryable, Tx } from '../db/index.ts';
import type { RuleRun } from './rule-types.ts';

// What `$castTo<RuleRun>()` says of state and steps is checked by the table, or was written from these types here.
const COLUMNS = [
  'id',
  'rule_id as ruleId',
  'rule_version as ruleVersion',
  'event_version as eventVersion',
  'event_type as eventType',
  'object_id as objectId',
  'media_id as mediaId',
  'depth',
  'state',
  'failure',
  'steps',
  'duration_ms as durationMs',
  'created_at as createdAt',
] as const;

/** PostgreSQL takes 65,535 parameters a statement; a run needs 12. */
const PER_STATEMENT = 2000;

export async function insertRuns(
  tx: Tx,
  scope: LibraryScope,
  runs: readonly Omit<RuleRun, 'id' | 'createdAt'>[],
): Promise<void> {
  for (let at = 0; at < runs.length; at += PER_STATEMENT) {
    const rows = runs.slice(at, at + PER_STATEMENT).map((run) => ({
      organization_id: scope.organizationId,
      rule_id: run.ruleId,
      rule_version: run.ruleVersion,
      event_version: run.eventVersion,
      event_type: run.eventType,
      object_id: run.objectId,
      media_id: run.mediaId,
      depth: run.depth,
      state: run.state,
      failure: run.failure && JSON.stringify(run.failure),
      steps: JSON.stringify(run.steps),
      duration_ms: run.durationMs,
    }));
    await tx.insertInto('rule_run').values(rows).execute();
  }
}

/** Of these changes those that a rule has run on. */
export async function findRunVersions(
  tx: Tx,
  scope: LibraryScope,
  asked: { readonly ruleId: number; readonly versions: readonly number[] },
): Promise<ReadonlySet<number>> {
  const found = await sql<{ version: number }>`SELECT event_version AS version FROM rule_run
    WHERE organization_id = ${scope.organizationId} AND rule_id = ${asked.ruleId}
      AND event_version = ANY (${[...asked.versions]}::bigint[])`.execute(tx);
  return new Set(found.rows.map(({ version }) => version));
}

/** How often a rule has run on each of these objects since a time; those without a run are missing. */
export async function countRecentRuns(
  tx: Tx,
  scope: LibraryScope,
  asked: { readonly ruleId: number; readonly objectIds: readonly number[]; readonly since: Date },
): Promise<ReadonlyMap<number, number>> {
  const found = await sql<{ id: number; n: number }>`SELECT object_id AS id, count(*)::int AS n FROM rule_run
    WHERE organization_id = ${scope.organizationId} AND rule_id = ${asked.ruleId}
      AND object_id = ANY (${[...asked.objectIds]}::bigint[]) AND created_at >= ${asked.since}
    GROUP BY object_id`.execute(tx);
  return new Map(found.rows.map(({ id, n }) => [id, n]));
}

/** Newest first, before `beforeId`. */
export async function listRuns(
  db: Queryable,
  scope: LibraryScope,
  page: {
    readonly ruleId: number;
    readonly beforeId: number;
    readonly limit: number;
    readonly mediaId?: number | undefined;
    readonly state?: RuleRun['state'] | undefined;
  },
): Promise<readonly RuleRun[]> {
  const { mediaId, state } = page;
  return db
    .selectFrom('rule_run')
    .select(COLUMNS)
    .where('organization_id', '=', scope.organizationId)
    .where('rule_id', '=', page.ruleId)
    .where('id', '<', page.beforeId)
    .$if(mediaId !== undefined, (query) => query.where('media_id', '=', mediaId ?? 0))
    .$if(state !== undefined, (query) => query.where('state', '=', state ?? ''))
    .orderBy('id', 'desc')
    .limit(page.limit)
    .$castTo<RuleRun>()
    .execute();
}

/** Of all organizations. */
export async function deleteOldRuns(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('rule_run').where('created_at', '<', before).execute();
}
