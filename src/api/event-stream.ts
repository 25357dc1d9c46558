/** The change feed as Server-Sent Events: https://html.spec.whatwg.org/multipage/server-sent-events.html */
import { Readable } from 'node:stream';
import type { Authenticator, Principal } from '../auth/index.ts';
import { AppError, KIB, type Logger, messageOf, SECOND_MS } from '../base/index.ts';
import { type ChangeType, eventDocument, type LibraryEvent } from '../library/index.ts';
import type { EventTail } from './event-tail.ts';
import { PROGRESS_MS, type StreamProgress } from './stream-progress.ts';

/** A proxy that hears nothing for a minute closes the connection; most wait no longer. */
const HEARTBEAT_MS = 15 * SECOND_MS;
/** How soon a revoked key loses its streams. */
const CHECK_MS = 2 * SECOND_MS;
/** A client that takes nothing for so long is cut off. */
const STUCK_MS = 30 * SECOND_MS;
/** Clients come back after this; EventSource obeys it. */
const RETRY_MS = 2 * SECOND_MS;
/** All that is kept for a client that does not read, beside the buffers of the system. */
const BUFFER_BYTES = 64 * KIB;
const EVENTS_A_CHUNK = 100;
/** On one node. A browser has a stream for each of its tabs. */
const MAX_STREAMS_A_KEY = 20;
const MAX_STREAMS_AN_ORGANIZATION = 100;

export type StreamRequest = {
  readonly principal: Principal;
  readonly address: string;
  /** Events behind this one. */
  readonly after: number;
  readonly types: readonly ChangeType[];
  readonly withProgress: boolean;
};

export type EventStreams = {
  /** Ends when the client goes, its key is revoked, or the service stops. @throws AppError `rate_limited` when there are too many */
  open(request: StreamRequest): Readable;
  /** Ends all, and takes no new ones. */
  stop(): void;
  /** Those that are open. */
  readonly count: number;
};

type Open = { readonly keyId: number; readonly organizationId: number; readonly end: () => void };

