import { sql } from 'kysely';
import type { LibraryWrite } from './changes-store.ts';
import { ACTION_TYPE_CATEGORY } from './action-types.ts';
import { ACTION_TYPE_SOURCE } from './action-vocabulary.ts';
import type { TagStatus, TagType } from './tag-types.ts';

/** A tag option that a request names, or the one that it was merged into. */
export type ReferredTag = {
  readonly id: number;
  readonly type: TagType;
  readonly category: string | null;
  readonly status: TagStatus;
};

/** By the ID that was asked for; unknown ones are missing. */
export async function findReferredTags(
  { tx, scope }: LibraryWrite,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ReferredTag>> {
  if (ids.length === 0) return new Map();
  const found = await sql<ReferredTag & { readonly asked: number }>`
    SELECT o.id AS asked, t.id, t.type, t.category, t.status FROM tag_option o
    JOIN tag_option t ON t.id = COALESCE(o.merged_into, o.id)
    WHERE o.organization_id = ${scope.organizationId} AND o.id = ANY(${[...ids]}::bigint[])`.execute(tx);
  return new Map(found.rows.map(({ asked, ...tag }) => [asked, tag]));
}

/** Action types by one of their names, folded: the active one of several, else the oldest. */
export async function findActionTypesByName(
  { tx, scope }: LibraryWrite,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (names.length === 0) return new Map();
  const found = await sql<{ id: number; foldedNames: string[] }>`
    SELECT id, folded_names AS "foldedNames" FROM tag_option
    WHERE organization_id = ${scope.organizationId} AND type = 'tag' AND category = ${ACTION_TYPE_CATEGORY}
      AND status <> 'merged' AND folded_names && ${[...names]}::text[]
    ORDER BY status <> 'active', id`.execute(tx);
  const byName = new Map<string, number>();
  for (const { id, foldedNames } of found.rows) {
    for (const name of foldedNames) if (!byName.has(name)) byName.set(name, id);
  }
  return byName;
}

/** Action types by their keys. */
export async function findActionTypesByKey(
  { tx, scope }: LibraryWrite,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (keys.length === 0) return new Map();
  const found = await sql<{ key: string; id: number }>`
    SELECT external_id AS key, tag_option_id AS id FROM tag_external_id
    WHERE organization_id = ${scope.organizationId} AND source = ${ACTION_TYPE_SOURCE}
      AND external_id = ANY(${[...keys]}::text[])`.execute(tx);
  return new Map(found.rows.map(({ key, id }) => [key, id]));
}

/** The clubs of these matches, by match. */
export async function findSides(
  { tx }: LibraryWrite,
  matchIds: readonly number[],
): Promise<ReadonlyMap<number, { readonly home: number | null; readonly away: number | null }>> {
  if (matchIds.length === 0) return new Map();
  const found = await tx
    .selectFrom('match')
    .select(['tag_option_id', 'home_id', 'away_id'])
    .where('tag_option_id', 'in', [...matchIds])
    .execute();
  return new Map(found.map((row) => [row.tag_option_id, { home: row.home_id, away: row.away_id }]));
}

/** Which of these actions the organization has. */
export async function findPresentActions(
  { tx, scope }: LibraryWrite,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const found = await sql<{ id: number }>`SELECT id FROM action WHERE organization_id = ${scope.organizationId}
    AND id = ANY(${[...ids]}::bigint[]) AND deleted_at IS NULL`.execute(tx);
  return new Set(found.rows.map((row) => row.id));
}
