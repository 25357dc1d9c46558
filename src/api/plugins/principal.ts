import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Authenticator, type Principal, requireScopes, type Scope } from '../../auth/index.ts';
import { AppError } from '../../base/index.ts';
import type { RateLimiter } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route with `config.scopes`; read it through `principalOf`. */
    principal: Principal | null;
  }
  interface FastifyContextConfig {
    /** Scopes the key must have; [] = any valid key. A route under /v1 without it is refused at start-up unless `open`. */
    scopes?: readonly Scope[];
    open?: true;
  }
}

const HEADER = /^x-(.+-)?api-key$/;

/** The key of a request: query `api_key`, `X-Api-Key`, any `X-*-Api-Key`, or `Authorization: Bearer`. */
export function readApiKey(request: FastifyRequest): string {
  const given: string[] = [];
  // The query string of any route; its own schema does not know api_key, which is taken out here.
  const query = request.query as Record<string, unknown>;
  if (query['api_key'] !== undefined) {
    given.push(...[query['api_key']].flat().map(String));
    delete query['api_key'];
  }
  for (const [name, value] of Object.entries(request.headers)) {
    // Node joins a header that was sent twice with a comma; no key holds one.
    if (HEADER.test(name) && value !== undefined) given.push(...[value].flat().join(',').split(','));
  }
  const bearer = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '');
  if (bearer?.[1]) given.push(bearer[1]);
  const keys = [...new Set(given.map((key) => key.trim()).filter((key) => key !== ''))];
  if (keys.length > 1) {
    throw new AppError('api_key_conflict', 'Expected one API key, received different ones in query and headers.');
  }
  if (keys[0] === undefined) {
    throw new AppError(
      'api_key_missing',
      'Send the key as X-Api-Key, Authorization: Bearer, or the query parameter api_key.',
    );
  }
  return keys[0];
}

/** Recognises the caller of every route under /v1 before anything of the request is read, and applies the key's limits. */
export function registerPrincipal(
  app: FastifyInstance,
  options: { readonly authenticator: Authenticator; readonly rateLimiter: RateLimiter },
): void {
  app.decorateRequest('principal', null);
  app.addHook('onRoute', (route) => {
    if (route.url.startsWith('/v1/') && !route.config?.scopes && !route.config?.open) {
      throw new Error(`route ${String(route.method)} ${route.url} declares no scopes`);
    }
  });
  app.addHook('onRequest', async (request, reply) => {
    const { scopes } = request.routeOptions.config;
    if (!scopes) return;
    const principal = await options.authenticator.authenticate(readApiKey(request), request.ip);
    request.principal = principal;
    options.rateLimiter.take(principal.key, reply);
    requireScopes(principal, scopes);
  });
}

/** @throws Error when a route without `config.scopes` asks: a fault of ours, not of the caller */
export function principalOf(request: FastifyRequest): Principal {
  if (!request.principal) throw new Error('this route has no principal');
  return request.principal;
}
