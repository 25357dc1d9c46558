import type { AssetRow } from './search-library.ts';
import type { ActionModel, ModelPlace } from './action-model.ts';
import { detailTexts, holdsDetails } from './search-details.ts';
import { createTextModel } from './search-model-text.ts';

/** The search of API.md over a list in memory, written without a look at the engines: slow, and short enough to believe. */
export type ModelAsset = AssetRow & {
  readonly id: number;
  /** Its words were not computed yet. */
  readonly unread?: boolean;
};
export type ModelFilter = Readonly<Record<string, unknown>>;
export type Value = string | number | null;

const TAG_FIELDS = ['tag_options', 'player', 'club', 'stadium', 'competition', 'season', 'match', 'sponsor'];

/** `names`: label, full name and aliases; none for a tag option that was merged into another. */
export type ModelTag = { readonly id: number; readonly type: string; readonly names: readonly string[] };
export type ModelFacet = { readonly field: string; readonly interval?: string | undefined; readonly limit: number };
export type ModelBucket = { readonly key: number | string; readonly count: number };

/** A search over actions: what is asked of them, and of the assets they lie in. */
export type ModelActionQuery = {
  readonly filter: ModelFilter;
  readonly media: ModelFilter;
  readonly homeOnly: boolean;
};

export type Model = {
  /** IDs of places. */
  searchActions(query: ModelActionQuery, sort: string): readonly number[];
  /** Of the places that are found, how many have each value. */
  actionFacet(query: ModelActionQuery, facet: ModelFacet): readonly ModelBucket[];
  search(filter: ModelFilter, sort: string): readonly number[];
  /** Of the assets that a filter finds, how many have each value. */
  facet(filter: ModelFilter, facet: ModelFacet): readonly ModelBucket[];
};

const timeOf = (text: string | null | undefined): number | null => (text ? Date.parse(text) : null);

function scalarOf(asset: ModelAsset, field: string): Value {
  switch (field) {
    case 'media_type':
      return asset.mediaType ?? 'photo';
    case 'status':
      return asset.status ?? 'ready';
    case 'captured_at':
      return timeOf(asset.capturedAt);
    case 'created_at':
      return timeOf(asset.createdAt);
    case 'updated_at':
      return timeOf(asset.updatedAt);
    case 'duration_ms':
      return asset.durationMs ?? null;
    case 'people_count':
      return asset.peopleCount ?? 0;
    case 'usage':
      return asset.usage ?? 'approved';
    case 'width':
    case 'height':
    case 'orientation':
    case 'rating':
      return asset[field] ?? null;
    default:
      throw new RangeError(`expected a scalar field, received ${field}`);
  }
}

export function holdsScalar(value: Value, field: string, test: unknown): boolean {
  const read = (given: unknown): Value =>
    field.endsWith('_at') ? Date.parse(String(given)) : (given as string | number);
  if (Array.isArray(test)) return test.some((one) => value !== null && value === read(one));
  if (typeof test !== 'object' || test === null) return value !== null && value === read(test);
  return Object.entries(test).every(([operator, given]) => {
    if (operator === 'exists') return (value !== null) === given;
    if (operator === 'ne') return value !== read(given);
    if (value === null) return false;
    if (operator === 'eq') return value === read(given);
    if (operator === 'in') return (given as unknown[]).some((one) => value === read(one));
    const other = read(given) ?? Number.NaN;
    if (operator === 'gt') return value > other;
    if (operator === 'gte') return value >= other;
    if (operator === 'lt') return value < other;
    if (operator === 'lte') return value <= other;
    throw new RangeError(`expected an operator, received ${operator}`);
  });
}

function namesStatus(filter: ModelFilter): boolean {
  return Object.entries(filter).some(
    ([name, test]) =>
      name === 'status' || (Array.isArray(test) && ['all', 'any', 'none'].includes(name) && test.some(namesStatus)),
  );
}

/** True when some test of `status` asks for the bin: the value itself, in a list, or under `eq` or `in`. */
function asksForBin(filter: ModelFilter): boolean {
  return Object.entries(filter).some(([name, test]) => {
    if (['all', 'any', 'none'].includes(name) && Array.isArray(test)) return test.some(asksForBin);
    if (name !== 'status') return false;
    const asked = typeof test === 'object' && test !== null && !Array.isArray(test) ? test : { in: test };
    return ['eq', 'in'].some((one) => [(asked as Record<string, unknown>)[one]].flat().includes('deleted'));
  });
}

