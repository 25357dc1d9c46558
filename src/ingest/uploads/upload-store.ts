import { type RawBuilder, sql } from 'kysely';
import { type LibraryScope, scopeOf } from '../../auth/index.ts';
import type { Queryable } from '../../db/index.ts';
import type { LibraryWrite, UploadOutcome } from '../../library/index.ts';
import type { DetectedType } from '../file-type.ts';
import type { UploadFields } from '../intake.ts';
import { readStoredFields, type StoredFields } from '../upload-fields.ts';

/** What a complete file is; known before it goes into storage. */
export type UploadContent = { readonly sha256: string; readonly detected: DetectedType };

/** A file that arrives in parts. */
export type Upload = {
  readonly id: number;
  readonly scope: LibraryScope;
  /** Name of its file in the folder of uploads. */
  readonly nonce: string;
  /** Declared length. */
  readonly bytes: number;
  /** What is on the disk for good, from the start of the file. */
  readonly received: number;
  /** The header `Upload-Metadata` as it came. */
  readonly metadata: string | null;
  readonly fields: UploadFields;
  readonly state: 'open' | 'completed' | 'failed';
  readonly content: UploadContent | null;
  readonly storageKey: string | null;
  readonly mediaId: number | null;
  readonly duplicate: boolean | null;
  readonly failure: { readonly code: string; readonly reason: string } | null;
  readonly locked: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date;
};

export type NewUpload = {
  readonly nonce: string;
  readonly bytes: number;
  readonly metadata: string | null;
  readonly fields: UploadFields;
  readonly createdBy: string;
};

/** A day without progress ends an upload; an ended one is remembered for a week. */
const OPEN_FOR = sql`interval '24 hours'`;
const REMEMBERED_FOR = sql`interval '7 days'`;
/** Renewed three times as often: a node that died holds an upload up no longer than this. */
const LEASE = sql`interval '15 seconds'`;

/**
 * A statement that does not wait for the disk: what it writes may go with the machine, and nothing was promised yet. A later one that
 * does wait takes it along. `set_config(..., true)` holds to the end of the transaction, which is the statement's own.
 */
const UNSYNCED = sql`WITH unsynced AS (SELECT set_config('synchronous_commit', 'off', true))`;

const COLUMNS = sql`id, organization_id AS "organizationId", nonce, bytes, received, metadata, fields, state, content,
  storage_key AS "storageKey", media_id AS "mediaId", duplicate, failure_code AS "failureCode",
  failure_reason AS "failureReason", COALESCE(locked_until > now(), false) AS locked, created_at AS "createdAt",
  expires_at AS "expiresAt"`;

type Row = Omit<Upload, 'scope' | 'fields' | 'failure'> & {
  readonly organizationId: number;
  readonly fields: StoredFields;
  readonly failureCode: string | null;
  readonly failureReason: string | null;
};

function toUpload({ organizationId, failureCode, failureReason, fields, ...row }: Row): Upload {
  return {
    ...row,
    scope: scopeOf(organizationId),
    fields: readStoredFields(fields),
    failure: failureCode === null ? null : { code: failureCode, reason: failureReason ?? '' },
  };
}

async function readOne(db: Queryable, query: RawBuilder<Row>): Promise<Upload | undefined> {
  const row = (await query.execute(db)).rows[0];
  return row && toUpload(row);
}

/**
 * A new upload; with a `lockToken`, that is its first writer. Undefined: the organization has too many, or too much together. Those that
 * come at the same moment may exceed the limits by as many as they are.
 */
