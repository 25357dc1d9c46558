import { currentSession, onSessionChange } from './session.ts';

/** An event of the library (docs/events.md). */
export type LibraryEvent = {
  readonly id: number;
  readonly type: string;
  readonly object: { readonly kind: string; readonly id: number };
  readonly data: Readonly<Record<string, unknown>>;
};
/** How far something is at this moment; not part of the feed. */
export type ProgressMessage = {
  readonly kind: 'delivery' | 'clip' | 'operation';
  readonly id: number;
  readonly progress: number;
};
type Listener = {
  readonly onEvent?: (event: LibraryEvent) => void;
  readonly onProgress?: (message: ProgressMessage) => void;
};

/** Nothing, not even a comment, for this long: the connection is dead. */
const SILENCE_MS = 35_000;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;

const listeners = new Set<Listener>();
let abort: AbortController | undefined;
let lastId: string | undefined;

/**
 * Listens to the change feed until the answer is called. All listeners share one connection, which comes back by itself and
 * misses nothing meanwhile.
 */
export function listenToEvents(listener: Listener): () => void {
  listeners.add(listener);
  if (!abort) void run();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) stop();
  };
}

function stop(): void {
  abort?.abort();
  abort = undefined;
}

onSessionChange(() => {
  stop();
  lastId = undefined;
  if (listeners.size > 0 && currentSession()) void run();
});

async function run(): Promise<void> {
  const own = new AbortController();
  abort = own;
  let waitMs = FIRST_WAIT_MS;
  while (!own.signal.aborted && currentSession()) {
    try {
      const isRefused = await readOnce(own.signal, () => {
        waitMs = FIRST_WAIT_MS;
      });
      if (isRefused) break;
    } catch {
      // Cut off, or never there: it is tried again below.
    }
    if (own.signal.aborted) break;
    await new Promise((resolve) => setTimeout(resolve, waitMs * (0.5 + Math.random())));
    waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2);
  }
  if (abort === own) abort = undefined;
}

/** One connection, until it ends. Answers whether the service refused it for good. */
async function readOnce(signal: AbortSignal, onAlive: () => void): Promise<boolean> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const response = await fetch('/v1/event/stream?progress=true', {
      headers: { 'X-Api-Key': currentSession()?.key ?? '', ...(lastId !== undefined && { 'Last-Event-ID': lastId }) },
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (response.status === 410) lastId = undefined;
    if (!response.ok || !response.body) return response.status === 401 || response.status === 403;
    onAlive();
    let rest = '';
    for await (const text of textOf(response.body)) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      const messages = (rest + text).split('\n\n');
      rest = messages.pop() ?? '';
      for (const message of messages) take(message);
    }
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/** Not every browser lets a stream be iterated. */
async function* textOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncIterable<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/** The message format of HTML's Server-Sent Events: fields in lines. */
function take(message: string): void {
  const fields = new Map(
    message.split('\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')] as const;
    }),
  );
  lastId = fields.get('id') ?? lastId;
  const data = fields.get('data');
  if (data === undefined || data === '') return;
  const isProgress = fields.get('event') === 'progress';
  // As docs/events.md has them.
  const content = JSON.parse(data) as LibraryEvent & ProgressMessage;
  for (const { onEvent, onProgress } of listeners) {
    if (isProgress) onProgress?.(content);
    else onEvent?.(content);
  }
}
