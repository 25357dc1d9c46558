import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { scopeOf } from '../auth/index.ts';
import { createLogger } from '../base/index.ts';
import type { LibraryEvent } from '../library/index.ts';
import { createEventStreams, type StreamRequest } from './event-stream.ts';
import type { EventTail } from './event-tail.ts';

/** A feed of `count` events of 1 kB, which is all there ever is. */
function feedOf(count: number): EventTail & { readonly read: EventTail['read']; readonly pages: () => number } {
  let pages = 0;
  const events: LibraryEvent[] = Array.from({ length: count }, (_, at) => ({
    version: at + 1,
    type: 'media.updated',
    objectId: 1,
    data: { text: 'x'.repeat(1000) },
    createdAt: new Date(0),
  }));
  return {
    async read(_scope, after) {
      pages += 1;
      return { events: events.slice(after, after + 500), newest: count, oldest: undefined };
    },
    async wait(_scope, _after, { limitMs, signal }) {
      await delay(limitMs, undefined, { signal }).catch(() => undefined);
    },
    close: () => undefined,
    pages: () => pages,
  };
}

const request: StreamRequest = {
  principal: {
    scope: scopeOf(1),
    key: {
      id: 1,
      organizationId: 1,
      publicId: 'abcdefgh',
      name: 'test',
      scopes: ['media.read'],
      cidrs: [],
      requestsPerSecond: 1,
      burst: 1,
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
      createdAt: new Date(0),
    },
  },
  address: '127.0.0.1',
  after: 0,
  types: ['media.updated'],
  withProgress: false,
};
const logger = createLogger({ level: 'silent' });
const authenticator = { confirm: async () => undefined };
const progress = { read: async () => [] };

test('a client that does not read is cut off, and no more than a few pages are held for it', async () => {
  const tail = feedOf(10_000);
  const streams = createEventStreams({ tail, progress, authenticator, logger, stuckMs: 200 });
  const stream = streams.open(request);
  stream.once('readable', () => undefined);
  await once(stream, 'close');
  expect(stream.readableLength).toBeLessThan(300_000);
  expect(tail.pages()).toBeLessThan(10);
  streams.stop();
});

test('a client that reads slowly gets everything', async () => {
  const tail = feedOf(1000);
  const streams = createEventStreams({ tail, progress, authenticator, logger, stuckMs: 400 });
  let text = '';
  for await (const chunk of streams.open(request)) {
    text += String(chunk);
    await delay(20);
    if (text.includes('id: 1000\n')) break;
  }
  expect(text.match(/^data: /gm)).toHaveLength(1000);
  streams.stop();
});

test('a stopped service ends its streams and takes no new ones', async () => {
  const streams = createEventStreams({ tail: feedOf(0), progress, authenticator, logger });
  const stream = streams.open(request);
  stream.resume();
  streams.stop();
  await once(stream, 'end');
  expect(() => streams.open(request)).toThrow('stopping');
});