/** The texts that make an asset relevant: all but those that exclude. */
function relevantTexts(filter: ModelFilter): readonly string[] {
  return Object.entries(filter).flatMap(([name, test]): readonly string[] => {
    if (name === 'text') return [String(test)];
    // A group is a list of filters; the model is given nothing else.
    return name === 'all' || name === 'any' ? (test as ModelFilter[]).flatMap(relevantTexts) : [];
  });
}

/** Midnight in UTC on which the interval around a time began. */
function beginningOf(interval: string | undefined, time: number): string {
  const date = new Date(time);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  const sinceMonday = (date.getUTCDay() + 6) % 7;
  if (interval === 'year') return new Date(Date.UTC(year, 0, 1)).toISOString();
  if (interval === 'month') return new Date(Date.UTC(year, month, 1)).toISOString();
  return new Date(Date.UTC(year, month, interval === 'week' ? day - sinceMonday : day)).toISOString();
}

/** `only` forbids other tag options of the field's own type, `tag_options` other players. */
export function holdsTags(
  own: ReadonlySet<number>,
  asked: { readonly field: string; readonly test: unknown; readonly typeOf: ReadonlyMap<number, string> },
): boolean {
  const { field, test, typeOf } = asked;
  if (typeof test === 'number') return own.has(test);
  if (Array.isArray(test)) return test.every((id: number) => own.has(id));
  return Object.entries(test as Record<string, number[]>).every(([kind, ids]) => {
    if (kind === 'all') return ids.every((id) => own.has(id));
    const some = ids.some((id) => own.has(id));
    if (kind === 'any') return some;
    if (kind === 'none') return !some;
    const type = field === 'tag_options' ? 'player' : field;
    const others = [...own].filter((id) => field === 'collection' || typeOf.get(id) === type);
    return some && others.every((id) => ids.includes(id));
  });
}

/** What is asked of actions first: by the filter itself, else by those of `all`, else of `any`. */
function firstAction(filter: ModelFilter): ModelFilter | undefined {
  if (filter['action'] !== undefined) return filter['action'] as ModelFilter;
  const groups = ['all', 'any'].flatMap((kind) => (filter[kind] ?? []) as ModelFilter[]);
  return groups.map(firstAction).find((found) => found !== undefined);
}

type Ordered = { readonly id: number; readonly value: Value };

/** IDs by value, then by ID, in the direction of the sort; what has no value comes last. */
function ordered(list: readonly Ordered[], sort: string): readonly number[] {
  const sign = sort.startsWith('-') || sort === 'relevance' ? -1 : 1;
  const compare = (a: Value, b: Value): number => {
    if (a === b) return 0;
    if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(String(b)));
    return Number(a) - Number(b);
  };
  return list
    .toSorted((a, b) => {
      const [x, y] = [a.value, b.value];
      if (x === null || y === null) return Number(x === null) - Number(y === null) || sign * (a.id - b.id);
      return sign * (compare(x, y) || a.id - b.id);
    })
    .map(({ id }) => id);
}

/** The largest first, ties by ascending key; of times the newest, ascending. */
function bucketsOf(keys: readonly (number | string)[], facet: ModelFacet): readonly ModelBucket[] {
  const counts = new Map<number | string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  const buckets = [...counts].map(([key, count]) => ({ key, count }));
  const compare = (a: number | string, b: number | string): number =>
    typeof a === 'number' ? a - Number(b) : Buffer.compare(Buffer.from(a), Buffer.from(String(b)));
  const ascending = buckets.toSorted((a, b) => compare(a.key, b.key));
  if (facet.field.endsWith('_at')) return ascending.slice(-facet.limit);
  return ascending.toSorted((a, b) => b.count - a.count).slice(0, facet.limit);
}

