import type { LibraryScope } from '../../auth/index.ts';
import { findActionPlaces, type PlacedAction } from '../../library/index.ts';
import type { ActionSearchResult, FreshnessOptions } from '../../search/index.ts';
import type { ApiDeps } from '../deps.ts';
import { principalOf } from '../plugins/principal.ts';
import { readLibraryVersion } from '../plugins/versions.ts';
import { presentActions, readActionContext } from '../present/actions.ts';
import { organizationOf } from '../present/organization.ts';
import { abortWhenGone } from '../search-answer.ts';
import type { Api } from '../server.ts';
import { ActionSearchAnswer, ActionSearchBody } from '../wire/action-search.ts';
import { commonProblems } from '../wire/common.ts';
import type { MediaOut } from '../wire/media.ts';

const DEFAULT_LIMIT = 50;

/** Facets as lists of their own: the serialiser's types know no readonly ones. */
const listsOf = (facets: NonNullable<ActionSearchResult['facets']>) =>
  Object.fromEntries(Object.entries(facets).map(([field, buckets]) => [field, [...buckets]]));

/** The assets that actions were found in, each once. */
async function readMedia(
  deps: ApiDeps,
  scope: LibraryScope,
  { placed, fresh }: { readonly placed: readonly PlacedAction[]; readonly fresh: FreshnessOptions },
): Promise<MediaOut[]> {
  const ids = [...new Set(placed.map(({ place }) => place.mediaId))];
  const documents = await deps.documents.find(scope, ids, fresh);
  // Our own presenter wrote them, with a comma in front.
  return documents.map(({ json }) => JSON.parse(json.toString('utf8', 1)) as MediaOut);
}

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
      const { media, sort, limit, cursor, page, facets, include, ...filter } = request.body;
      const fresh = { version: readLibraryVersion(request), signal: abortWhenGone(reply) };
      const found = await deps.actionSearch.search(
        scope,
        { filter, media, sort, limit: limit ?? DEFAULT_LIMIT, cursor, page, facets },
        { signingKey, ...fresh },
      );
      const placed = await findActionPlaces(deps.db, scope, found.placeIds);
      const context = await readActionContext(
        deps,
        scope,
        placed.map(({ action }) => action),
      );
      return {
        actions: presentActions(placed, context),
        ...(include?.includes('media') && { media: await readMedia(deps, scope, { placed, fresh }) }),
        total: found.total,
        next_cursor: found.nextCursor,
        ...(found.facets && { facets: listsOf(found.facets) }),
        request_id: request.id,
        took_ms: Math.round((performance.now() - startedMs) * 10) / 10,
      };
    },
  );
}
