import { sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import type { Queryable } from '../db/index.ts';

/** Who may have which images: anyone any; presets to anyone; signed URLs only. */
export const IMAGE_MODES = ['open', 'presets', 'signed'] as const;
export type ImageMode = (typeof IMAGE_MODES)[number];

export type ImageSettings = {
  readonly mode: ImageMode;
  /** 0: never written. */
  readonly version: number;
};

const DEFAULTS: ImageSettings = { mode: 'open', version: 0 };

export async function findImageSettings(db: Queryable, scope: LibraryScope): Promise<ImageSettings> {
  const row = await db
    .selectFrom('image_settings')
    .selectAll()
    .where('organization_id', '=', scope.organizationId)
    .executeTakeFirst();
  if (!row) return DEFAULTS;
  // The table's own check.
  return { mode: row.mode as ImageMode, version: row.version };
}

export async function saveImageMode(db: Queryable, scope: LibraryScope, mode: ImageMode): Promise<void> {
  await db
    .insertInto('image_settings')
    .values({ organization_id: scope.organizationId, mode })
    .onConflict((conflict) =>
      conflict
        .column('organization_id')
        .doUpdateSet({ mode, version: sql`image_settings.version + 1`, updated_at: sql<Date>`now()` }),
    )
    .execute();
}

/** A secret by which an organization signs image URLs itself. */
export type ImageKey = {
  readonly id: number;
  /** 8 characters; names the key in URLs. */
  readonly kid: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
};

const KEY_COLUMNS = ['id', 'kid', 'name', 'created_at', 'revoked_at'] as const;
type KeyRow = { id: number; kid: string; name: string; created_at: Date; revoked_at: Date | null };

const toKey = (row: KeyRow): ImageKey => ({
  id: row.id,
  kid: row.kid,
  name: row.name,
  createdAt: row.created_at,
  revokedAt: row.revoked_at,
});

/** Newest first, the revoked ones included: the last 100. */
export async function listImageKeys(db: Queryable, scope: LibraryScope): Promise<readonly ImageKey[]> {
  const rows = await db
    .selectFrom('image_key')
    .select(KEY_COLUMNS)
    .where('organization_id', '=', scope.organizationId)
    .orderBy('id', 'desc')
    .limit(100)
    .execute();
  return rows.map(toKey);
}

/** The secrets that are not revoked, by kid. */
export async function readImageSecrets(db: Queryable, scope: LibraryScope): Promise<ReadonlyMap<string, Buffer>> {
  const rows = await db
    .selectFrom('image_key')
    .select(['kid', 'secret'])
    .where('organization_id', '=', scope.organizationId)
    .where('revoked_at', 'is', null)
    .execute();
  return new Map(rows.flatMap(({ kid, secret }) => (secret ? [[kid, secret] as const] : [])));
}

export async function insertImageKey(
  db: Queryable,
  scope: LibraryScope,
  key: { readonly kid: string; readonly secret: Buffer; readonly name: string },
): Promise<ImageKey> {
  const row = await db
    .insertInto('image_key')
    .values({ organization_id: scope.organizationId, ...key })
    .returning(KEY_COLUMNS)
    .executeTakeFirstOrThrow();
  return toKey(row);
}

/** Revokes for good and forgets the secret; a second call keeps the first time. Undefined when there is no such key. */
export async function revokeImageKey(db: Queryable, scope: LibraryScope, id: number): Promise<ImageKey | undefined> {
  const row = await db
    .updateTable('image_key')
    .set({ revoked_at: sql<Date>`coalesce(revoked_at, now())`, secret: null })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .returning(KEY_COLUMNS)
    .executeTakeFirst();
  return row && toKey(row);
}
