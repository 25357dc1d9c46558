import { foldText } from '../../base/index.ts';
import { type ApiClient, ApiError } from './api-client.ts';

export type TagHit = {
  readonly id: number;
  readonly type: string;
  readonly category: string | null;
  readonly label: string;
  readonly full_name: string | null;
  readonly aliases: readonly string[];
  readonly status: string;
};

/** A tag option, or why there is none to use. */
export type ResolvedTag = { readonly id: number } | { readonly problem: string };

export type TagResolver = {
  /** `type` undefined: a free tag, or failing that a tag option of any type. */
  resolve(value: string, type: string | undefined): Promise<ResolvedTag>;
};

/** `source:id`, as in external_ids of the API; nothing but the id may have blanks. */
const EXTERNAL_ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}:\S/;
const SEARCH_LIMIT = 200;
/** What the API takes as a query. */
const MAX_QUERY_LENGTH = 500;

const folded = (text: string) => foldText(text) || text.normalize('NFC').trim().toLowerCase();

function describe(hit: TagHit): string {
  return `${hit.id} (${hit.type === 'tag' ? (hit.category ?? 'tag') : hit.type} ${hit.full_name ?? hit.label})`;
}

/**
 * The hit that is called `value`: by label or full name, else by alias; where folding makes several equal, the one that is
 * spelled the same. A name that several share gives none: a wrong player is worse than none.
 */
export function pickTag(hits: readonly TagHit[], value: string): TagHit | { readonly problem: string } | undefined {
  const wanted = folded(value);
  const spelled = value.normalize('NFC').trim();
  const namesOf = [(hit: TagHit) => [hit.label, hit.full_name ?? hit.label], (hit: TagHit) => hit.aliases];
  for (const names of namesOf) {
    const equal = hits.filter((hit) => names(hit).some((name) => folded(name) === wanted));
    const same = equal.filter((hit) => names(hit).some((name) => name.normalize('NFC').trim() === spelled));
    const open = (same.length > 0 ? same : equal).filter((hit) => hit.status === 'active');
    const [only, ...others] = open;
    if (only && others.length === 0) return only;
    if (only) return { problem: `it is the name of ${open.length} tag options: ${open.map(describe).join(', ')}` };
    if (equal[0]) return { problem: `tag option ${describe(equal[0])} is ${equal[0].status} and takes no new tagging` };
  }
  return undefined;
}

/** Finds tag options by name or external id through the API; each is asked for once. */
export function createTagResolver(client: ApiClient, signal: AbortSignal): TagResolver {
  const known = new Map<string, Promise<ResolvedTag>>();

  const get = async (path: string, query: Readonly<Record<string, string>>): Promise<readonly TagHit[]> => {
    const { body } = await client.call<{ readonly tag_options: readonly TagHit[] }>({
      method: 'GET',
      path: `${path}?${new URLSearchParams(query).toString()}`,
      signal,
    });
    return body.tag_options;
  };
  const byExternalId = async (value: string, type: string | undefined): Promise<ResolvedTag | undefined> => {
    let hit: TagHit | undefined;
    try {
      [hit] = await get('/v1/tag', { external_id: value, limit: '1' });
    } catch (error) {
      // A value that cannot be an external id may still be a name.
      if (!(error instanceof ApiError) || (error.status !== 400 && error.status !== 404)) throw error;
    }
    if (!hit) return undefined;
    if (type !== undefined && hit.type !== type) return { problem: `expected a ${type}, received ${describe(hit)}` };
    if (hit.status === 'deactivated') return { problem: `tag option ${describe(hit)} is deactivated` };
    return { id: hit.id };
  };
  const byName = async (value: string, type: string | undefined): Promise<ResolvedTag | undefined> => {
    if (value.length > MAX_QUERY_LENGTH) return undefined;
    const limit = String(SEARCH_LIMIT);
    const hits = await get('/v1/tag/search', { query: value, limit, ...(type === undefined ? {} : { type }) });
    return pickTag(hits, value);
  };
  const find = async (value: string, type: string | undefined): Promise<ResolvedTag> => {
    const external = EXTERNAL_ID.test(value) ? await byExternalId(value, type) : undefined;
    const found =
      external ??
      (await byName(value, type ?? 'tag')) ??
      (type === undefined ? await byName(value, undefined) : undefined);
    return found ?? { problem: `there is no ${type ?? 'tag option'} of this name` };
  };

  return {
    resolve(value, type) {
      const key = `${type ?? ''}\n${value}`;
      const before = known.get(key);
      if (before) return before;
      const found = find(value, type);
      known.set(key, found);
      return found;
    },
  };
}
