import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { scopeOf } from '../auth/index.ts';
import { AppError, SECOND_MS } from '../base/index.ts';
import type { SearchEngine } from './engine.ts';
import { createMediaSearch } from './media-search.ts';
import type { SearchNames } from './names.ts';

const scope = scopeOf(1);
const request = { filter: {}, limit: 10 };
const signingKey = Buffer.alloc(32, 1);
const names: SearchNames = {
  tags: async () => new Map(),
  actionTypes: async () => new Map(),
  missingCollections: async () => [],
  detailFields: async () => [],
  tagWords: async () => ({ withWord: () => [], withPhrase: () => [], similar: () => [] }),
  tagLabels: async () => new Map(),
  collectionNames: async () => new Map(),
};
/** Works until it is told to end. */
const never = (_scope: unknown, { signal }: { readonly signal?: AbortSignal | undefined }): Promise<never> =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
const endless: SearchEngine = { search: never, searchActions: never };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a search that takes longer than 30 seconds is ended as too much at once', async () => {
  const search = createMediaSearch({ engine: endless, names }).search(scope, request, { signingKey });
  const ended = expect(search).rejects.toMatchObject({ code: 'overloaded' });
  await vi.advanceTimersByTimeAsync(30 * SECOND_MS);
  await ended;
  expect(vi.getTimerCount()).toBe(0);
});

test('a search ends with the signal of its request, at any time', async () => {
  const media = createMediaSearch({ engine: endless, names });
  const reason = new AppError('request_timeout', 'gone');
  await expect(media.search(scope, request, { signingKey, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const controller = new AbortController();
  const search = media.search(scope, request, { signingKey, signal: controller.signal });
  const ended = expect(search).rejects.toBe(reason);
  await vi.advanceTimersByTimeAsync(SECOND_MS);
  controller.abort(reason);
  await ended;
  expect(vi.getTimerCount()).toBe(0);
});
