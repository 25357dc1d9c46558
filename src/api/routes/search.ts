import type { ApiDeps } from '../deps.ts';
import { answerSearch } from '../search-answer.ts';
import type { Api } from '../server.ts';
import { commonProblems } from '../wire/common.ts';
import { MediaSearchAnswer, MediaSearchBody, MediaSearchQuery } from '../wire/search.ts';

export function registerSearchRoutes(app: Api, deps: ApiDeps): void {
  app.post(
    '/v1/media/search',
    {
      config: { scopes: ['media.read'], readsVersion: true },
      schema: {
        tags: ['media'],
        summary: 'Search assets',
        description:
          'All members of the filter must hold: tag option IDs with all, any, none and only; scalars; name; text; nested all, ' +
          'any, none. Sees every write that was acknowledged before; X-Library-Version of a write makes sure of it on every node.',
        body: MediaSearchBody,
        querystring: MediaSearchQuery,
        response: { 200: MediaSearchAnswer, ...commonProblems },
      },
    },
    async (request, reply) => {
      const { body, query } = request;
      const limit = body.limit ?? query.per_page ?? query.limit;
      const page = body.page ?? query.page;
      return answerSearch(
        deps,
        { request, reply },
        { ...body, ...(limit !== undefined && { limit }), ...(page !== undefined && { page }) },
      );
    },
  );
}
