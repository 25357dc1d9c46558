import { sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import type { Queryable, Tx } from '../db/index.ts';
import type { ChangeType } from '../library/index.ts';
import type { MessageAttempt, WebhookMessage } from './webhook-types.ts';

// What `$castTo<WebhookMessage>()` says of type, state and attempts is checked by the table, or was written from these types here.
const COLUMNS = [
  'id',
  'webhook_id as webhookId',
  'event_version as eventVersion',
  'event_type as eventType',
  'state',
  'tries',
  'next_attempt_at as nextAttemptAt',
  'attempts',
  'created_at as createdAt',
  'finished_at as finishedAt',
] as const;

/** Of a message that is replayed again and again. */
const MAX_ATTEMPTS_KEPT = 20;

type Place = { readonly webhookId: number };

/** A step of a rule tells one webhook, whatever types that and others ask for. */
const meantFor = (webhookId: number) =>
  sql<boolean>`(type <> 'rule.matched' OR (data ->> 'webhook_id')::bigint = ${webhookId}::bigint)`;

/** Makes messages of the events of these types after `after` up to `to`, each once whatever is done again. */
export async function insertMessages(
  tx: Tx,
  scope: LibraryScope,
  events: Place & { readonly after: number; readonly to: number; readonly types: readonly ChangeType[] },
): Promise<void> {
  if (events.types.length === 0) return;
  await sql`
    INSERT INTO webhook_message (organization_id, webhook_id, event_version, event_type)
    SELECT organization_id, ${events.webhookId}::bigint, version, type FROM change
    WHERE organization_id = ${scope.organizationId} AND version > ${events.after} AND version <= ${events.to}
      AND type = ANY (${[...events.types]}::text[]) AND ${meantFor(events.webhookId)}
    ORDER BY version
    ON CONFLICT (webhook_id, event_version) DO NOTHING`.execute(tx);
}

/** Moves on in the feed; false when somebody else has moved it meanwhile. */
export async function moveWebhookPosition(
  tx: Tx,
  scope: LibraryScope,
  move: { readonly id: number; readonly from: number; readonly to: number },
): Promise<boolean> {
  const moved = await tx
    .updateTable('webhook')
    .set({ position: move.to })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', move.id)
    .where('position', '=', move.from)
    .executeTakeFirst();
  return moved.numUpdatedRows > 0n;
}

const ofWebhook = (db: Queryable, scope: LibraryScope, webhookId: number) =>
  db
    .selectFrom('webhook_message')
    .select(COLUMNS)
    .where('organization_id', '=', scope.organizationId)
    .where('webhook_id', '=', webhookId);

/** `first`: those that were not tried yet, in the order of the events; else those whose next try is due. */
export async function findDueMessages(
  db: Queryable,
  scope: LibraryScope,
  wanted: Place & { readonly first: boolean; readonly now: Date; readonly limit: number },
): Promise<readonly WebhookMessage[]> {
  const due = ofWebhook(db, scope, wanted.webhookId).where('state', '=', 'pending').limit(wanted.limit);
  const inOrder = wanted.first
    ? due.where('tries', '=', 0).orderBy('event_version')
    : due.where('tries', '>', 0).where('next_attempt_at', '<=', wanted.now).orderBy('next_attempt_at').orderBy('id');
  return inOrder.$castTo<WebhookMessage>().execute();
}

/** When the next try is due; undefined when none waits. */
export async function findNextTry(db: Queryable, scope: LibraryScope, webhookId: number): Promise<Date | undefined> {
  const row = await db
    .selectFrom('webhook_message')
    .select((select) => select.fn.min('next_attempt_at').as('at'))
    .where('organization_id', '=', scope.organizationId)
    .where('webhook_id', '=', webhookId)
    .where('state', '=', 'pending')
    .executeTakeFirst();
  return row?.at ?? undefined;
}

/** Messages that wait, by organization. */
export async function countPending(db: Queryable): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('webhook_message')
    .select((select) => ['organization_id', select.fn.countAll<number>().as('n')])
    .where('state', '=', 'pending')
    .groupBy('organization_id')
    .execute();
  return new Map(rows.map((row) => [row.organization_id, row.n]));
}

