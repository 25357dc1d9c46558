import { sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import type { Queryable } from '../db/index.ts';

export type AssetTotals = {
  readonly mediaType: 'photo' | 'video';
  readonly status: string;
  readonly count: number;
};
export type StorageTotals = { readonly quality: string; readonly files: number; readonly bytes: number };
export type LibraryTotals = {
  readonly assets: readonly AssetTotals[];
  readonly storage: readonly StorageTotals[];
  readonly actions: number;
};

/** What a library has, counted. Reads all its rows: a second for a million assets. */
export async function readLibraryTotals(db: Queryable, scope: LibraryScope): Promise<LibraryTotals> {
  const { organizationId } = scope;
  const assets = await sql<{ media_type: 'photo' | 'video'; status: string; count: number }>`
    SELECT media_type, CASE WHEN deleted_at IS NULL THEN status ELSE 'deleted' END AS status, count(*)::int AS count
    FROM asset WHERE organization_id = ${organizationId} GROUP BY 1, 2 ORDER BY 1, 2`.execute(db);
  const storage = await sql<{ quality: string; files: number; bytes: string }>`
    SELECT f.quality, count(*)::int AS files, sum(f.bytes) AS bytes
    FROM asset_file f JOIN asset a ON a.id = f.asset_id
    WHERE a.organization_id = ${organizationId} GROUP BY f.quality ORDER BY f.quality`.execute(db);
  const actions = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM action
    WHERE organization_id = ${organizationId} AND status <> 'retracted'`.execute(db);
  return {
    assets: assets.rows.map(({ media_type: mediaType, ...rest }) => ({ mediaType, ...rest })),
    storage: storage.rows.map((row) => ({ ...row, bytes: Number(row.bytes) })),
    actions: actions.rows[0]?.count ?? 0,
  };
}

/** Requests of one organization on one day; `searches` are among `requests`. */
export type DayUsage = { readonly day: string; readonly requests: number; readonly searches: number };

/** Adds to what was counted before, in one statement. */
export async function addUsage(
  db: Queryable,
  counted: readonly (DayUsage & { readonly organizationId: number })[],
): Promise<void> {
  if (counted.length === 0) return;
  await sql`
    INSERT INTO usage_day (organization_id, day, requests, searches)
    SELECT o.id, n.day, n.requests, n.searches
    FROM jsonb_to_recordset(${JSON.stringify(counted)}::jsonb)
      AS n("organizationId" bigint, day date, requests bigint, searches bigint)
    -- An organization that is gone meanwhile takes its counts along.
    JOIN organization o ON o.id = n."organizationId"
    ON CONFLICT (organization_id, day) DO UPDATE
      SET requests = usage_day.requests + excluded.requests, searches = usage_day.searches + excluded.searches`.execute(
    db,
  );
}

/** Oldest first; days on which nothing was asked are left out. `since` is a day, YYYY-MM-DD. */
export async function readDayUsage(db: Queryable, scope: LibraryScope, since: string): Promise<readonly DayUsage[]> {
  const { rows } = await sql<{ day: string; requests: string; searches: string }>`
    SELECT to_char(day, 'YYYY-MM-DD') AS day, requests, searches FROM usage_day
    WHERE organization_id = ${scope.organizationId} AND day >= ${since}::date ORDER BY usage_day.day`.execute(db);
  return rows.map((row) => ({ day: row.day, requests: Number(row.requests), searches: Number(row.searches) }));
}
