import { sql } from 'kysely';
import type { Database } from '../../db/index.ts';

export type StoredAnswer = {
  readonly requestSha256: string;
  readonly status: number | null;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly ageMs: number;
};

type Slot = { readonly apiKeyId: number; readonly key: string };

/** Claims a key for one request. Undefined: the caller runs it; otherwise what is known of the earlier request. */
export async function claimIdempotencyKey(
  db: Database,
  slot: Slot,
  requestSha256: string,
): Promise<StoredAnswer | undefined> {
  const claimed = await sql<{ key: string }>`
    INSERT INTO idempotency (api_key_id, key, request_sha256) VALUES (${slot.apiKeyId}, ${slot.key}, ${requestSha256})
    ON CONFLICT DO NOTHING RETURNING key`.execute(db);
  if (claimed.rows.length > 0) return undefined;
  const found = await sql<StoredAnswer>`
    SELECT request_sha256 AS "requestSha256", status, body, headers,
      extract(epoch FROM now() - created_at)::float8 * 1000 AS "ageMs"
    FROM idempotency WHERE api_key_id = ${slot.apiKeyId} AND key = ${slot.key}`.execute(db);
  return found.rows[0];
}

export async function storeAnswer(
  db: Database,
  slot: Slot,
  answer: { readonly status: number; readonly body: string; readonly headers: Readonly<Record<string, string>> },
): Promise<void> {
  await sql`UPDATE idempotency SET status = ${answer.status}, body = ${answer.body}::jsonb,
    headers = ${JSON.stringify(answer.headers)}::jsonb WHERE api_key_id = ${slot.apiKeyId} AND key = ${slot.key}`.execute(
    db,
  );
}

/** Frees a key whose request failed or is too old, so that it may be used again. */
export async function releaseIdempotencyKey(db: Database, slot: Slot): Promise<void> {
  await db.deleteFrom('idempotency').where('api_key_id', '=', slot.apiKeyId).where('key', '=', slot.key).execute();
}

export async function deleteExpiredAnswers(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('idempotency').where('created_at', '<', before).execute();
}
