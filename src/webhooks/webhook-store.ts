import { sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import { type SealedSecrets, SECOND_MS } from '../base/index.ts';
import type { Queryable, Tx } from '../db/index.ts';
import type { DisabledReason, Webhook, WebhookFields } from './webhook-types.ts';

// What `$castTo<Webhook>()` says of status and disabled_reason is checked by the table.
const COLUMNS = [
  'id',
  'name',
  'url',
  'types',
  'concurrency',
  'status',
  'disabled_reason as disabledReason',
  'disabled_at as disabledAt',
  'secret',
  'secret_key_id as secretKeyId',
  'previous_secret as previousSecret',
  'previous_secret_key_id as previousSecretKeyId',
  'previous_secret_until as previousSecretUntil',
  'position',
  'failing_since as failingSince',
  'version',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const;

const columnsOf = ({ name, url, types, concurrency }: WebhookFields) => ({ name, url, types: [...types], concurrency });
const touched = { version: sql<number>`version + 1`, updated_at: sql<Date>`now()` };

const own = (db: Queryable, scope: LibraryScope, id: number) =>
  db.updateTable('webhook').where('organization_id', '=', scope.organizationId).where('id', '=', id);

export async function findWebhook(db: Queryable, scope: LibraryScope, id: number): Promise<Webhook | undefined> {
  return db
    .selectFrom('webhook')
    .select(COLUMNS)
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .$castTo<Webhook>()
    .executeTakeFirst();
}

/** Oldest first, after `afterId`. */
export async function listWebhooks(
  db: Queryable,
  scope: LibraryScope,
  page: { readonly afterId: number; readonly limit: number },
): Promise<readonly Webhook[]> {
  return db
    .selectFrom('webhook')
    .select(COLUMNS)
    .where('organization_id', '=', scope.organizationId)
    .where('id', '>', page.afterId)
    .orderBy('id')
    .limit(page.limit)
    .$castTo<Webhook>()
    .execute();
}

export async function countWebhooks(db: Queryable, scope: LibraryScope): Promise<number> {
  const row = await db
    .selectFrom('webhook')
    .select((count) => count.fn.countAll<number>().as('n'))
    .where('organization_id', '=', scope.organizationId)
    .executeTakeFirstOrThrow();
  return row.n;
}

export async function insertWebhook(
  tx: Tx,
  scope: LibraryScope,
  values: WebhookFields & { readonly sealed: SealedSecrets; readonly position: number },
): Promise<Webhook> {
  return tx
    .insertInto('webhook')
    .values({
      organization_id: scope.organizationId,
      ...columnsOf(values),
      secret: values.sealed.sealed,
      secret_key_id: values.sealed.keyId,
      position: values.position,
    })
    .returning(COLUMNS)
    .$castTo<Webhook>()
    .executeTakeFirstOrThrow();
}

export async function updateWebhook(
  tx: Tx,
  scope: LibraryScope,
  change: { readonly id: number; readonly fields: WebhookFields },
): Promise<Webhook> {
  return own(tx, scope, change.id)
    .set({ ...columnsOf(change.fields), ...touched })
    .returning(COLUMNS)
    .$castTo<Webhook>()
    .executeTakeFirstOrThrow();
}

/** Undefined when it is disabled already, or not there. */
export async function disableWebhook(
  tx: Tx,
  scope: LibraryScope,
  change: { readonly id: number; readonly reason: DisabledReason },
): Promise<Webhook | undefined> {
  return own(tx, scope, change.id)
    .where('status', '=', 'active')
    .set({ status: 'disabled', disabled_reason: change.reason, disabled_at: sql<Date>`now()`, ...touched })
    .returning(COLUMNS)
    .$castTo<Webhook>()
    .executeTakeFirst();
}

/** Its messages go on where they stopped. Undefined when it is active already, or not there. */
export async function enableWebhook(tx: Tx, scope: LibraryScope, id: number): Promise<Webhook | undefined> {
  return own(tx, scope, id)
    .where('status', '=', 'disabled')
    .set({ status: 'active', disabled_reason: null, disabled_at: null, failing_since: null, ...touched })
    .returning(COLUMNS)
    .$castTo<Webhook>()
    .executeTakeFirst();
}

/** The secret of now signs beside the new one until `until`. */
export async function rotateWebhookSecret(
  tx: Tx,
  scope: LibraryScope,
  change: { readonly id: number; readonly sealed: SealedSecrets; readonly until: Date },
): Promise<Webhook> {
  return own(tx, scope, change.id)
    .set({
      previous_secret: sql<Buffer>`secret`,
      previous_secret_key_id: sql<string>`secret_key_id`,
      previous_secret_until: change.until,
      secret: change.sealed.sealed,
      secret_key_id: change.sealed.keyId,
      ...touched,
    })
    .returning(COLUMNS)
    .$castTo<Webhook>()
    .executeTakeFirstOrThrow();
}

export async function deleteWebhook(tx: Tx, scope: LibraryScope, id: number): Promise<void> {
  await tx.deleteFrom('webhook').where('organization_id', '=', scope.organizationId).where('id', '=', id).execute();
}

/** Active ones of an organization, with the types that they ask for. */
export async function findListeningWebhooks(
  db: Queryable,
  scope: LibraryScope,
): Promise<readonly { readonly id: number; readonly types: readonly string[] }[]> {
  return db
    .selectFrom('webhook')
    .select(['id', 'types'])
    .where('organization_id', '=', scope.organizationId)
    .where('status', '=', 'active')
    .execute();
}

export type WebhookTarget = { readonly organizationId: number; readonly webhookId: number };

/** Active ones of all organizations that have events to follow, or messages that are due and nobody sends. */
export async function findWaitingWebhooks(db: Queryable): Promise<readonly WebhookTarget[]> {
  const found = await sql<WebhookTarget>`
    SELECT w.organization_id AS "organizationId", w.id AS "webhookId"
    FROM webhook w JOIN organization o ON o.id = w.organization_id
    WHERE w.status = 'active' AND (w.leased_until IS NULL OR w.leased_until < now())
      AND (w.position < o.version OR EXISTS (SELECT FROM webhook_message m
        WHERE m.webhook_id = w.id AND m.state = 'pending' AND m.next_attempt_at <= now()))
    ORDER BY w.id`.execute(db);
  return found.rows;
}

/**
 * One sender a webhook: whoever holds the lease. It ends by itself, so that a sender that was killed holds nothing up for long; a
 * connection is not held meanwhile. Undefined when the webhook is not active; null while another one holds it.
 */
export async function takeLease(
  db: Queryable,
  scope: LibraryScope,
  lease: { readonly id: number; readonly token: string; readonly ttlMs: number },
): Promise<Webhook | null | undefined> {
  const taken = await own(db, scope, lease.id)
    .where('status', '=', 'active')
    .where((where) =>
      where.or([
        where('leased_until', 'is', null),
        where('leased_until', '<', sql<Date>`now()`),
        where('lease', '=', lease.token),
      ]),
    )
    .set({ lease: lease.token, leased_until: inFuture(lease.ttlMs) })
    .returning(COLUMNS)
    .$castTo<Webhook>()
    .executeTakeFirst();
  if (taken) return taken;
  const present = await findWebhook(db, scope, lease.id);
  return present?.status === 'active' ? null : undefined;
}

const inFuture = (ms: number) => sql<Date>`now() + make_interval(secs => ${ms / SECOND_MS}::double precision)`;

export async function releaseLease(
  db: Queryable,
  scope: LibraryScope,
  lease: { readonly id: number; readonly token: string },
): Promise<void> {
  await own(db, scope, lease.id).where('lease', '=', lease.token).set({ lease: null, leased_until: null }).execute();
}

/** Notes that a try has failed; answers since when none has succeeded. */
export async function noteFailing(
  db: Queryable,
  scope: LibraryScope,
  failure: { readonly id: number; readonly now: Date },
): Promise<Date | null> {
  const noted = await own(db, scope, failure.id)
    .set((set) => ({ failing_since: set.fn.coalesce('failing_since', sql<Date>`${failure.now}::timestamptz`) }))
    .returning('failing_since')
    .executeTakeFirst();
  return noted?.failing_since ?? null;
}
