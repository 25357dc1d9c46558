import { invalidField } from '../../base/index.ts';
import { CHANGE_TYPES, type ChangeType, readEvents } from '../../library/index.ts';
import type { ApiDeps } from '../deps.ts';
import { principalOf } from '../plugins/principal.ts';
import type { Api } from '../server.ts';
import { commonProblems } from '../wire/common.ts';
import { EventList, EventListQuery } from '../wire/events.ts';

/** Types by name, or all that begin as `media.*` says. @throws AppError `validation_failed` for one that is unknown */
function readTypes(text: string | undefined): readonly ChangeType[] {
  if (text === undefined || text === '') return CHANGE_TYPES;
  const found = new Set<ChangeType>();
  for (const name of text.split(',').map((one) => one.trim())) {
    const prefix = name.endsWith('.*') ? name.slice(0, -1) : undefined;
    const named = CHANGE_TYPES.filter((type) => (prefix === undefined ? type === name : type.startsWith(prefix)));
    if (named.length === 0) {
      throw invalidField('types', `expected types such as ${CHANGE_TYPES.join(', ')}, received ${name}`);
    }
    for (const type of named) found.add(type);
  }
  return [...found];
}

/** The change feed: everything that happened in the library, in the order in which it was committed. */
export function registerEventRoutes(app: Api, deps: ApiDeps): void {
  app.get(
    '/v1/event',
    {
      config: { scopes: ['media.read'] },
      schema: {
        tags: ['events'],
        summary: 'Read the change feed',
        description:
          'Oldest first. Ask again with the `after` of the answer. Events are kept for 30 days at least; at present none is removed. ' +
          'Events of API keys and image keys are shown to keys with the scope admin.',
        querystring: EventListQuery,
        response: { 200: EventList, ...commonProblems },
      },
    },
    async (request) => {
      const { scope, key } = principalOf(request);
      const { after, limit, types: given } = request.query;
      const isAdmin = key.scopes.includes('admin');
      const types = readTypes(given).filter((type) => isAdmin || !/^(?:api|image)_key\./.test(type));
      const { events, readTo, newest } = await readEvents(deps.db, scope, { after, limit, types });
      if (after > newest) {
        throw invalidField('after', `expected the after of an earlier answer, at most ${newest}, received ${after}`);
      }
      return {
        events: events.map(({ version, type, objectId, data, createdAt }) => ({
          id: version,
          type,
          created_at: createdAt.toISOString(),
          object: { kind: type.slice(0, type.indexOf('.')), id: objectId },
          data,
        })),
        after: readTo,
        has_more: readTo < newest,
      };
    },
  );
}
