import { Deferred, failed, or, ownerOf, type TagDraft } from './tag-draft.ts';
import {
  MATCH_REFERENCES,
  RELATION_LISTS,
  type RelationList,
  type TagInput,
  type TagRelationInput,
} from './tag-input.ts';
import { NO_MATCH, relationKey, sameMatch, sameRelations, type TagState } from './tag-state.ts';
import { externalKey } from './tag-store.ts';
import { type MatchFacts, RELATION_KINDS, type TagReference, type TagRelation, type TagType } from './tag-types.ts';

/** The ID that a reference means, which must be of the type that its place asks for. */
function resolve(
  draft: TagDraft,
  reference: TagReference,
  expected: { readonly type: TagType; readonly pointer: string },
): number {
  const { snapshot, states, options } = draft;
  let id: number | undefined;
  if (typeof reference === 'number') id = snapshot.summaries.get(reference)?.mergedInto ?? reference;
  else {
    const key = externalKey(reference);
    id = ownerOf(draft, key)?.leadsTo;
    if (id === undefined && options.comesLater(key)) throw new Deferred();
  }
  const type = id === undefined ? undefined : (states.get(id)?.values.type ?? snapshot.summaries.get(id)?.type);
  if (id === undefined || type !== expected.type) {
    const given = typeof reference === 'number' ? String(reference) : `${reference.source}:${reference.id}`;
    const why = type === undefined ? 'which is unknown' : `a tag option of type ${type}`;
    const detail = `expected a tag option of type ${expected.type}, received ${given}, ${why}`;
    throw failed([{ pointer: expected.pointer, code: 'unknown_tag_option', detail }]);
  }
  return id;
}

function readRelation(draft: TagDraft, one: TagRelationInput, kind: TagRelation['kind']): TagRelation {
  if (one.from !== null && one.to !== null && one.from > one.to) {
    const detail = `expected a date from ${one.from} on (both ends are included), received ${one.to}`;
    throw failed([{ pointer: `${one.pointer}/to`, code: 'invalid', detail }]);
  }
  return {
    kind,
    toId: resolve(draft, one.target, { type: RELATION_KINDS[kind].to, pointer: one.pointer }),
    seasonId: one.season === null ? null : resolve(draft, one.season, { type: 'season', pointer: one.pointer }),
    shirtNumber: one.shirtNumber,
    position: one.position,
    from: one.from,
    to: one.to,
  };
}

/** A club must not be above itself, over whatever number of parents. */
function checkParent({ states, snapshot }: TagDraft, state: TagState, relation: TagRelation | undefined): void {
  const parentOf = (id: number): number | undefined =>
    states.has(id)
      ? states.get(id)?.relations.find((one) => one.kind === 'club_parent')?.toId
      : snapshot.parents.get(id);
  for (let id = relation?.toId; id !== undefined; id = parentOf(id)) {
    if (id !== state.id) continue;
    const detail = 'expected another club, received one that is this club or below it';
    throw failed([{ pointer: '/relations/parent', code: 'invalid', detail }]);
  }
}

function relationsAfter(
  draft: TagDraft,
  state: TagState,
  given: NonNullable<TagInput['relations']>,
): readonly TagRelation[] {
  const { type } = state.values;
  let { relations } = state;
  for (const [list, items] of Object.entries(given)) {
    // The members of TagInput.relations are the names of lists.
    const kind = RELATION_LISTS[list as RelationList][type];
    if (kind === undefined) {
      const detail = `expected relations of a ${type}, which has no ${list}`;
      throw failed([{ pointer: `/relations/${list}`, code: 'invalid', detail }]);
    }
    const read = items.map((one) => readRelation(draft, one, kind));
    // The same relation twice is one.
    const distinct = [...new Map(read.map((one) => [relationKey(one), one])).values()];
    if (kind === 'club_parent') checkParent(draft, state, distinct[0]);
    relations = [...relations.filter((one) => one.kind !== kind), ...distinct];
  }
  return relations;
}

function matchAfter(draft: TagDraft, state: TagState, given: NonNullable<TagInput['match']>): MatchFacts {
  const { type } = state.values;
  if (type !== 'match') {
    const detail = `expected relations of a ${type}, received those of a match`;
    throw failed([{ pointer: '/relations', code: 'invalid', detail }]);
  }
  const before = state.match ?? NO_MATCH;
  const pick = (field: keyof typeof MATCH_REFERENCES, present: number | null): number | null => {
    const reference = given[field];
    if (reference === undefined || reference === null) return reference === null ? null : present;
    return resolve(draft, reference, { type: MATCH_REFERENCES[field], pointer: `/relations/${field}` });
  };
  const after: MatchFacts = {
    competitionId: pick('competition', before.competitionId),
    seasonId: pick('season', before.seasonId),
    homeId: pick('home', before.homeId),
    awayId: pick('away', before.awayId),
    stadiumId: pick('stadium', before.stadiumId),
    round: or(given.round, before.round),
    kickOff: or(given.kickOff, before.kickOff),
    homeScore: or(given.homeScore, before.homeScore),
    awayScore: or(given.awayScore, before.awayScore),
    status: or(given.status, before.status),
  };
  if (after.homeId !== null && after.homeId === after.awayId) {
    const detail = 'expected two clubs, received the same one as home and away';
    throw failed([{ pointer: '/relations/away', code: 'invalid', detail }]);
  }
  return after;
}

/** Takes an item's relations and match facts; answers whether they changed anything. */
export function takeRelations(draft: TagDraft, state: TagState, input: TagInput): boolean {
  const relations = input.relations ? relationsAfter(draft, state, input.relations) : state.relations;
  const match = input.match ? matchAfter(draft, state, input.match) : state.match;
  const changed = !sameRelations(relations, state.relations) || !sameMatch(match, state.match);
  Object.assign(state, { relations, match });
  return changed;
}
