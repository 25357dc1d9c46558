import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import type { Queryable } from '../db/index.ts';

/**
 * A text that only this library at this version has: it changes with the organization's signing key (another database) and
 * with the change that made the version (a database that was set back and went on otherwise). Undefined when the feed no
 * longer reaches back to the version, or never had it.
 */
export async function readFingerprint(
  db: Queryable,
  scope: LibraryScope,
  version: number,
): Promise<string | undefined> {
  const found = await sql<{ key: Buffer; change: string }>`
    SELECT o.signing_key AS key, c.type || ' ' || c.object_id || ' ' || extract(epoch FROM c.created_at) AS change
    FROM organization o JOIN change c ON c.organization_id = o.id AND c.version = ${version}
    WHERE o.id = ${scope.organizationId}`.execute(db);
  const [row] = found.rows;
  return row && createHash('sha256').update(row.key).update(`${version} ${row.change}`).digest('base64url');
}

/** What is to be read of a library: how many assets and actions, and the least and greatest ID of its assets (0 without any). */
export type Extent = {
  /** Those in the bin included. */
  readonly assets: number;
  /** Each once, though it may lie in several videos. */
  readonly actions: number;
  readonly first: number;
  readonly last: number;
};

export async function readExtent(db: Queryable, scope: LibraryScope): Promise<Extent> {
  const found = await sql<{ assets: number; actions: number; first: number | null; last: number | null }>`
    SELECT count(*) AS assets, min(id) AS first, max(id) AS last,
      (SELECT count(*) FROM action WHERE organization_id = ${scope.organizationId}) AS actions
    FROM asset WHERE organization_id = ${scope.organizationId}`.execute(db);
  const [row] = found.rows;
  return { assets: row?.assets ?? 0, actions: row?.actions ?? 0, first: row?.first ?? 0, last: row?.last ?? 0 };
}