export async function findMessage(
  db: Queryable,
  scope: LibraryScope,
  message: Place & { readonly id: number },
): Promise<WebhookMessage | undefined> {
  return ofWebhook(db, scope, message.webhookId)
    .where('id', '=', message.id)
    .$castTo<WebhookMessage>()
    .executeTakeFirst();
}

/** Newest first, before `beforeId`. */
export async function listMessages(
  db: Queryable,
  scope: LibraryScope,
  page: Place & {
    readonly beforeId: number;
    readonly limit: number;
    readonly state: WebhookMessage['state'] | undefined;
  },
): Promise<readonly WebhookMessage[]> {
  const found = ofWebhook(db, scope, page.webhookId)
    .where('id', '<', page.beforeId)
    .orderBy('id', 'desc')
    .limit(page.limit);
  return (page.state === undefined ? found : found.where('state', '=', page.state)).$castTo<WebhookMessage>().execute();
}

/**
 * Notes a try of a message that still waits. `next`: when to try again; delivered and failed end it. What is delivered says that its webhook
 * is well, which is written only where it was not.
 */
export async function endAttempt(
  db: Queryable,
  scope: LibraryScope,
  ended: {
    readonly id: number;
    readonly attempt: MessageAttempt | undefined;
    readonly outcome: { readonly state: 'delivered' | 'failed' } | { readonly state: 'pending'; readonly next: Date };
  },
): Promise<void> {
  const { attempt, outcome } = ended;
  const added = JSON.stringify(attempt === undefined ? [] : [attempt]);
  await sql`
    WITH well AS (
      UPDATE webhook SET failing_since = NULL
      WHERE organization_id = ${scope.organizationId} AND failing_since IS NOT NULL AND ${outcome.state} = 'delivered'
        AND id = (SELECT webhook_id FROM webhook_message WHERE id = ${ended.id})
    )
    UPDATE webhook_message SET state = ${outcome.state}, tries = tries + 1,
      attempts = CASE WHEN jsonb_array_length(attempts) >= ${MAX_ATTEMPTS_KEPT} THEN attempts - 0 ELSE attempts END || ${added}::jsonb,
      next_attempt_at = ${outcome.state === 'pending' ? outcome.next : sql`next_attempt_at`},
      finished_at = ${outcome.state === 'pending' ? null : sql`now()`}
    WHERE organization_id = ${scope.organizationId} AND id = ${ended.id} AND state = 'pending'`.execute(db);
}

/** It waits as if it were new; what was tried stays in its log. */
export async function replayMessage(
  tx: Tx,
  scope: LibraryScope,
  message: Place & { readonly id: number },
): Promise<WebhookMessage | undefined> {
  const replayed = await tx
    .updateTable('webhook_message')
    .set({ state: 'pending', tries: 0, next_attempt_at: sql<Date>`now()`, finished_at: null })
    .where('organization_id', '=', scope.organizationId)
    .where('webhook_id', '=', message.webhookId)
    .where('id', '=', message.id)
    .returning(COLUMNS)
    .executeTakeFirst();
  // As of COLUMNS above.
  return replayed as WebhookMessage | undefined;
}

/** The same for every event of a range, also those that were no message before; answers how many, and how far it went. */
export async function replayEvents(
  tx: Tx,
  scope: LibraryScope,
  range: Place & {
    readonly after: number;
    readonly to: number;
    readonly types: readonly ChangeType[];
    readonly limit: number;
  },
): Promise<{ readonly queued: number; readonly readTo: number }> {
  const found = await sql<{ version: number }>`
    INSERT INTO webhook_message AS m (organization_id, webhook_id, event_version, event_type)
    SELECT organization_id, ${range.webhookId}::bigint, version, type FROM change
    WHERE organization_id = ${scope.organizationId} AND version > ${range.after} AND version <= ${range.to}
      AND type = ANY (${[...range.types]}::text[]) AND ${meantFor(range.webhookId)}
    ORDER BY version LIMIT ${range.limit}
    ON CONFLICT (webhook_id, event_version)
      DO UPDATE SET state = 'pending', tries = 0, next_attempt_at = now(), finished_at = NULL
    RETURNING m.event_version AS version`.execute(tx);
  const last = found.rows.reduce((most, { version }) => Math.max(most, version), range.after);
  const queued = found.rows.length;
  return { queued, readTo: queued < range.limit ? range.to : last };
}
