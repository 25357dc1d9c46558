import { eventDocument, readEvents } from '../../library/index.ts';
import type { ApiDeps } from '../deps.ts';
import { checkEventsKept, readEventTypes } from '../event-types.ts';
import { principalOf } from '../plugins/principal.ts';
import type { Api } from '../server.ts';
import { commonProblems, expiredProblem } from '../wire/common.ts';
import { EventList, EventListQuery } from '../wire/events.ts';

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
          'Oldest first. Ask again with the `after` of the answer. Events are kept for 30 days; `after=0` begins with the oldest, any ' +
          'other one that is older is answered with 410. Events of API keys and image keys are shown to keys with the scope admin.',
        querystring: EventListQuery,
        response: { 200: EventList, ...commonProblems, ...expiredProblem },
      },
    },
    async (request) => {
      const principal = principalOf(request);
      const { after, limit, types: given } = request.query;
      const types = readEventTypes(given, principal);
      const { events, readTo, newest, oldest } = await readEvents(deps.db, principal.scope, { after, limit, types });
      checkEventsKept({ after, newest, oldest });
      return {
        events: events.map(eventDocument),
        after: readTo,
        has_more: readTo < newest,
      };
    },
  );
}
