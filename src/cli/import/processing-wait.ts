import { setTimeout as delay } from 'node:timers/promises';
import { SECOND_MS } from '../../base/index.ts';
import { type ApiClient, ApiError } from './api-client.ts';
import type { FileFailure } from './media-walk.ts';

type Answer = {
  readonly media: { readonly status: string; readonly failure: { readonly reason: string } | null };
};
type Waiting = { readonly path: string; readonly mediaId: number };

/** Asked at once in each round; assets are processed in about the order they came in. */
const ROUND = 8;
const PAUSE_MS = SECOND_MS / 2;

/** Waits until every asset is ready or has failed; asks for a few at a time, and rests while none of them is done. */
export async function waitForProcessing(options: {
  readonly client: ApiClient;
  readonly assets: readonly Waiting[];
  readonly signal: AbortSignal;
  readonly onDone: () => void;
}): Promise<{ readonly ready: number; readonly failures: readonly FileFailure[] }> {
  const { client, signal, onDone } = options;
  const queue = [...options.assets];
  const failures: FileFailure[] = [];
  let ready = 0;
  const check = async (asset: Waiting): Promise<boolean> => {
    const path = `/v1/media/${asset.mediaId}`;
    try {
      const { body } = await client.call<Answer>({ method: 'GET', path, signal });
      const { status, failure } = body.media;
      if (status === 'processing' || status === 'uploading') return false;
      if (status === 'failed') failures.push({ path: asset.path, reason: failure?.reason ?? 'processing failed' });
      else ready += 1;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      failures.push({ path: asset.path, reason: error.message });
    }
    onDone();
    return true;
  };
  while (queue.length > 0) {
    const round = queue.splice(0, ROUND);
    const done = await Promise.all(round.map(check));
    // A video at the front must not hide the photos behind it, so what is not done goes to the end.
    queue.push(...round.filter((_asset, at) => !done[at]));
    if (!done.includes(true)) await delay(PAUSE_MS, undefined, { signal });
  }
  return { ready, failures };
}
