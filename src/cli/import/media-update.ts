import { type ApiClient, ApiError } from './api-client.ts';
import type { UploadMetadata } from './media-upload.ts';

type Answer = { readonly media: { readonly collections: readonly number[] } };

/** Another writer came between reading and writing so often that something is wrong. */
const MAX_TRIES = 5;

/**
 * Adds what the table says by now to an asset that was uploaded before. Undefined: there is no such asset any more.
 * @returns the version of the library after it
 */
export async function updateMedia(options: {
  readonly client: ApiClient;
  readonly mediaId: number;
  readonly metadata: UploadMetadata;
  readonly signal: AbortSignal;
}): Promise<number | undefined> {
  const { client, mediaId, metadata, signal } = options;
  const { name: _name, tag_source: _source, tag_options: tags, collections, ...fields } = metadata;
  const path = `/v1/media/${mediaId}`;
  const versionOf = (headers: Headers) => Number(headers.get('x-library-version') ?? 0);
  try {
    let version = 0;
    if (tags) {
      const { headers } = await client.call({ method: 'POST', path: `${path}/tag`, json: { add: tags }, signal });
      version = versionOf(headers);
    }
    if (!collections && Object.keys(fields).length === 0) return version;
    for (let tries = 1; ; tries += 1) {
      const { body, headers } = await client.call<Answer>({ method: 'GET', path, signal });
      // PATCH replaces the list: the collections somebody chose meanwhile stay.
      const joined = collections && [...new Set([...body.media.collections, ...collections])];
      try {
        const patched = await client.call({
          method: 'PATCH',
          path,
          json: { ...fields, ...(joined && { collections: joined }) },
          headers: { 'If-Match': headers.get('etag') ?? '*' },
          signal,
        });
        return Math.max(version, versionOf(patched.headers));
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 412 || tries === MAX_TRIES) throw error;
      }
    }
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}
