import { sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import type { Queryable } from '../db/index.ts';
import type { LibraryWrite } from './changes-store.ts';
import { impliesSame, sameExternalIds, sameMatch, sameRelations, sameValues, type TagState } from './tag-state.ts';
import { tagColumns } from './tag-store.ts';
import type { TagRelation } from './tag-types.ts';

/** JSON as one parameter: a statement takes as many rows as there are, whatever their lists hold. */
const rowsOf = (rows: readonly object[]) => sql`${JSON.stringify(rows)}::jsonb`;

/** Parent by club, of the whole organization: they are few. */
export async function readClubParents({
  tx,
  scope,
}: {
  readonly tx: Queryable;
  readonly scope: LibraryScope;
}): Promise<ReadonlyMap<number, number>> {
  const rows = await tx
    .selectFrom('tag_relation')
    .select(['from_id', 'to_id'])
    .where('organization_id', '=', scope.organizationId)
    .where('kind', '=', 'club_parent')
    .execute();
  return new Map(rows.map((row) => [row.from_id, row.to_id]));
}

async function newIds({ tx }: LibraryWrite, count: number): Promise<readonly number[]> {
  const found = await sql<{ id: number }>`
    SELECT nextval(pg_get_serial_sequence('tag_option', 'id')) AS id FROM generate_series(1, ${count})`.execute(tx);
  return found.rows.map((row) => row.id);
}

async function insertOptions({ tx, scope }: LibraryWrite, states: readonly TagState[]): Promise<void> {
  if (states.length === 0) return;
  const rows = states.map(({ id, values }) => ({ id, type: values.type, ...tagColumns(values) }));
  await sql`
    INSERT INTO tag_option (id, organization_id, type, category, label, full_name, aliases, folded_names, image_url, status)
      OVERRIDING SYSTEM VALUE
    SELECT id, ${scope.organizationId}, type, category, label, full_name, aliases, folded_names, image_url, status
    FROM jsonb_to_recordset(${rowsOf(rows)}) AS r (id bigint, type text, category text, label text, full_name text,
      aliases text[], folded_names text[], image_url text, status text)`.execute(tx);
}

/** Values and version of options of which anything changed, also if only their external IDs or relations did. */
async function updateOptions({ tx, scope }: LibraryWrite, states: readonly TagState[]): Promise<void> {
  if (states.length === 0) return;
  const rows = states.map(({ id, values }) => ({ id, ...tagColumns(values) }));
  await sql`
    UPDATE tag_option o SET category = r.category, label = r.label, full_name = r.full_name, aliases = r.aliases,
      folded_names = r.folded_names, image_url = r.image_url, status = r.status, version = o.version + 1, updated_at = now()
    FROM jsonb_to_recordset(${rowsOf(rows)}) AS r (id bigint, category text, label text, full_name text, aliases text[],
      folded_names text[], image_url text, status text)
    WHERE o.id = r.id AND o.organization_id = ${scope.organizationId}`.execute(tx);
}

/** All that are taken away before any is given: an external ID may go from one option to another. */
async function writeExternalIds({ tx, scope }: LibraryWrite, states: readonly TagState[]): Promise<void> {
  const changed = states.filter(({ before, externalIds }) => !sameExternalIds(before?.externalIds ?? {}, externalIds));
  const removed = changed.flatMap(({ id, before, externalIds }) =>
    Object.entries(before?.externalIds ?? {})
      .filter(([source, externalId]) => externalIds[source] !== externalId)
      .map(([source]) => ({ id, source })),
  );
  if (removed.length > 0) {
    await sql`DELETE FROM tag_external_id e
      USING jsonb_to_recordset(${rowsOf(removed)}) AS r (id bigint, source text)
      WHERE e.tag_option_id = r.id AND e.source = r.source`.execute(tx);
  }
  const added = changed.flatMap(({ id, before, externalIds }) =>
    Object.entries(externalIds)
      .filter(([source, externalId]) => before?.externalIds[source] !== externalId)
      .map(([source, external_id]) => ({ id, source, external_id })),
  );
  if (added.length > 0) {
    await sql`INSERT INTO tag_external_id (organization_id, source, external_id, tag_option_id)
      SELECT ${scope.organizationId}, source, external_id, id
      FROM jsonb_to_recordset(${rowsOf(added)}) AS r (id bigint, source text, external_id text)`.execute(tx);
  }
}

type KindOfState = {
  readonly id: number;
  readonly kind: TagRelation['kind'];
  readonly relations: readonly TagRelation[];
};

function changedKinds(states: readonly TagState[]): readonly KindOfState[] {
  return states.flatMap(({ id, before, relations }) => {
    const earlier = before?.relations ?? [];
    if (sameRelations(earlier, relations)) return [];
    const kinds = new Set([...earlier, ...relations].map((one) => one.kind));
    return [...kinds].flatMap((kind) => {
      const of = (list: readonly TagRelation[]) => list.filter((one) => one.kind === kind);
      return sameRelations(of(earlier), of(relations)) ? [] : [{ id, kind, relations: of(relations) }];
    });
  });
}

async function writeRelations({ tx, scope }: LibraryWrite, changed: readonly KindOfState[]): Promise<void> {
  if (changed.length === 0) return;
  const kinds = changed.map(({ id, kind }) => ({ id, kind }));
  await sql`DELETE FROM tag_relation t USING jsonb_to_recordset(${rowsOf(kinds)}) AS r (id bigint, kind text)
    WHERE t.from_id = r.id AND t.kind = r.kind`.execute(tx);
  const rows = changed.flatMap(({ id, relations }) => relations.map((relation) => ({ id, ...relation })));
  if (rows.length === 0) return;
  await sql`INSERT INTO tag_relation (organization_id, kind, from_id, to_id, season_id, shirt_number, position, valid_from, valid_to)
    SELECT ${scope.organizationId}, r.kind, r.id, r."toId", r."seasonId", r."shirtNumber", r.position, r."from", r."to"
    FROM jsonb_array_elements(${rowsOf(rows)}) WITH ORDINALITY AS e (value, n),
      jsonb_to_record(e.value) AS r (id bigint, kind text, "toId" bigint, "seasonId" bigint, "shirtNumber" integer, position text,
        "from" date, "to" date)
    ORDER BY e.n`.execute(tx);
}

async function writeMatches({ tx }: LibraryWrite, states: readonly TagState[]): Promise<void> {
  if (states.length === 0) return;
  const rows = states.map(({ id, match }) => ({ id, ...match }));
  await sql`INSERT INTO match (tag_option_id, competition_id, season_id, home_id, away_id, stadium_id, round, kick_off,
      home_score, away_score, status)
    SELECT id, "competitionId", "seasonId", "homeId", "awayId", "stadiumId", round, "kickOff", "homeScore", "awayScore", status
    FROM jsonb_to_recordset(${rowsOf(rows)}) AS r (id bigint, "competitionId" bigint, "seasonId" bigint, "homeId" bigint,
      "awayId" bigint, "stadiumId" bigint, round text, "kickOff" timestamptz, "homeScore" integer, "awayScore" integer, status text)
    ON CONFLICT (tag_option_id) DO UPDATE SET competition_id = excluded.competition_id, season_id = excluded.season_id,
      home_id = excluded.home_id, away_id = excluded.away_id, stadium_id = excluded.stadium_id, round = excluded.round,
      kick_off = excluded.kick_off, home_score = excluded.home_score, away_score = excluded.away_score,
      status = excluded.status`.execute(tx);
}

/** Gives new options their IDs, wherever one of the others refers to them. */
function giveIds(states: readonly TagState[], ids: ReadonlyMap<number, number>): void {
  if (ids.size === 0) return;
  const real = (id: number): number => ids.get(id) ?? id;
  const maybe = (id: number | null): number | null => (id === null ? null : real(id));
  for (const state of states) {
    state.id = real(state.id);
    const refersToNew = state.relations.some((one) => one.toId < 0 || (one.seasonId ?? 0) < 0);
    if (refersToNew) {
      state.relations = state.relations.map((one) => ({
        ...one,
        toId: real(one.toId),
        seasonId: maybe(one.seasonId),
      }));
    }
    const { match } = state;
    if (!match) continue;
    state.match = {
      ...match,
      competitionId: maybe(match.competitionId),
      seasonId: maybe(match.seasonId),
      homeId: maybe(match.homeId),
      awayId: maybe(match.awayId),
      stadiumId: maybe(match.stadiumId),
    };
  }
}

export type WrittenTags = {
  /** Matches that were there before and imply something else now. */
  readonly matchIds: readonly number[];
  /** Clubs whose stadiums changed. */
  readonly movedClubIds: readonly number[];
};

/** Writes what differs from the state before, in a few statements whatever number of options; gives new ones their IDs. */
export async function writeTagStates(write: LibraryWrite, states: readonly TagState[]): Promise<WrittenTags> {
  const isNew = states.filter((state) => state.before === undefined);
  const ids = isNew.length === 0 ? [] : await newIds(write, isNew.length);
  giveIds(states, new Map(isNew.map((state, at) => [state.id, ids[at] ?? 0])));
  const relations = changedKinds(states);
  const withRelations = new Set(relations.map((one) => one.id));
  const matches = states.filter((state) => state.match && !sameMatch(state.match, state.before?.match ?? null));
  const withMatch = new Set(matches.map((state) => state.id));
  const changed = states.filter(
    ({ id, before, values, externalIds }) =>
      before &&
      (!sameValues(before, values) ||
        !sameExternalIds(before.externalIds, externalIds) ||
        withRelations.has(id) ||
        withMatch.has(id)),
  );
  await insertOptions(write, isNew);
  await updateOptions(write, changed);
  await writeExternalIds(write, [...isNew, ...changed]);
  await writeRelations(write, relations);
  await writeMatches(write, matches);
  for (const { id } of isNew) write.record({ type: 'tag_option.created', objectId: id });
  for (const { id } of changed) write.record({ type: 'tag_option.updated', objectId: id });
  return {
    matchIds: matches.flatMap(({ id, before, match }) => (before && !impliesSame(before.match, match) ? [id] : [])),
    movedClubIds: relations.flatMap(({ id, kind }) => (kind === 'club_stadium' ? [id] : [])),
  };
}
