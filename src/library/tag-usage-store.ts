import { sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import type { Queryable } from '../db/index.ts';
import type { LibraryWrite } from './changes-store.ts';
import type { TagType } from './tag-types.ts';

/** Tag options of one type and category that were not merged; `category` is null for those without one. */
export type TagCategory = {
  readonly type: TagType;
  readonly category: string | null;
  readonly active: number;
  readonly deactivated: number;
};

/** What would follow a tag option when it is merged, and what a deletion would meet. */
export type TagUsage = {
  readonly media: number;
  readonly actions: number;
  /** Other options whose relations name it, such as the players of a club. */
  readonly tagOptions: number;
  readonly matches: number;
  /** Options that were merged into it. */
  readonly merged: number;
};

/** How many tag options there are of each type and category, in order of both. */
export async function readTagCategories(db: Queryable, scope: LibraryScope): Promise<readonly TagCategory[]> {
  const found = await sql<TagCategory>`
    SELECT type, category, count(*) FILTER (WHERE status = 'active')::int AS active,
      count(*) FILTER (WHERE status = 'deactivated')::int AS deactivated
    FROM tag_option WHERE organization_id = ${scope.organizationId} AND status <> 'merged'
    GROUP BY type, category ORDER BY type, category NULLS FIRST`.execute(db);
  return found.rows;
}

/** What names one tag option; actions count also when they are deleted, because their history keeps the name. */
export async function readTagUsage(db: Queryable, scope: LibraryScope, id: number): Promise<TagUsage> {
  const found = await sql<TagUsage>`
    SELECT COALESCE((SELECT media_count FROM tag_option WHERE id = ${id} AND organization_id = ${scope.organizationId}), 0)::int
        AS media,
      (SELECT count(*) FROM action WHERE organization_id = ${scope.organizationId}
        AND tag_ids @> ARRAY[${id}]::bigint[])::int AS actions,
      (SELECT count(DISTINCT from_id) FROM tag_relation WHERE organization_id = ${scope.organizationId}
        AND (to_id = ${id} OR season_id = ${id}))::int AS "tagOptions",
      (SELECT count(*) FROM match m JOIN tag_option o ON o.id = m.tag_option_id
        WHERE o.organization_id = ${scope.organizationId} AND o.type = 'match'
          AND ${id} IN (m.competition_id, m.season_id, m.home_id, m.away_id, m.stadium_id))::int AS matches,
      (SELECT count(*) FROM tag_option WHERE organization_id = ${scope.organizationId}
        AND merged_into = ${id})::int AS merged`.execute(db);
  return found.rows[0] ?? { media: 0, actions: 0, tagOptions: 0, matches: 0, merged: 0 };
}

/** Gives another name to a category of one type; what has the new one already shares it. Answers how many options moved. */
export async function renameTagCategory(
  write: LibraryWrite,
  { type, from, to }: { readonly type: TagType; readonly from: string; readonly to: string },
): Promise<number> {
  const changed = await sql<{ id: number }>`
    UPDATE tag_option SET category = ${to}, version = version + 1, updated_at = now()
    WHERE organization_id = ${write.scope.organizationId} AND type = ${type} AND category = ${from} AND status <> 'merged'
    RETURNING id`.execute(write.tx);
  for (const { id } of changed.rows) write.record({ type: 'tag_option.updated', objectId: id });
  return changed.rows.length;
}
