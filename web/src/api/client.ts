import createClient from 'openapi-fetch';
import { problemOfAnswer, toProblem } from './problem.ts';
import type { components, paths } from './schema.d.ts';
import { currentSession, signOut } from './session.ts';

export type Schemas = components['schemas'];

/** The JSON body that a route takes: `BodyOf<'/v1/media/search', 'post'>`. */
export type BodyOf<Path extends keyof paths, Method extends 'post' | 'patch' | 'put'> = paths[Path][Method] extends {
  requestBody?: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;

/**
 * The client of the public API, with the key of the session on every request. `api.GET('/v1/media/{id}', { params: { path:
 * { id } }, signal })` answers `{ data }`, or throws an ApiProblem. A key that the service refuses ends the session.
 */
export const api = createClient<paths>({ baseUrl: '' });

api.use({
  onRequest({ request }) {
    const session = currentSession();
    if (session && !request.headers.has('X-Api-Key')) request.headers.set('X-Api-Key', session.key);
    return request;
  },
  async onResponse({ request, response }) {
    if (response.ok) return undefined;
    const body: unknown = await response
      .clone()
      .json()
      .catch(() => undefined);
    const problem = problemOfAnswer(response, body);
    const session = currentSession();
    if (problem.status === 401 && request.headers.get('X-Api-Key') === session?.key) signOut('refused');
    throw problem;
  },
  onError({ error }) {
    // An abort is no failure: who aborted knows.
    if (error instanceof DOMException && error.name === 'AbortError') return error;
    return toProblem(error);
  },
});

/** The body of a successful answer, which every route with one has. */
export function dataOf<Data>(answer: { readonly data?: Data }): Data {
  if (answer.data === undefined) throw toProblem(new Error('The service answered without a body.'));
  return answer.data;
}
