import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../base/index.ts';
import type { ApiDeps } from './deps.ts';
import { principalOf } from './plugins/principal.ts';
import { readLibraryVersion } from './plugins/versions.ts';
import { readImageRequests, hitJson } from './present/media-hit.ts';
import { readActionMembers } from './present/matched-actions.ts';
import { organizationOf } from './present/organization.ts';
import type { MediaSearchBody } from './wire/search.ts';

const DEFAULT_LIMIT = 50;
const HEAD = Buffer.from('{"media":[');

/** Aborts when the client goes away before its answer is written: nobody reads what would be found. */
export function abortWhenGone(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableEnded) controller.abort(new AppError('request_timeout', 'The client has gone away.'));
  });
  return controller.signal;
}

/** A hit with further members at its end. */
function withMembers(json: Buffer, members: string | undefined): Buffer {
  if (members === undefined) return json;
  return Buffer.concat([json.subarray(0, json.length - 1), Buffer.from(`${members}}`)]);
}

/**
 * Runs a search and answers its page. The assets are kept as JSON, so the answer is put together from bytes: it has the
 * shape of MediaSearchAnswer, and the serialiser has nothing left to do.
 */
export async function answerSearch(
  deps: ApiDeps,
  http: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  body: MediaSearchBody,
): Promise<FastifyReply> {
  const startedMs = performance.now();
  const { request, reply } = http;
  const { scope } = principalOf(request);
  const organization = await organizationOf(deps, scope);
  const { sort, limit, cursor, page, facets, include, images, highlight, ...filter } = body;
  const named = images ? readImageRequests(images, (await deps.imageAccess.rules(organization.id)).presets) : [];
  const fresh = { version: readLibraryVersion(request), signal: abortWhenGone(reply) };
  const found = await deps.mediaSearch.search(
    scope,
    { filter, sort, limit: limit ?? DEFAULT_LIMIT, cursor, page, facets },
    { signingKey: organization.signingKey, ...fresh },
  );
  const [documents, actions] = await Promise.all([
    deps.documents.find(scope, found.ids, fresh),
    readActionMembers(deps, scope, {
      mediaIds: found.ids,
      filters: found.actions,
      includesAll: include?.includes('actions') === true,
      fresh,
    }),
  ]);
  const options = { include, images: named, clauses: highlight === true ? found.clauses : [] };
  const context = { organization, urls: deps.urls };
  const hits = documents.map((document, at) => {
    const json = withMembers(hitJson(document, context, options), actions.get(document.id));
    return at === 0 ? json.subarray(1) : json;
  });
  const rest = {
    total: found.total,
    next_cursor: found.nextCursor,
    ...(found.facets && { facets: found.facets }),
    request_id: request.id,
    took_ms: Math.round((performance.now() - startedMs) * 10) / 10,
  };
  const tail = Buffer.from(`],${JSON.stringify(rest).slice(1)}`);
  return reply.type('application/json; charset=utf-8').send(Buffer.concat([HEAD, ...hits, tail]));
}
