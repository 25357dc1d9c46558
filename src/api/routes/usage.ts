import { Type } from 'typebox';
import { DAY_MS } from '../../base/index.ts';
import { readDayUsage, readLibraryTotals } from '../../library/index.ts';
import type { ApiDeps } from '../deps.ts';
import { principalOf } from '../plugins/principal.ts';
import type { Api } from '../server.ts';
import { dayOf } from '../usage-counter.ts';
import { commonProblems } from '../wire/common.ts';

const Count = Type.Integer({ minimum: 0 });
const UsageAnswer = Type.Object({
  usage: Type.Object({
    assets: Type.Array(Type.Object({ media_type: Type.String(), status: Type.String(), count: Count }), {
      description: 'Those in the bin are `deleted`',
    }),
    actions: Type.Integer({ description: 'Without retracted ones' }),
    storage: Type.Array(Type.Object({ quality: Type.String(), files: Count, bytes: Count }), {
      description: 'Files of all assets, those in the bin too',
    }),
    days: Type.Array(
      Type.Object({
        day: Type.String({ format: 'date', description: 'UTC' }),
        requests: Count,
        searches: Type.Integer({ minimum: 0, description: 'Of assets, actions and tags; among the requests' }),
      }),
      { description: 'Oldest first; a day without requests is left out. Images and files by URL are not requests.' },
    ),
  }),
});
const UsageQuery = Type.Object(
  { days: Type.Optional(Type.Integer({ minimum: 1, maximum: 400, default: 30, description: 'With today' })) },
  { additionalProperties: false },
);

const SEARCHES: ReadonlySet<string> = new Set([
  '/v1/media/search',
  '/v1/action/search',
  '/v1/tag/search',
  '/v1/saved-search/:id/search',
]);

/** What an organization has and asks for; and the counting of it. */
export function registerUsageRoutes(app: Api, deps: ApiDeps): void {
  const { db, clock, usage } = deps;

  app.addHook('onResponse', async (request) => {
    if (!request.principal) return;
    const isSearch = SEARCHES.has(request.routeOptions.url ?? '');
    usage.count(request.principal.scope.organizationId, { isSearch });
  });

  app.get(
    '/v1/usage',
    {
      config: { scopes: ['admin'] },
      schema: {
        tags: ['operations'],
        summary: 'Read how much the library has and how much is asked of it',
        description: 'Counts every asset: takes about a second for a million.',
        querystring: UsageQuery,
        response: { 200: UsageAnswer, ...commonProblems },
      },
    },
    async (request) => {
      const { scope } = principalOf(request);
      await usage.flush();
      const since = dayOf(new Date(clock.now().getTime() - ((request.query.days ?? 30) - 1) * DAY_MS));
      const [totals, days] = await Promise.all([readLibraryTotals(db, scope), readDayUsage(db, scope, since)]);
      const assets = totals.assets.map(({ mediaType, ...rest }) => ({ media_type: mediaType, ...rest }));
      const { actions, storage } = totals;
      return { usage: { assets, actions, storage: [...storage], days: [...days] } };
    },
  );
}
