import type { AssetRow } from './search-library.ts';

/** The search of API.md over a list in memory, written without a look at the engines: slow, and short enough to believe. */
export type ModelAsset = AssetRow & { readonly id: number };
export type ModelFilter = Readonly<Record<string, unknown>>;
type Value = string | number | null;

const TAG_FIELDS = ['tag_options', 'player', 'club', 'stadium', 'competition', 'season', 'match', 'sponsor'];

export type Model = {
  search(filter: ModelFilter, sort: string): readonly number[];
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

function holdsScalar(value: Value, field: string, test: unknown): boolean {
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

/** `typeOf` tells the type of a tag option: `only` forbids others of the field's own type, `tag_options` other players. */
export function createModel(assets: readonly ModelAsset[], typeOf: ReadonlyMap<number, string>): Model {
  const holdsIds = (asset: ModelAsset, field: string, test: unknown): boolean => {
    const own = new Set(field === 'collection' ? asset.collections : asset.tags);
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
  };
  const holds = (asset: ModelAsset, filter: ModelFilter): boolean =>
    Object.entries(filter).every(([field, test]) => {
      if (field === 'all') return (test as ModelFilter[]).every((child) => holds(asset, child));
      if (field === 'any') return (test as ModelFilter[]).some((child) => holds(asset, child));
      if (field === 'none') return !(test as ModelFilter[]).some((child) => holds(asset, child));
      if (field === 'name') return (asset.name ?? '').toLowerCase().includes(String(test).toLowerCase());
      if (field === 'collection' || TAG_FIELDS.includes(field)) return holdsIds(asset, field, test);
      return holdsScalar(scalarOf(asset, field), field, test);
    });
  return {
    search(filter, sort) {
      const tested = asksForBin(filter) ? undefined : ['uploading', 'processing', 'ready', 'failed', 'archived'];
      const visible = namesStatus(filter) ? tested : ['processing', 'ready'];
      const found = assets.filter(
        (asset) => (visible?.includes(asset.status ?? 'ready') ?? true) && holds(asset, filter),
      );
      const field = sort.replace('-', '');
      const sign = sort.startsWith('-') ? -1 : 1;
      const value = (asset: ModelAsset) => (field === 'name' ? (asset.name ?? null) : scalarOf(asset, field));
      const compare = (a: Value, b: Value): number => {
        if (a === b) return 0;
        if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(String(b)));
        return Number(a) - Number(b);
      };
      return found
        .toSorted((a, b) => {
          const [x, y] = [value(a), value(b)];
          if (x === null || y === null) return Number(x === null) - Number(y === null) || sign * (a.id - b.id);
          return sign * (compare(x, y) || a.id - b.id);
        })
        .map((asset) => asset.id);
    },
  };
}
