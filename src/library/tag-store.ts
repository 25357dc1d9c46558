import { sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import { foldText } from '../base/index.ts';
import type { Queryable } from '../db/index.ts';
import type { MatchFacts, TagOption, TagReference, TagRelation, TagStatus, TagType } from './tag-types.ts';

export type TagValues = {
  readonly type: TagType;
  readonly category: string | null;
  readonly label: string;
  readonly fullName: string | null;
  readonly aliases: readonly string[];
  readonly imageUrl: string | null;
  readonly status: TagStatus;
};

type TagRow = {
  id: number;
  type: TagType;
  category: string | null;
  label: string;
  full_name: string | null;
  aliases: string[];
  status: TagStatus;
  merged_into: number | null;
  media_count: number;
  image_url: string | null;
  version: number;
  created_at: Date;
  updated_at: Date;
  external_ids: Record<string, string>;
  relations: TagRelation[];
  match: (Omit<MatchFacts, 'kickOff'> & { kickOff: string | null }) | null;
};

function toTagOption(row: TagRow): TagOption {
  return {
    id: row.id,
    type: row.type,
    category: row.category,
    label: row.label,
    fullName: row.full_name,
    aliases: row.aliases,
    externalIds: row.external_ids,
    status: row.status,
    mergedInto: row.merged_into,
    mediaCount: row.media_count,
    imageUrl: row.image_url,
    relations: row.relations,
    match: row.match && { ...row.match, kickOff: row.match.kickOff === null ? null : new Date(row.match.kickOff) },
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** What photographs' keywords and persons are matched against. */
function foldedNames(values: TagValues): string[] {
  const names = [values.label, values.fullName ?? '', ...values.aliases].map(foldText);
  return [...new Set(names)].filter((name) => name !== '');
}

/** The columns of an option that follow from its values. */
export function tagColumns(values: TagValues) {
  return {
    category: values.category,
    label: values.label,
    full_name: values.fullName,
    aliases: [...values.aliases],
    folded_names: foldedNames(values),
    image_url: values.imageUrl,
    status: values.status,
  };
}

export async function updateTag(db: Queryable, scope: LibraryScope, id: number, values: TagValues): Promise<void> {
  await db
    .updateTable('tag_option')
    .set({ ...tagColumns(values), version: sql`version + 1`, updated_at: sql<Date>`now()` })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .execute();
}

export async function deleteTag(db: Queryable, scope: LibraryScope, id: number): Promise<void> {
  await db.deleteFrom('tag_option').where('organization_id', '=', scope.organizationId).where('id', '=', id).execute();
}

// One round trip for options with everything that belongs to them: relations and match facts as JSON beside each row.
const SELECT_TAGS = sql`
  SELECT o.id, o.type, o.category, o.label, o.full_name, o.aliases, o.status, o.merged_into, o.media_count, o.image_url,
    o.version, o.created_at, o.updated_at,
    COALESCE((SELECT jsonb_object_agg(e.source, e.external_id) FROM tag_external_id e WHERE e.tag_option_id = o.id), '{}')
      AS external_ids,
    COALESCE((SELECT jsonb_agg(jsonb_build_object('kind', r.kind, 'toId', r.to_id, 'seasonId', r.season_id,
        'shirtNumber', r.shirt_number, 'position', r.position, 'from', r.valid_from, 'to', r.valid_to) ORDER BY r.id)
      FROM tag_relation r WHERE r.from_id = o.id), '[]') AS relations,
    (SELECT jsonb_build_object('competitionId', m.competition_id, 'seasonId', m.season_id, 'homeId', m.home_id,
        'awayId', m.away_id, 'stadiumId', m.stadium_id, 'round', m.round, 'kickOff', m.kick_off,
        'homeScore', m.home_score, 'awayScore', m.away_score, 'status', m.status)
      FROM match m WHERE m.tag_option_id = o.id) AS match
  FROM tag_option o`;

/** The tag options of these IDs that the organization has, in no particular order. */
export async function findTags(db: Queryable, scope: LibraryScope, ids: readonly number[]): Promise<TagOption[]> {
  if (ids.length === 0) return [];
  const found = await sql<TagRow>`
    ${SELECT_TAGS} WHERE o.organization_id = ${scope.organizationId} AND o.id = ANY(${[...ids]}::bigint[])`.execute(db);
  return found.rows.map(toTagOption);
}

export async function findTag(db: Queryable, scope: LibraryScope, id: number): Promise<TagOption | undefined> {
  return (await findTags(db, scope, [id]))[0];
}

/** Tag options in order of ID, after `afterId`; all types unless some are given. */
export async function listTags(
  db: Queryable,
  scope: LibraryScope,
  page: {
    readonly types: readonly TagType[] | undefined;
    /** Only those of these IDs. */
    readonly within?: readonly number[] | undefined;
    readonly afterId: number;
    readonly limit: number;
  },
): Promise<TagOption[]> {
  const typed = page.types === undefined ? sql`true` : sql`o.type = ANY(${[...page.types]}::text[])`;
  const chosen = page.within === undefined ? sql`true` : sql`o.id = ANY(${[...page.within]}::bigint[])`;
  const found = await sql<TagRow>`${SELECT_TAGS}
    WHERE o.organization_id = ${scope.organizationId} AND o.id > ${page.afterId} AND ${typed} AND ${chosen}
    ORDER BY o.id LIMIT ${page.limit}`.execute(db);
  return found.rows.map(toTagOption);
}

export type TagSummary = {
  readonly id: number;
  readonly type: TagType;
  readonly status: TagStatus;
  readonly mergedInto: number | null;
};

/** ID, type and status of tag options: what tagging and search check a request's IDs against. */
export async function findTagSummaries(
  db: Queryable,
  scope: LibraryScope,
  ids: readonly number[],
): Promise<Map<number, TagSummary>> {
  if (ids.length === 0) return new Map();
  const found = await sql<TagSummary>`
    SELECT id, type, status, merged_into AS "mergedInto" FROM tag_option
    WHERE organization_id = ${scope.organizationId} AND id = ANY(${[...ids]}::bigint[])`.execute(db);
  return new Map(found.rows.map((row) => [row.id, row]));
}

/** IDs by external ID; those that are unknown are missing from the map, whose keys are `source\0id`. */
export async function findTagIdsByExternalId(
  db: Queryable,
  scope: LibraryScope,
  references: readonly { readonly source: string; readonly id: string }[],
): Promise<Map<string, number>> {
  if (references.length === 0) return new Map();
  const found = await sql<{ source: string; external_id: string; tag_option_id: number }>`
    SELECT e.source, e.external_id, e.tag_option_id
    FROM tag_external_id e
    JOIN unnest(${references.map((r) => r.source)}::text[], ${references.map((r) => r.id)}::text[]) AS r (source, id)
      ON r.source = e.source AND r.id = e.external_id
    WHERE e.organization_id = ${scope.organizationId}`.execute(db);
  return new Map(
    found.rows.map((row) => [externalKey({ source: row.source, id: row.external_id }), row.tag_option_id]),
  );
}

export function externalKey(reference: Exclude<TagReference, number>): string {
  return `${reference.source}\0${reference.id}`;
}

/**
 * Active tag options by folded name (label, full name or alias): how a photograph's keywords find their tags. Action types
 * are left out: they name what happens at a time in a video.
 */
export async function findTagsByFoldedName(
  db: Queryable,
  scope: LibraryScope,
  request: { readonly names: readonly string[]; readonly types: readonly TagType[] },
): Promise<readonly { readonly id: number; readonly type: TagType; readonly foldedNames: readonly string[] }[]> {
  if (request.names.length === 0) return [];
  const found = await sql<{ id: number; type: TagType; foldedNames: string[] }>`
    SELECT id, type, folded_names AS "foldedNames" FROM tag_option
    WHERE organization_id = ${scope.organizationId} AND status = 'active' AND type = ANY(${[...request.types]}::text[])
      AND category IS DISTINCT FROM 'action type' AND folded_names && ${[...request.names]}::text[]
    ORDER BY id`.execute(db);
  return found.rows;
}

/** Records for the lookup index: everything of `ids`, or of the whole organization after `afterId` in ID order. */
export type LookupRow = {
  readonly id: number;
  readonly type: TagType;
  readonly category: string | null;
  readonly label: string;
  readonly fullName: string | null;
  readonly aliases: readonly string[];
  readonly mediaCount: number;
  readonly status: TagStatus;
  /** Of all times; dates are `YYYY-MM-DD`, both ends included, null = open. */
  readonly shirts: readonly {
    readonly number: number;
    readonly clubNames: readonly string[];
    readonly from: string | null;
    readonly to: string | null;
  }[];
};

const SELECT_LOOKUP = sql`
  SELECT o.id, o.type, o.category, o.label, o.full_name AS "fullName", o.aliases, o.media_count AS "mediaCount", o.status,
    COALESCE((SELECT jsonb_agg(jsonb_build_object('number', r.shirt_number,
        'clubNames', array_remove(ARRAY[c.label, c.full_name] || c.aliases, NULL), 'from', r.valid_from,
        'to', r.valid_to) ORDER BY r.id)
      FROM tag_relation r JOIN tag_option c ON c.id = r.to_id
      WHERE r.from_id = o.id AND r.kind = 'player_club' AND r.shirt_number IS NOT NULL), '[]') AS shirts
  FROM tag_option o`;

export async function readLookupRows(
  db: Queryable,
  scope: LibraryScope,
  request: { readonly ids: readonly number[] } | { readonly afterId: number; readonly limit: number },
): Promise<readonly LookupRow[]> {
  const found =
    'ids' in request
      ? await sql<LookupRow>`${SELECT_LOOKUP}
          WHERE o.organization_id = ${scope.organizationId} AND o.id = ANY(${[...request.ids]}::bigint[])`.execute(db)
      : await sql<LookupRow>`${SELECT_LOOKUP}
          WHERE o.organization_id = ${scope.organizationId} AND o.id > ${request.afterId}
          ORDER BY o.id LIMIT ${request.limit}`.execute(db);
  return found.rows;
}

/** Players of these clubs, past ones too: their lookup records name the club. */
export async function findPlayersOfClubs(
  db: Queryable,
  scope: LibraryScope,
  clubIds: readonly number[],
): Promise<readonly number[]> {
  if (clubIds.length === 0) return [];
  // One parameter: a sync may touch more options than a statement takes parameters.
  const found = await sql<{ id: number }>`
    SELECT DISTINCT from_id AS id FROM tag_relation
    WHERE organization_id = ${scope.organizationId} AND kind = 'player_club' AND to_id = ANY(${[...clubIds]}::bigint[])`.execute(
    db,
  );
  return found.rows.map((row) => row.id);
}
