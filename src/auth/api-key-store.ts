import { sql } from 'kysely';
import type { Queryable } from '../db/index.ts';
import type { LibraryScope, Scope } from './scopes.ts';

export type ApiKeyRecord = {
  readonly id: number;
  readonly organizationId: number;
  readonly publicId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly cidrs: readonly string[];
  readonly requestsPerSecond: number;
  readonly burst: number;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly createdAt: Date;
};

export type NewApiKey = {
  readonly publicId: string;
  readonly secretSha256: Buffer;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly cidrs: readonly string[];
  readonly requestsPerSecond?: number | undefined;
  readonly burst?: number | undefined;
  readonly expiresAt: Date | null;
};

type Row = {
  id: number;
  organization_id: number;
  public_id: string;
  name: string;
  scopes: string[];
  cidrs: string[];
  requests_per_second: number;
  burst: number;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  created_at: Date;
};

function toRecord(row: Row): ApiKeyRecord {
  return {
    id: row.id,
    organizationId: row.organization_id,
    publicId: row.public_id,
    name: row.name,
    // Written through NewApiKey only, whose scopes are of this type.
    scopes: row.scopes as Scope[],
    cidrs: row.cidrs,
    requestsPerSecond: row.requests_per_second,
    burst: row.burst,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    createdAt: row.created_at,
  };
}

/** Finds a key by its visible part, in whatever organization: the one query that comes before a scope exists. */
export async function findKeyByPublicId(
  db: Queryable,
  publicId: string,
): Promise<{ readonly record: ApiKeyRecord; readonly secretSha256: Buffer } | undefined> {
  const row = await db.selectFrom('api_key').selectAll().where('public_id', '=', publicId).executeTakeFirst();
  return row && { record: toRecord(row), secretSha256: row.secret_sha256 };
}

export async function insertKey(db: Queryable, scope: LibraryScope, key: NewApiKey): Promise<ApiKeyRecord> {
  const row = await db
    .insertInto('api_key')
    .values({
      organization_id: scope.organizationId,
      public_id: key.publicId,
      secret_sha256: key.secretSha256,
      name: key.name,
      scopes: [...key.scopes],
      cidrs: [...key.cidrs],
      expires_at: key.expiresAt,
      ...(key.requestsPerSecond === undefined ? {} : { requests_per_second: key.requestsPerSecond }),
      ...(key.burst === undefined ? {} : { burst: key.burst }),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toRecord(row);
}

/** Newest first, revoked and expired ones included. */
export async function listKeys(
  db: Queryable,
  scope: LibraryScope,
  page: { readonly limit: number; readonly offset: number },
): Promise<readonly ApiKeyRecord[]> {
  const rows = await db
    .selectFrom('api_key')
    .selectAll()
    .where('organization_id', '=', scope.organizationId)
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return rows.map(toRecord);
}

export async function countKeys(db: Queryable, scope: LibraryScope): Promise<number> {
  const row = await db
    .selectFrom('api_key')
    .select(sql<number>`count(*)`.as('n'))
    .where('organization_id', '=', scope.organizationId)
    .executeTakeFirstOrThrow();
  return row.n;
}

/** Revokes for good; a second call keeps the first time. Undefined when the organization has no such key. */
export async function revokeKey(db: Queryable, scope: LibraryScope, id: number): Promise<ApiKeyRecord | undefined> {
  const row = await db
    .updateTable('api_key')
    .set({ revoked_at: sql<Date>`coalesce(revoked_at, now())` })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row && toRecord(row);
}

export async function touchKey(db: Queryable, id: number, at: Date): Promise<void> {
  await db.updateTable('api_key').set({ last_used_at: at }).where('id', '=', id).execute();
}
