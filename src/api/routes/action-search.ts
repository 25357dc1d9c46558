import { findActionPlaces } from '../../library/index.ts';
import type { ActionSearchResult } from '../../search/index.ts';
import type { ApiDeps } from '../deps.ts';
import { principalOf } from '../plugins/principal.ts';
import { readLibraryVersion } from '../plugins/versions.ts';
import { presentActions, readActionContext } from '../present/actions.ts';
import { organizationOf } from '../present/organization.ts';
import { abortWhenGone } from '../search-answer.ts';
import type { Api } from '../server.ts';
import { ActionSearchAnswer, ActionSearchBody } from '../wire/action-search.ts';
import { commonProblems } from '../wire/common.ts';

const DEFAULT_LIMIT = 50;

/** Facets as lists of their own: the serialiser's types know no readonly ones. */
const listsOf = (facets: NonNullable<ActionSearchResult['facets']>) =>
  Object.fromEntries(Object.entries(facets).map(([field, buckets]) => [field, [...buckets]]));

export function registerActionSearchRoutes(app: Api, deps: ApiDeps): void {
  app.post(
    '/v1/action/search',
    {
      config: { scopes: ['media.read'], readsVersion: true },
      schema: {
        tags: ['actions'],
        operationId: 'searchActions',
        summary: 'Search actions',
        description:
          'All members of the filter must hold on one action. Each action is answered once, in its own video; a search that ' +
          'tests media_id or angle answers it in every video that it lies in. Sees every write that was acknowledged before; ' +
          'X-Library-Version of a write makes sure of it on every node.',
        body: ActionSearchBody,
        response: { 200: ActionSearchAnswer, ...commonProblems },
      },
    },
    async (request, reply) => {
      const startedMs = performance.now();
      const { scope } = principalOf(request);
      const { signingKey } = await organizationOf(deps, scope);
      const { media, sort, limit, cursor, page, facets, ...filter } = request.body;
      const found = await deps.actionSearch.search(
        scope,
        { filter, media, sort, limit: limit ?? DEFAULT_LIMIT, cursor, page, facets },
        { signingKey, version: readLibraryVersion(request), signal: abortWhenGone(reply) },
      );
      const placed = await findActionPlaces(deps.db, scope, found.placeIds);
      const context = await readActionContext(
        deps,
        scope,
        placed.map(({ action }) => action),
      );
      return {
        actions: presentActions(placed, context),
        total: found.total,
        next_cursor: found.nextCursor,
        ...(found.facets && { facets: listsOf(found.facets) }),
        request_id: request.id,
        took_ms: Math.round((performance.now() - startedMs) * 10) / 10,
      };
    },
  );
}
