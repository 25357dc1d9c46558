import { setTimeout as delay } from 'node:timers/promises';
import type { Json } from './app.ts';

export type StreamMessage = { readonly id: string | undefined; readonly event: string; readonly data: Json };

export type EventSource = {
  readonly status: number;
  readonly headers: Headers;
  /** Messages so far. */
  readonly messages: StreamMessage[];
  /** Everything so far as it came. */
  text(): string;
  /** The last id that was said, as a client sends it when it comes back. */
  lastId(): string;
  /** Resolves when the server ended the stream, or it was cut off. */
  readonly ended: Promise<void>;
  /** Cuts the connection. */
  cut(): void;
};

/** A client of Server-Sent Events by the rules of the HTML standard, section 9.2.6. */
export async function openEventSource(
  url: string,
  options: { readonly key: string; readonly lastEventId?: string },
): Promise<EventSource> {
  const abort = new AbortController();
  const headers = {
    'X-Api-Key': options.key,
    Accept: 'text/event-stream',
    ...(options.lastEventId === undefined ? {} : { 'Last-Event-ID': options.lastEventId }),
  };
  const response = await fetch(url, { headers, signal: abort.signal });
  const messages: StreamMessage[] = [];
  let text = '';
  let lastId = options.lastEventId ?? '';
  const take = (block: string) => {
    let data: string | undefined;
    let event = 'message';
    let id: string | undefined;
    for (const line of block.split('\n')) {
      const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
      if (name === 'id') id = value;
      if (name === 'event') event = value;
      if (name === 'data') data = data === undefined ? value : `${data}\n${value}`;
    }
    if (id !== undefined) lastId = id;
    if (data !== undefined) messages.push({ id, event, data: JSON.parse(data) as Json });
  };
  const read = async () => {
    let rest = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      const piece = decoder.decode(chunk, { stream: true });
      text += piece;
      rest += piece;
      for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
        take(rest.slice(0, end));
        rest = rest.slice(end + 2);
      }
    }
  };
  // What was cut off in the middle of a message is no message.
  const ended = read().catch(() => undefined);
  return {
    status: response.status,
    headers: response.headers,
    messages,
    text: () => text,
    lastId: () => lastId,
    ended,
    cut: () => abort.abort(),
  };
}

/** Waits a little, for tests that cut connections at odd moments. */
export const moment = (ms: number): Promise<void> => delay(ms);
