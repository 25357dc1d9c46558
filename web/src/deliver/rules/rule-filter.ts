import { EMPTY_QUERY, type Filter, filterOf, type LibraryQuery } from '../../library/query.ts';
import { queryOfRequest } from '../../library/saved-request.ts';

/** A filter as the form shows it: what chips and fields can say, and the members that only JSON can. */
export type FilterDraft = { readonly query: LibraryQuery; readonly rest: string };
type Members = Readonly<Record<string, unknown>>;

/** Options of a search, which a saved one may have beside its filter. */
const OPTIONS = ['sort', 'limit', 'facets', 'include', 'images', 'highlight'];

/**
 * Takes a filter apart, member by member. What no chip can say stays a member of its own: `action` means another thing in a
 * rule when it is nested.
 */
export function draftOfFilter(filter: Members): FilterDraft {
  let query = EMPTY_QUERY;
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(filter)) {
    if (OPTIONS.includes(name)) continue;
    const one = queryOfRequest({ [name]: value });
    if (one.also) {
      rest[name] = value;
      continue;
    }
    const { chips, values, text, from, before } = one;
    query = {
      ...query,
      chips: [...query.chips, ...chips],
      values: { ...query.values, ...values },
      ...(text !== '' && { text }),
      ...(from !== undefined && { from }),
      ...(before !== undefined && { before }),
    };
  }
  return { query, rest: Object.keys(rest).length === 0 ? '' : JSON.stringify(rest, null, 2) };
}

/** The filter that the API takes, or what is wrong with its JSON. */
export function filterOfDraft({
  query,
  rest,
}: FilterDraft): { readonly filter: Filter } | { readonly problem: string } {
  const shown: Members = { ...filterOf(query) };
  if (rest.trim() === '') return { filter: shown };
  let members: unknown;
  try {
    members = JSON.parse(rest);
  } catch {
    return { problem: 'Expected JSON, such as {"width": {"gte": 3000}}.' };
  }
  if (typeof members !== 'object' || members === null || Array.isArray(members)) {
    return { problem: 'Expected an object with members of a filter.' };
  }
  const twice = Object.keys(members).find((name) => name in shown);
  if (twice !== undefined) return { problem: `“${twice}” is chosen above already: say it in one place.` };
  return { filter: { ...shown, ...members } };
}