export async function insertUpload(
  db: Queryable,
  scope: LibraryScope,
  insert: {
    readonly upload: NewUpload;
    readonly lockToken: string | null;
    readonly limits: { readonly uploads: number; readonly bytes: number };
  },
): Promise<Upload | undefined> {
  const { upload, lockToken, limits } = insert;
  const lockedUntil = lockToken === null ? sql`NULL::timestamptz` : sql`now() + ${LEASE}`;
  return readOne(
    db,
    sql<Row>`${UNSYNCED}, others AS (SELECT count(*) AS uploads, COALESCE(sum(bytes), 0) AS total FROM upload
        WHERE organization_id = ${scope.organizationId} AND state = 'open')
      INSERT INTO upload (organization_id, nonce, bytes, metadata, fields, created_by, lock_token, locked_until, expires_at)
      SELECT ${scope.organizationId}::bigint, ${upload.nonce}::text, ${upload.bytes}::bigint, ${upload.metadata}::text,
        ${JSON.stringify(upload.fields)}::jsonb, ${upload.createdBy}::text, ${lockToken}::text, ${lockedUntil},
        now() + ${OPEN_FOR}
      FROM unsynced, others
      WHERE others.uploads < ${limits.uploads} AND others.total + ${upload.bytes} <= ${limits.bytes}
      RETURNING ${COLUMNS}`,
  );
}

/** The upload, unless it has expired. */
export async function findUpload(db: Queryable, scope: LibraryScope, id: number): Promise<Upload | undefined> {
  return readOne(
    db,
    sql<Row>`SELECT ${COLUMNS} FROM upload WHERE organization_id = ${scope.organizationId} AND id = ${id}
      AND expires_at > now()`,
  );
}

/** Makes `lockToken` the only writer of an open upload that has none. Undefined: it has one, or is not open. */
export async function lockUpload(
  db: Queryable,
  scope: LibraryScope,
  { id, lockToken }: { readonly id: number; readonly lockToken: string },
): Promise<Upload | undefined> {
  return readOne(
    db,
    sql<Row>`${UNSYNCED} UPDATE upload SET lock_token = ${lockToken}, locked_until = now() + ${LEASE} FROM unsynced
      WHERE organization_id = ${scope.organizationId} AND id = ${id} AND state = 'open' AND expires_at > now()
        AND (locked_until IS NULL OR locked_until <= now()) RETURNING ${COLUMNS}`,
  );
}

type Held = { readonly id: number; readonly lockToken: string };

/**
 * Notes what is on the disk for good, and keeps or gives up the lock. Undefined: somebody else has taken the lock since, and
 * nothing was noted.
 */
export async function noteReceived(
  db: Queryable,
  { id, lockToken }: Held,
  note: { readonly received: number; readonly progress: boolean; readonly keepLock: boolean },
): Promise<Upload | undefined> {
  const expiry = note.progress ? sql`, expires_at = now() + ${OPEN_FOR}` : sql``;
  const lock = note.keepLock
    ? sql`locked_until = now() + ${LEASE}`
    : sql`lock_token = NULL, locked_until = NULL, updated_at = now()`;
  return readOne(
    db,
    sql<Row>`UPDATE upload SET received = ${note.received}, ${lock} ${expiry}
      WHERE id = ${id} AND lock_token = ${lockToken} AND state = 'open' RETURNING ${COLUMNS}`,
  );
}

/** Keeps the lock. False when it is lost. */
export async function renewLock(db: Queryable, { id, lockToken }: Held): Promise<boolean> {
  const renewed = await sql`UPDATE upload SET locked_until = now() + ${LEASE}
    WHERE id = ${id} AND lock_token = ${lockToken} AND state = 'open' RETURNING id`.execute(db);
  return renewed.rows.length > 0;
}

export async function releaseLock(db: Queryable, { id, lockToken }: Held): Promise<void> {
  await sql`UPDATE upload SET lock_token = NULL, locked_until = NULL
    WHERE id = ${id} AND lock_token = ${lockToken}`.execute(db);
}

/** Ends the lock of whoever has it: what they wrote since their last note is not acknowledged, and never will be. */
export async function breakLock(db: Queryable, scope: LibraryScope, id: number): Promise<void> {
  await sql`UPDATE upload SET lock_token = NULL, locked_until = NULL
    WHERE organization_id = ${scope.organizationId} AND id = ${id}`.execute(db);
}

