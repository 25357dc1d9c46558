import { sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import type { Queryable, Tx } from '../db/index.ts';
import type { Rule, RuleFailure, RuleFields } from './rule-types.ts';

// What `$castTo<Rule>()` says of state, types, filter and steps is checked by the table, or was validated by the schema of the API.
const COLUMNS = [
  'id',
  'name',
  'enabled',
  'state',
  'state_code as stateCode',
  'state_reason as stateReason',
  'state_at as stateAt',
  'on_types as onTypes',
  'filter',
  'steps',
  'since_version as sinceVersion',
  'matched_count as matchedCount',
  'failed_count as failedCount',
  'last_run_at as lastRunAt',
  'last_error_at as lastErrorAt',
  'last_error_code as lastErrorCode',
  'last_error_reason as lastErrorReason',
  'created_by as createdBy',
  'version',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const;

const columnsOf = (fields: RuleFields) => ({
  name: fields.name,
  enabled: fields.enabled,
  on_types: [...fields.onTypes],
  filter: JSON.stringify(fields.filter),
  steps: JSON.stringify(fields.steps),
});

export async function findRule(db: Queryable, scope: LibraryScope, id: number): Promise<Rule | undefined> {
  return db
    .selectFrom('rule')
    .select(COLUMNS)
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .$castTo<Rule>()
    .executeTakeFirst();
}

/** In the order in which they run, after `afterId`. */
export async function listRules(
  db: Queryable,
  scope: LibraryScope,
  page: { readonly afterId: number; readonly limit: number },
): Promise<readonly Rule[]> {
  return db
    .selectFrom('rule')
    .select(COLUMNS)
    .where('organization_id', '=', scope.organizationId)
    .where('id', '>', page.afterId)
    .orderBy('id')
    .limit(page.limit)
    .$castTo<Rule>()
    .execute();
}

/** Those that run, in their order. */
export async function listActiveRules(db: Queryable, scope: LibraryScope): Promise<readonly Rule[]> {
  return db
    .selectFrom('rule')
    .select(COLUMNS)
    .where('organization_id', '=', scope.organizationId)
    .where('enabled', '=', true)
    .where('state', '=', 'active')
    .orderBy('id')
    .$castTo<Rule>()
    .execute();
}

export async function countRules(db: Queryable, scope: LibraryScope): Promise<number> {
  const { count } = await db
    .selectFrom('rule')
    .select((one) => one.fn.countAll<number>().as('count'))
    .where('organization_id', '=', scope.organizationId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertRule(
  tx: Tx,
  scope: LibraryScope,
  values: { readonly fields: RuleFields; readonly sinceVersion: number; readonly createdBy: string },
): Promise<Rule> {
  return tx
    .insertInto('rule')
    .values({
      organization_id: scope.organizationId,
      ...columnsOf(values.fields),
      since_version: values.sinceVersion,
      created_by: values.createdBy,
    })
    .returning(COLUMNS)
    .$castTo<Rule>()
    .executeTakeFirstOrThrow();
}

/** `sinceVersion` is given when the rule begins to run again, which ends what it was paused or broken for. */
export async function updateRule(
  tx: Tx,
  scope: LibraryScope,
  change: { readonly id: number; readonly fields: RuleFields; readonly sinceVersion?: number | undefined },
): Promise<Rule> {
  return tx
    .updateTable('rule')
    .set({
      ...columnsOf(change.fields),
      ...(change.sinceVersion !== undefined && {
        since_version: change.sinceVersion,
        state: 'active',
        state_code: null,
        state_reason: null,
        state_at: null,
      }),
      version: sql`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', change.id)
    .returning(COLUMNS)
    .$castTo<Rule>()
    .executeTakeFirstOrThrow();
}

/** Stops a rule that runs; false when it had stopped, or is another one by now. */
export async function stopRule(
  tx: Tx,
  scope: LibraryScope,
  stop: {
    readonly id: number;
    readonly version: number;
    readonly state: 'paused' | 'broken';
    readonly failure: RuleFailure;
  },
): Promise<boolean> {
  const { code, reason } = stop.failure;
  const stopped = await tx
    .updateTable('rule')
    .set({
      state: stop.state,
      state_code: code,
      state_reason: reason,
      state_at: sql<Date>`now()`,
      version: sql`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', stop.id)
    .where('version', '=', stop.version)
    .where('state', '=', 'active')
    .returning('id')
    .executeTakeFirst();
  return stopped !== undefined;
}

/** Counts runs. It is no change of the rule: its version stays. */
export async function countRuns(
  tx: Tx,
  scope: LibraryScope,
  runs: {
    readonly id: number;
    readonly matched: number;
    readonly failed: number;
    readonly failure: RuleFailure | undefined;
  },
): Promise<void> {
  await tx
    .updateTable('rule')
    .set({
      matched_count: sql`matched_count + ${runs.matched}`,
      failed_count: sql`failed_count + ${runs.failed}`,
      last_run_at: sql<Date>`now()`,
      ...(runs.failure && {
        last_error_at: sql<Date>`now()`,
        last_error_code: runs.failure.code,
        last_error_reason: runs.failure.reason,
      }),
    })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', runs.id)
    .execute();
}

export async function deleteRule(tx: Tx, scope: LibraryScope, id: number): Promise<void> {
  await tx.deleteFrom('rule').where('organization_id', '=', scope.organizationId).where('id', '=', id).execute();
}
