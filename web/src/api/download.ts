import { api, type BodyOf, dataOf } from './client.ts';
import type { Filter } from './media-search.ts';
import { problemOfAnswer } from './problem.ts';
import { currentSession } from './session.ts';

export type DownloadQuality = 'photographer' | 'compressed' | 'thumbnail';
export type DownloadOptions = {
  readonly quality: DownloadQuality;
  /** As stored, with the present metadata written in, or that metadata alone as XMP. */
  readonly metadata: 'none' | 'embed' | 'sidecar';
};
export type DownloadedFile = { readonly name: string; readonly blob: Blob };

/** The name that an answer gives its file (RFC 6266): the encoded one goes before the plain one. */
export function nameIn(disposition: string | null): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1];
  if (encoded !== undefined) return decodeURIComponent(encoded.trim());
  return /filename="((?:[^"\\]|\\.)*)"/i.exec(disposition ?? '')?.[1]?.replaceAll(/\\(.)/g, '$1');
}

/** Reads a file of an asset. `onBytes` hears how many have come. @throws ApiProblem, or the signal's reason */
export async function downloadFile(
  id: number,
  options: DownloadOptions,
  { signal, onBytes }: { readonly signal: AbortSignal; readonly onBytes: (bytes: number) => void },
): Promise<DownloadedFile> {
  const response = await fetch(`/v1/media/${id}/download?${new URLSearchParams(options)}`, {
    headers: { 'X-Api-Key': currentSession()?.key ?? '' },
    signal,
  });
  if (!response.ok || !response.body) {
    throw problemOfAnswer(response, await response.json().catch(() => undefined));
  }
  let bytes = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        onBytes(bytes);
        controller.enqueue(chunk);
      },
    }),
  );
  const headers = { 'Content-Type': response.headers.get('content-type') ?? 'application/octet-stream' };
  const blob = await new Response(counted, { headers }).blob();
  return { blob, name: nameIn(response.headers.get('content-disposition')) ?? `asset-${id}` };
}

/** The assets that a filter finds, at most so many. */
export async function findMediaIds(filter: Filter, limit: number, signal: AbortSignal): Promise<readonly number[]> {
  // Members of a filter and options stand beside each other in the body; both are validated by the service.
  const body = { ...filter, limit, include: [] } as BodyOf<'/v1/media/search', 'post'>;
  return dataOf(await api.POST('/v1/media/search', { body, signal })).media.map(({ id }) => id);
}
