import type { Schemas } from '../api/client.ts';
import { TAG_TYPES } from '../api/tags.ts';

/**
 * What the library shows: a search as people put it together. It lives in the address, one readable text for each part
 * (`?player=12,not:18&type=photo&text=trophy`), and becomes the filter of `POST /v1/media/search`.
 */
export const CHIP_TYPES = [...TAG_TYPES, 'collection'] as const;
export type ChipType = (typeof CHIP_TYPES)[number];

/** all: on the asset; any: one of these of its type; none: not on it; only: and no other of its type. */
export const CHIP_MODES = ['all', 'any', 'none', 'only'] as const;
export type ChipMode = (typeof CHIP_MODES)[number];
export type Chip = { readonly type: ChipType; readonly id: number; readonly mode: ChipMode };

export const VALUE_FIELDS = ['media_type', 'orientation', 'usage', 'status', 'rating', 'people_count'] as const;
export type ValueField = (typeof VALUE_FIELDS)[number];

export const SORTS = [
  '-created_at',
  'created_at',
  '-captured_at',
  'captured_at',
  'name',
  '-rating',
  '-updated_at',
  'relevance',
] as const;
export type Sort = (typeof SORTS)[number];
export const DEFAULT_SORT: Sort = '-created_at';

export type Filter = Schemas['Filter'];
export type LibraryQuery = {
  readonly chips: readonly Chip[];
  readonly text: string;
  readonly values: Readonly<Partial<Record<ValueField, readonly (string | number)[]>>>;
  /** Dates (`2026-03-14`); `before` is the first day that is out. */
  readonly from: string | undefined;
  readonly before: string | undefined;
  readonly sort: Sort;
  /** A filter that was made elsewhere and has parts that are no chips: it holds as well. */
  readonly also: Filter | undefined;
};

export const EMPTY_QUERY: LibraryQuery = {
  chips: [],
  text: '',
  values: {},
  from: undefined,
  before: undefined,
  sort: DEFAULT_SORT,
  also: undefined,
};

const NUMBERS: readonly ValueField[] = ['rating', 'people_count'];
/** Names of the address; shorter than those of the API where that reads well. */
const NAMES: Readonly<Record<ValueField, string>> = {
  media_type: 'type',
  orientation: 'orientation',
  usage: 'usage',
  status: 'status',
  rating: 'rating',
  people_count: 'people',
};
const MODE_OF_PREFIX: Readonly<Record<string, ChipMode>> = { any: 'any', not: 'none', only: 'only' };
const PREFIX_OF_MODE: Readonly<Record<ChipMode, string>> = { all: '', any: 'any:', none: 'not:', only: 'only:' };
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const VALUE = /^[a-z_]+$/;

type Search = Readonly<Record<string, string>>;

const listOf = (text: string | undefined): string[] => (text ?? '').split(',').filter((one) => one !== '');
const isSort = (text: string | undefined): text is Sort => SORTS.some((one) => one === text);

/** "only" asks that no other of the type is there; for free tags and collections the API has no such test. */
export const modesOf = (type: ChipType): readonly ChipMode[] =>
  type === 'tag' || type === 'collection' ? CHIP_MODES.filter((mode) => mode !== 'only') : CHIP_MODES;

function readChip(type: ChipType, text: string): Chip | undefined {
  const found = /^(?:([a-z]+):)?([1-9]\d{0,15})$/.exec(text);
  const mode = found?.[1] === undefined ? 'all' : MODE_OF_PREFIX[found[1]];
  if (!found || mode === undefined || !modesOf(type).includes(mode)) return undefined;
  return { type, id: Number(found[2]), mode };
}

function readAlso(text: string | undefined): Filter | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    // The service checks it, and says what is wrong with it.
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The query of an address. What is not understood is left out: a link that was cut off still shows something. */
export function readQuery(search: Search): LibraryQuery {
  const values: Partial<Record<ValueField, readonly (string | number)[]>> = {};
  for (const field of VALUE_FIELDS) {
    const texts = listOf(search[NAMES[field]]);
    const given = NUMBERS.includes(field)
      ? texts.filter((one) => /^\d{1,4}$/.test(one)).map(Number)
      : texts.filter((one) => VALUE.test(one));
    if (given.length > 0) values[field] = given;
  }
  const date = (text: string | undefined) => (text !== undefined && DATE.test(text) ? text : undefined);
  return {
    chips: CHIP_TYPES.flatMap((type) => listOf(search[type]).flatMap((text) => readChip(type, text) ?? [])),
    text: search['text'] ?? '',
    values,
    from: date(search['from']),
    before: date(search['before']),
    sort: isSort(search['sort']) ? search['sort'] : DEFAULT_SORT,
    also: readAlso(search['also']),
  };
}

/** The texts of the address, in a fixed order: the same query is the same link. */
export function writeQuery(query: LibraryQuery): Search {
  const search: Record<string, string> = {};
  for (const type of CHIP_TYPES) {
    const chips = query.chips.filter((chip) => chip.type === type);
    if (chips.length > 0) search[type] = chips.map(({ id, mode }) => `${PREFIX_OF_MODE[mode]}${id}`).join(',');
  }
  if (query.text !== '') search['text'] = query.text;
  for (const field of VALUE_FIELDS) {
    const given = query.values[field];
    if (given && given.length > 0) search[NAMES[field]] = given.join(',');
  }
  if (query.from !== undefined) search['from'] = query.from;
  if (query.before !== undefined) search['before'] = query.before;
  if (query.sort !== DEFAULT_SORT) search['sort'] = query.sort;
  if (query.also) search['also'] = JSON.stringify(query.also);
  return search;
}

/** The filter of the API that finds what the query means. */
export function filterOf(query: LibraryQuery): Filter {
  const filter: Record<string, unknown> = {};
  for (const type of CHIP_TYPES) {
    const chips = query.chips.filter((chip) => chip.type === type);
    if (chips.length === 0) continue;
    const modes = CHIP_MODES.filter((mode) => chips.some((chip) => chip.mode === mode));
    const idsOf = (mode: ChipMode) => chips.filter((chip) => chip.mode === mode).map(({ id }) => id);
    filter[type === 'tag' ? 'tag_options' : type] =
      modes.length === 1 && modes[0] === 'all'
        ? idsOf('all')
        : Object.fromEntries(modes.map((mode) => [mode, idsOf(mode)]));
  }
  if (query.text.trim() !== '') filter['text'] = query.text;
  for (const field of VALUE_FIELDS) {
    const given = query.values[field];
    if (given && given.length > 0) filter[field] = given.length === 1 ? given[0] : given;
  }
  if (query.from !== undefined || query.before !== undefined) {
    filter['captured_at'] = {
      ...(query.from !== undefined && { gte: query.from }),
      ...(query.before !== undefined && { lt: query.before }),
    };
  }
  // A filter of its own, so that it may test the same fields.
  if (query.also) filter['all'] = [query.also];
  // Put together from members of the filter above; the service validates it like any other.
  return filter;
}

/** Whether the query narrows anything. */
export function isNarrow(query: LibraryQuery): boolean {
  return Object.keys(filterOf(query)).length > 0;
}