/** Ends the locks of a process that is not there any more, by what their tokens begin with. */
export async function breakLocksOf(db: Queryable, prefix: string): Promise<void> {
  await sql`UPDATE upload SET lock_token = NULL, locked_until = NULL
    WHERE state = 'open' AND starts_with(lock_token, ${prefix})`.execute(db);
}

/** Notes that the file is whole and what it is, before it goes into storage. False when the lock is lost. */
export async function noteContent(
  db: Queryable,
  { id, lockToken }: Held,
  { content, storageKey }: { readonly content: UploadContent; readonly storageKey: string },
): Promise<boolean> {
  const noted = await sql`UPDATE upload SET received = bytes, content = ${JSON.stringify(content)}::jsonb,
      storage_key = ${storageKey}, locked_until = now() + ${LEASE}, expires_at = now() + ${OPEN_FOR}
    WHERE id = ${id} AND lock_token = ${lockToken} AND state = 'open' RETURNING id`.execute(db);
  return noted.rows.length > 0;
}

/** Ties an upload to its asset, in the transaction that makes the asset. Undefined when it has ended already. */
export async function completeUpload(
  { tx }: Pick<LibraryWrite, 'tx'>,
  id: number,
  outcome: Pick<UploadOutcome, 'id' | 'duplicate'>,
): Promise<Upload | undefined> {
  return readOne(
    tx,
    sql<Row>`UPDATE upload SET state = 'completed', received = bytes, media_id = ${outcome.id},
        duplicate = ${outcome.duplicate}, storage_key = NULL, lock_token = NULL, locked_until = NULL, updated_at = now(),
        expires_at = now() + ${REMEMBERED_FOR}
      WHERE id = ${id} AND state = 'open' RETURNING ${COLUMNS}`,
  );
}

/** Notes why an upload cannot become an asset. */
export async function failUpload(
  db: Queryable,
  id: number,
  failure: { readonly code: string; readonly reason: string },
): Promise<void> {
  await sql`UPDATE upload SET state = 'failed', failure_code = ${failure.code}, failure_reason = ${failure.reason},
      storage_key = NULL, lock_token = NULL, locked_until = NULL, updated_at = now(), expires_at = now() + ${REMEMBERED_FOR}
    WHERE id = ${id} AND state = 'open'`.execute(db);
}

/** Forgets an upload. Undefined when there is none. */
export async function deleteUpload(db: Queryable, scope: LibraryScope, id: number): Promise<Upload | undefined> {
  return readOne(
    db,
    sql<Row>`DELETE FROM upload WHERE organization_id = ${scope.organizationId} AND id = ${id} AND expires_at > now()
      RETURNING ${COLUMNS}`,
  );
}

/** Forgets uploads whose time is over, of every organization; those that are being written to are left. */
export async function deleteExpiredUploads(db: Queryable): Promise<readonly Upload[]> {
  const deleted = await sql<Row>`DELETE FROM upload WHERE expires_at <= now()
    AND (locked_until IS NULL OR locked_until <= now()) RETURNING ${COLUMNS}`.execute(db);
  return deleted.rows.map(toUpload);
}

/** Uploads of every organization that are whole and have become no asset yet, and that nobody works at. */
export async function listUnfinishedUploads(db: Queryable): Promise<readonly Upload[]> {
  const found = await sql<Row>`SELECT ${COLUMNS} FROM upload WHERE state = 'open' AND received = bytes
    AND expires_at > now() AND (locked_until IS NULL OR locked_until <= now()) ORDER BY id LIMIT 1000`.execute(db);
  return found.rows.map(toUpload);
}

/** Those of these nonces that belong to open uploads. */
export async function findOpenNonces(db: Queryable, nonces: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await sql<{ nonce: string }>`SELECT nonce FROM upload
    WHERE nonce = ANY(${[...nonces]}::text[]) AND state = 'open'`.execute(db);
  return new Set(found.rows.map((row) => row.nonce));
}
