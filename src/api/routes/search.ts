import { findAssets } from '../../library/index.ts';
import type { ApiDeps } from '../deps.ts';
import { principalOf } from '../plugins/principal.ts';
import { presentMedia } from '../present/media.ts';
import { organizationOf } from '../present/organization.ts';
import type { Api } from '../server.ts';
import { commonProblems } from '../wire/common.ts';
import { MediaSearchAnswer, MediaSearchBody, MediaSearchQuery } from '../wire/search.ts';

const DEFAULT_LIMIT = 50;

export function registerSearchRoutes(app: Api, deps: ApiDeps): void {
  app.post(
    '/v1/media/search',
    {
      config: { scopes: ['media.read'] },
      schema: {
        tags: ['media'],
        summary: 'Search assets',
        description:
          'All members of the filter must hold: tag option IDs with all, any, none and only; scalars; name; nested all, any, none. ' +
          'Sees every write that was acknowledged before.',
        body: MediaSearchBody,
        querystring: MediaSearchQuery,
        response: { 200: MediaSearchAnswer, ...commonProblems },
      },
    },
    async (request) => {
      const startedMs = performance.now();
      const { scope } = principalOf(request);
      const organization = await organizationOf(deps, scope);
      const { sort, limit, cursor, page, ...filter } = request.body;
      const { query } = request;
      const found = await deps.mediaSearch.search(
        scope,
        {
          filter,
          sort,
          limit: limit ?? query.per_page ?? query.limit ?? DEFAULT_LIMIT,
          cursor,
          page: page ?? query.page,
        },
        { signingKey: organization.signingKey },
      );
      const assets = await findAssets(deps.db, scope, found.ids);
      return {
        media: assets.map((asset) => presentMedia(asset, { organization, urls: deps.urls })),
        total: found.total,
        next_cursor: found.nextCursor,
        request_id: request.id,
        took_ms: Math.round((performance.now() - startedMs) * 10) / 10,
      };
    },
  );
}
