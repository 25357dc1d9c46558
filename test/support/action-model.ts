import { type ActionRow, type InsertedAction, tagsOfAction } from './action-library.ts';
import { holdsScalar, holdsTags, type ModelFilter, type ModelTag, type Value } from './search-model.ts';
import { createTextModel } from './search-model-text.ts';

/** The actions of API.md over a list in memory, written without a look at the engines. */

/** An action in one video. */
export type ModelPlace = {
  readonly id: number;
  readonly mediaId: number;
  readonly home: boolean;
  readonly startMs: number;
  readonly angle: string | null;
  readonly tags: readonly number[];
  readonly name: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly action: ActionRow;
};

export type ActionModel = {
  /** Places in the asset whose action may be seen and meets the filter. */
  inAsset(mediaId: number, filter: ModelFilter): readonly ModelPlace[];
  find(filter: ModelFilter): readonly ModelPlace[];
  score(place: ModelPlace, filter: ModelFilter): number;
  valueOf(place: ModelPlace, field: string): Value;
  keysOf(place: ModelPlace, field: string): readonly (number | string)[];
};

export function placesOf(
  rows: readonly ActionRow[],
  inserted: readonly InsertedAction[],
  angles: ReadonlyMap<number, string>,
): readonly ModelPlace[] {
  return rows.flatMap((action, at) =>
    action.places.map((place, n) => ({
      id: inserted[at]?.placeIds[n] ?? 0,
      mediaId: place.mediaId,
      home: place.mediaId === action.mediaId,
      startMs: place.startMs,
      angle: angles.get(place.mediaId) ?? null,
      tags: tagsOfAction(action),
      name: action.label ?? '',
      details: action.details ?? {},
      action,
    })),
  );
}

const TAG_FIELDS = ['tag_options', 'player', 'club', 'stadium', 'competition', 'season', 'match', 'sponsor'];
const timeOf = (text: string | null | undefined): number | null => (text ? Date.parse(text) : null);

function valueOf({ action, startMs, angle }: ModelPlace, field: string): Value {
  switch (field) {
    case 'status':
      return action.status ?? 'confirmed';
    case 'outcome':
    case 'period':
    case 'minute':
    case 'stoppage':
    case 'confidence':
      return action[field] ?? null;
    case 'source':
      return action.source ?? 'manual';
    case 'angle':
      return angle;
    case 'start_ms':
      return startMs;
    case 'clock_ms':
      return action.clockMs ?? null;
    case 'wallclock_at':
      return timeOf(action.wallclockAt);
    case 'created_at':
      return timeOf(action.createdAt);
    case 'updated_at':
      return timeOf(action.updatedAt);
    default:
      throw new RangeError(`expected a field of an action, received ${field}`);
  }
}

const rolesOf = ({ action }: ModelPlace): readonly string[] =>
  (action.players ?? []).flatMap(({ role }) => (role === null ? [] : [role]));

/** A role of any player. */
function holdsRole(place: ModelPlace, test: unknown): boolean {
  const roles = rolesOf(place);
  if (Array.isArray(test)) return test.some((role: string) => roles.includes(role));
  if (typeof test === 'string') return roles.includes(test);
  return Object.entries(test as object).every(([operator, given]) => {
    if (operator === 'exists') return roles.length > 0 === given;
    if (operator === 'ne') return !roles.includes(String(given));
    return [given].flat().some((role) => roles.includes(String(role)));
  });
}

/** The roles that a test beside a player leaves. */
function rolesAsked(test: unknown): readonly string[] {
  if (typeof test === 'string') return [test];
  if (Array.isArray(test)) return test;
  const { eq, in: many } = test as { eq?: string; in?: string[] };
  if (many === undefined) return eq === undefined ? [] : [eq];
  return many.filter((role) => eq === undefined || role === eq);
}

function namesStatus(filter: ModelFilter): boolean {
  return Object.entries(filter).some(
    ([name, test]) =>
      name === 'status' || (['all', 'any', 'none'].includes(name) && (test as ModelFilter[]).some(namesStatus)),
  );
}

function relevantTexts(filter: ModelFilter): readonly string[] {
  // As the contract reads a filter: its own text before those of its groups.
  const own = [filter['text']].filter((one) => typeof one === 'string');
  const groups = ['all', 'any'].flatMap((kind) => (filter[kind] ?? []) as ModelFilter[]);
  return [...own, ...groups.flatMap(relevantTexts)];
}

/** `keys`: what keys of types stand for. */
export function createActionModel(
  places: readonly ModelPlace[],
  tags: readonly ModelTag[],
  keys: ReadonlyMap<string, readonly number[]>,
): ActionModel {
  const typeOf = new Map(tags.map((tag) => [tag.id, tag.type]));
  const textModel = createTextModel(places, tags);

  const holdsType = ({ action }: ModelPlace, test: unknown): boolean => {
    const meant = (types: unknown) =>
      [types].flat().some((type) => type === action.typeId || (keys.get(String(type)) ?? []).includes(action.typeId));
    if (typeof test !== 'object' || test === null || Array.isArray(test)) return meant(test);
    return Object.entries(test).every(([kind, types]) => meant(types) === (kind === 'any'));
  };
  const holdsPlayer = (place: ModelPlace, filter: ModelFilter): boolean => {
    const test = filter['player'];
    const { role } = filter;
    if (role === undefined || (Array.isArray(test) && test.length === 0)) {
      return holdsTags(new Set(place.tags), { field: 'player', test, typeOf });
    }
    const asked = rolesAsked(role);
    const inRole = (place.action.players ?? []).filter((player) => player.role !== null && asked.includes(player.role));
    return holdsTags(new Set(inRole.map(({ id }) => id)), { field: 'player', test, typeOf });
  };
  const holds = (place: ModelPlace, filter: ModelFilter): boolean =>
    Object.entries(filter).every(([field, test]) => {
      if (field === 'all') return (test as ModelFilter[]).every((child) => holds(place, child));
      if (field === 'any') return (test as ModelFilter[]).some((child) => holds(place, child));
      if (field === 'none') return !(test as ModelFilter[]).some((child) => holds(place, child));
      if (field === 'type') return holdsType(place, test);
      if (field === 'player') return holdsPlayer(place, filter);
      if (field === 'role') {
        const { player } = filter;
        const beside = player !== undefined && !(Array.isArray(player) && player.length === 0);
        return beside || holdsRole(place, test);
      }
      if (field === 'media_id') return [test].flat().includes(place.mediaId);
      if (field === 'text') return textModel.holds(place, String(test));
      if (TAG_FIELDS.includes(field)) return holdsTags(new Set(place.tags), { field, test, typeOf });
      return holdsScalar(valueOf(place, field), field, test);
    });
  const find = (filter: ModelFilter, among: readonly ModelPlace[]): readonly ModelPlace[] => {
    const all = namesStatus(filter);
    return among.filter((place) => (all || place.action.status !== 'retracted') && holds(place, filter));
  };
  return {
    inAsset: (mediaId, filter) =>
      find(
        filter,
        places.filter((place) => place.mediaId === mediaId),
      ),
    find: (filter) => find(filter, places),
    score: (place, filter) => textModel.score(place, relevantTexts(filter)),
    valueOf,
    keysOf(place, field) {
      if (field === 'type') return [place.action.typeId];
      if (field === 'role') return [...new Set(rolesOf(place))];
      if (field === 'tag_options') return place.tags;
      if (field === 'tag' || TAG_FIELDS.includes(field)) return place.tags.filter((id) => typeOf.get(id) === field);
      const value = valueOf(place, field);
      return value === null ? [] : [value];
    },
  };
}
