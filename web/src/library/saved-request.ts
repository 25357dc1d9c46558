import {
  CHIP_MODES,
  CHIP_TYPES,
  type Chip,
  DEFAULT_SORT,
  EMPTY_QUERY,
  type Filter,
  filterOf,
  type LibraryQuery,
  modesOf,
  SORTS,
  VALUE_FIELDS,
} from './query.ts';

/** A search as the API keeps it: members of the filter, and options beside them. */
export type SavedRequest = Readonly<Record<string, unknown>>;

const OPTIONS = ['sort', 'limit', 'facets', 'include', 'images', 'highlight'];
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

/** What is kept of a query. */
export function requestOf(query: LibraryQuery): SavedRequest {
  return { ...filterOf(query), ...(query.sort !== DEFAULT_SORT && { sort: query.sort }) };
}

function chipsOf(name: string, value: unknown): readonly Chip[] | undefined {
  const type = CHIP_TYPES.find((one) => (one === 'tag' ? 'tag_options' : one) === name);
  if (type === undefined) return undefined;
  const lists: Readonly<Record<string, unknown>> =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : { all: [value].flat() };
  const chips: Chip[] = [];
  for (const [given, ids] of Object.entries(lists)) {
    const mode = CHIP_MODES.find((one) => one === given);
    if (mode === undefined || !modesOf(type).includes(mode) || !Array.isArray(ids) || !ids.every(isId))
      return undefined;
    chips.push(...ids.map((id) => ({ type, id, mode })));
  }
  // One ID in two modes is no chip.
  return new Set(chips.map(({ id }) => id)).size === chips.length ? chips : undefined;
}

function valuesOf(value: unknown): readonly (string | number)[] | undefined {
  const list = [value].flat();
  return list.every((one) => typeof one === 'string' || typeof one === 'number') ? list : undefined;
}

function datesOf(value: unknown): Pick<LibraryQuery, 'from' | 'before'> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { gte, lt, ...others }: { readonly gte?: unknown; readonly lt?: unknown } = { ...value };
  const isDate = (one: unknown): one is string | undefined =>
    one === undefined || (typeof one === 'string' && DATE.test(one));
  return Object.keys(others).length === 0 && isDate(gte) && isDate(lt) ? { from: gte, before: lt } : undefined;
}

/**
 * A saved request as a query. What chips can say becomes chips; the rest, from a program perhaps, is kept as it is and holds
 * as well. Both find the same assets.
 */
export function queryOfRequest(request: SavedRequest): LibraryQuery {
  let query: LibraryQuery = EMPTY_QUERY;
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(request)) {
    const field = VALUE_FIELDS.find((one) => one === name);
    const chips = chipsOf(name, value);
    const values = field && valuesOf(value);
    const dates = name === 'captured_at' ? datesOf(value) : undefined;
    const sort = name === 'sort' ? SORTS.find((one) => one === value) : undefined;
    if (chips) query = { ...query, chips: [...query.chips, ...chips] };
    else if (field && values) query = { ...query, values: { ...query.values, [field]: values } };
    else if (dates) query = { ...query, ...dates };
    else if (name === 'text' && typeof value === 'string') query = { ...query, text: value };
    else if (sort !== undefined) query = { ...query, sort };
    else if (!OPTIONS.includes(name)) rest[name] = value;
  }
  const keys = Object.keys(rest);
  const [only] = Array.isArray(rest['all']) && keys.length === 1 && rest['all'].length === 1 ? rest['all'] : [rest];
  // The members of a request are those of a filter; the service validated it when it was saved.
  return keys.length === 0 ? query : { ...query, also: only as Filter };
}