export function createEventStreams(deps: {
  readonly tail: EventTail;
  readonly progress: StreamProgress;
  readonly authenticator: Pick<Authenticator, 'confirm'>;
  readonly logger: Logger;
  /** Default 30 s. */
  readonly stuckMs?: number;
}): EventStreams {
  const { logger, stuckMs = STUCK_MS } = deps;
  const streams = new Set<Open>();
  let isStopped = false;

  const admit = ({ key, scope }: Principal): void => {
    if (isStopped) throw new AppError('unavailable', 'The service is stopping.');
    const ofKey = [...streams].filter(({ keyId }) => keyId === key.id).length;
    const ofOrganization = [...streams].filter((one) => one.organizationId === scope.organizationId).length;
    if (ofKey < MAX_STREAMS_A_KEY && ofOrganization < MAX_STREAMS_AN_ORGANIZATION) return;
    const limits = `${MAX_STREAMS_A_KEY} streams a key and ${MAX_STREAMS_AN_ORGANIZATION} an organization`;
    throw new AppError('rate_limited', `There may be ${limits} on one node at a time.`, { retryAfterSeconds: 10 });
  };

  return {
    open(request) {
      admit(request.principal);
      const ending = new AbortController();
      // Since when what was pushed waits to be taken; 0 while more is asked for.
      let offeredAtMs = 0;
      const source = messages(deps, request, ending.signal);
      const stream = new Readable({
        highWaterMark: BUFFER_BYTES,
        read() {
          offeredAtMs = 0;
          source.next().then(
            ({ done, value }) => {
              offeredAtMs = performance.now();
              return this.push(done === true ? null : Buffer.from(value));
            },
            (error: unknown) => this.destroy(error instanceof Error ? error : new Error(String(error))),
          );
        },
        destroy(error, callback) {
          // The source may wait for an event, which nobody waits for any more.
          ending.abort();
          callback(error);
        },
      });
      const { key, scope } = request.principal;
      const open: Open = { keyId: key.id, organizationId: scope.organizationId, end: () => ending.abort() };
      streams.add(open);
      const watch = setInterval(() => {
        if (offeredAtMs === 0 || performance.now() - offeredAtMs < stuckMs) return;
        logger.info({ event: 'event_stream.stuck', organizationId: scope.organizationId, key: key.publicId });
        stream.destroy();
      }, stuckMs / 10).unref();
      stream.once('close', () => {
        clearInterval(watch);
        streams.delete(open);
      });
      return stream;
    },
    stop() {
      isStopped = true;
      for (const { end } of streams) end();
    },
    get count() {
      return streams.size;
    },
  };

  async function* messages(
    { tail, progress, authenticator }: typeof deps,
    { principal, address, after, types, withProgress }: StreamRequest,
    signal: AbortSignal,
  ): AsyncGenerator<string> {
    const { scope } = principal;
    const wanted = new Set(types);
    const shown = new Map<string, number>();
    let [position, said] = [after, after];
    // The position first: a client that is cut off before anything happens goes on from here.
    yield `retry: ${RETRY_MS}\nid: ${position}\n\n`;
    let [saidAtMs, checkedAtMs, progressAtMs] = [performance.now(), performance.now(), 0];
    try {
      while (!signal.aborted) {
        if (performance.now() - checkedAtMs >= CHECK_MS) {
          await authenticator.confirm(principal, address);
          checkedAtMs = performance.now();
        }
        const page = await tail.read(scope, position);
        // Set back, or removed: a client that comes back is told what to do.
        if (page.newest < position || (page.oldest ?? 0) > position + 1) return;
        const chunk = page.events.slice(0, EVENTS_A_CHUNK);
        position = chunk.at(-1)?.version ?? position;
        const text = chunk
          .filter(({ type }) => wanted.has(type))
          .map(textOf)
          .join('');
        let more = text;
        if (withProgress && performance.now() - progressAtMs >= PROGRESS_MS) {
          progressAtMs = performance.now();
          more += newProgress(await progress.read(principal), shown);
        }
        if (more === '' && performance.now() - saidAtMs >= HEARTBEAT_MS) {
          // An id without data is no message; the client goes on behind events that it did not ask for.
          more = position === said ? ': heartbeat\n\n' : `: heartbeat\nid: ${position}\n\n`;
          said = position;
        }
        if (text !== '') said = position;
        if (more !== '') {
          saidAtMs = performance.now();
          yield more;
        }
        if (chunk.length === 0) {
          await tail.wait(scope, position, { limitMs: withProgress ? PROGRESS_MS : CHECK_MS, signal });
        }
      }
    } catch (error) {
      // The key is revoked, or the database is away: the client comes back and is told which.
      logger.debug({ event: 'event_stream.ended', organizationId: scope.organizationId, reason: messageOf(error) });
    }
  }
}

/** Once for all listeners: those who are up to date share the events of the tail. */
const texts = new WeakMap<LibraryEvent, string>();
function textOf(event: LibraryEvent): string {
  const present = texts.get(event);
  if (present !== undefined) return present;
  const text = `id: ${event.version}\ndata: ${JSON.stringify(eventDocument(event))}\n\n`;
  texts.set(event, text);
  return text;
}

/** What has moved since the last look; what is over is told by its event. */
function newProgress(
  found: readonly { readonly kind: string; readonly id: number; readonly progress: number }[],
  shown: Map<string, number>,
): string {
  const present = new Set<string>();
  let text = '';
  for (const one of found) {
    const name = `${one.kind} ${one.id}`;
    present.add(name);
    if (shown.get(name) === one.progress) continue;
    shown.set(name, one.progress);
    text += `event: progress\ndata: ${JSON.stringify(one)}\n\n`;
  }
  for (const name of shown.keys()) if (!present.has(name)) shown.delete(name);
  return text;
}
