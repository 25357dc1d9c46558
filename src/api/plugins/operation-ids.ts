/** Verbs of routes that end in a resource; `list` for a GET that is paged. */
const VERBS: Readonly<Record<string, string>> = {
  GET: 'get',
  POST: 'create',
  PATCH: 'update',
  PUT: 'put',
  DELETE: 'delete',
};
/** Path segments that are abbreviations, as words. */
const WORDS: Readonly<Record<string, string>> = {
  img: 'image',
  healthz: 'health',
  readyz: 'readiness',
  'openapi.json': 'openApi',
};

const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);
const camel = (segment: string) => segment.split('-').map(capital).join('');
const plural = (noun: string) =>
  noun === 'Media'
    ? noun
    : noun.endsWith('ch')
      ? `${noun}es`
      : noun.endsWith('y')
        ? `${noun.slice(0, -1)}ies`
        : `${noun}s`;

/**
 * The operation's name for generated clients, from its path: `GET /v1/tag/:id` is getTag, `GET /v1/tag` (paged) listTags,
 * `POST /v1/tag/:id/merge` mergeTag, `POST /v1/media/search` searchMedia, `GET /v1/media/:id/action` listMediaActions.
 */
export function operationIdOf(route: {
  readonly method: string;
  readonly url: string;
  readonly isPaged: boolean;
}): string {
  const segments = route.url.split('/').filter((segment) => segment !== '' && segment !== 'v1');
  const names = segments.filter((segment) => !segment.startsWith(':')).map((segment) => WORDS[segment] ?? segment);
  const [resource = 'root', ...rest] = names;
  const action = rest.at(-1);
  if (action !== undefined && route.method === 'POST')
    return action + camel(resource) + rest.slice(0, -1).map(camel).join('');
  if (action === 'search') return `search${plural(camel(resource))}`;
  const noun = names.map(camel).join('');
  return route.isPaged
    ? `list${plural(noun)}`
    : (VERBS[route.method] ?? route.method.toLowerCase()) + (noun === '' ? capital(resource) : noun);
}
