import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../base/index.ts';
import { findAssets } from '../library/index.ts';
import type { ApiDeps } from './deps.ts';
import { principalOf } from './plugins/principal.ts';
import { readLibraryVersion } from './plugins/versions.ts';
import { presentHit, readImageRequests } from './present/media-hit.ts';
import { organizationOf } from './present/organization.ts';
import type { MediaSearchBody } from './wire/search.ts';

const DEFAULT_LIMIT = 50;

/** Aborts when the client goes away before its answer is written: nobody reads what would be found. */
function abortWhenGone(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableEnded) controller.abort(new AppError('request_timeout', 'The client has gone away.'));
  });
  return controller.signal;
}

/** Runs a search and answers its page. */
export async function answerSearch(
  deps: ApiDeps,
  http: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  body: MediaSearchBody,
) {
  const startedMs = performance.now();
  const { request, reply } = http;
  const { scope } = principalOf(request);
  const organization = await organizationOf(deps, scope);
  const { sort, limit, cursor, page, facets, include, images, highlight, ...filter } = body;
  const named = readImageRequests(images ?? []);
  const found = await deps.mediaSearch.search(
    scope,
    { filter, sort, limit: limit ?? DEFAULT_LIMIT, cursor, page, facets },
    { signingKey: organization.signingKey, version: readLibraryVersion(request), signal: abortWhenGone(reply) },
  );
  const assets = await findAssets(deps.db, scope, found.ids);
  const options = { include, images: named, clauses: highlight === true ? found.clauses : [] };
  return {
    media: assets.map((asset) => presentHit(asset, { organization, urls: deps.urls }, options)),
    total: found.total,
    next_cursor: found.nextCursor,
    ...(found.facets && {
      facets: Object.fromEntries(Object.entries(found.facets).map(([field, buckets]) => [field, [...buckets]])),
    }),
    request_id: request.id,
    took_ms: Math.round((performance.now() - startedMs) * 10) / 10,
  };
}