export function createModel(assets: readonly ModelAsset[], tags: readonly ModelTag[], actions: ActionModel): Model {
  const typeOf = new Map(tags.map((tag) => [tag.id, tag.type]));
  const textModel = createTextModel(assets, tags);
  const holdsIds = (asset: ModelAsset, field: string, test: unknown): boolean =>
    holdsTags(new Set(field === 'collection' ? asset.collections : asset.tags), { field, test, typeOf });
  const holds = (asset: ModelAsset, filter: ModelFilter): boolean =>
    Object.entries(filter).every(([field, test]) => {
      if (field === 'all') return (test as ModelFilter[]).every((child) => holds(asset, child));
      if (field === 'any') return (test as ModelFilter[]).some((child) => holds(asset, child));
      if (field === 'none') return !(test as ModelFilter[]).some((child) => holds(asset, child));
      if (field === 'details') return holdsDetails(asset.details, test as Record<string, unknown>);
      if (field === 'name') return (asset.name ?? '').toLowerCase().includes(String(test).toLowerCase());
      if (field === 'text') return textModel.holds(asset, String(test));
      if (field === 'action') return actions.inAsset(asset.id, test as ModelFilter).length > 0;
      if (field === 'collection' || TAG_FIELDS.includes(field)) return holdsIds(asset, field, test);
      return holdsScalar(scalarOf(asset, field), field, test);
    });
  const find = (filter: ModelFilter): readonly ModelAsset[] => {
    const tested = asksForBin(filter) ? undefined : ['uploading', 'processing', 'ready', 'failed', 'archived'];
    const visible = namesStatus(filter) ? tested : ['processing', 'ready'];
    return assets.filter((asset) => (visible?.includes(asset.status ?? 'ready') ?? true) && holds(asset, filter));
  };
  const valuesOf = (
    asset: ModelAsset,
    { field, interval }: ModelFacet,
    filter: ModelFilter,
  ): readonly (number | string)[] => {
    if (field === 'collection') return asset.collections ?? [];
    if (field === 'tag_options') return asset.tags ?? [];
    if (field.startsWith('action.')) {
      const found = actions.inAsset(asset.id, firstAction(filter) ?? {});
      return [...new Set(found.flatMap((place) => actions.keysOf(place, field.replace('action.', ''))))];
    }
    if (field === 'tag' || TAG_FIELDS.includes(field))
      return (asset.tags ?? []).filter((id) => typeOf.get(id) === field);
    if (field.startsWith('details.')) return detailTexts(asset.details, field.replace('details.', ''));
    const value = scalarOf(asset, field);
    if (value === null) return [];
    return [field.endsWith('_at') ? beginningOf(interval, Number(value)) : value];
  };
  const findPlaces = ({ filter, media, homeOnly }: ModelActionQuery): readonly ModelPlace[] => {
    const inMedia = new Set(find(media).map(({ id }) => id));
    return actions.find(filter).filter((place) => inMedia.has(place.mediaId) && (place.home || !homeOnly));
  };
  return {
    search(filter, sort) {
      const field = sort.replace('-', '');
      const texts = relevantTexts(filter);
      const value = (asset: ModelAsset): Value => {
        if (field === 'relevance') return textModel.score(asset, texts);
        if (field !== 'action.start_ms') return field === 'name' ? (asset.name ?? null) : scalarOf(asset, field);
        const first = firstAction(filter);
        const starts = first ? actions.inAsset(asset.id, first).map(({ startMs }) => startMs) : [];
        return starts.length === 0 ? null : Math.min(...starts);
      };
      return ordered(
        find(filter).map((asset) => ({ id: asset.id, value: value(asset) })),
        sort,
      );
    },
    facet: (filter, facet) =>
      bucketsOf(
        find(filter).flatMap((asset) => valuesOf(asset, facet, filter)),
        facet,
      ),
    searchActions(query, sort) {
      const field = sort.replace('-', '');
      const value = (place: ModelPlace): Value =>
        field === 'relevance' ? actions.score(place, query.filter) : actions.valueOf(place, field);
      return ordered(
        findPlaces(query).map((place) => ({ id: place.id, value: value(place) })),
        sort.replace('-relevance', 'relevance'),
      );
    },
    actionFacet: (query, facet) =>
      bucketsOf(
        findPlaces(query).flatMap((place) => actions.keysOf(place, facet.field)),
        facet,
      ),
  };
}
