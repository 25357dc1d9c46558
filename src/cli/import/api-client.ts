import { randomUUID } from 'node:crypto';
import { messageOf, MINUTE_MS } from '../../base/index.ts';
import { readRetryAfterMs, retry, type Try } from './retry.ts';

/** A refusal of the service: its status, code and sentence. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
  }
}

/** The service was not reached, or did not answer as one: another file would fare no better. */
export class UnreachableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UnreachableError';
  }
}

export type ApiAnswer<T> = { readonly status: number; readonly headers: Headers; readonly body: T };

export type ApiCall = {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** 1 to 5 (default). */
  readonly maxFailures?: number;
  readonly signal: AbortSignal;
};
export type StreamCall = {
  readonly path: string;
  readonly contentType: string;
  readonly contentLength: number;
  /** Asked once per try. */
  readonly body: () => AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
};

/** A client of the HTTP API. Answers other than 2xx are thrown; what may pass is tried again (see `retry`). */
export type ApiClient = {
  readonly baseUrl: string;
  /** @throws ApiError, UnreachableError, the signal's reason */
  call<T>(call: ApiCall): Promise<ApiAnswer<T>>;
  /** POSTs a stream of known length. @throws as `call`, and what the body throws */
  send<T>(call: StreamCall): Promise<ApiAnswer<T>>;
};

const JSON_TIMEOUT_MS = MINUTE_MS;
/** Of a 3xx: following would hand the key to another address. */
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

type Problem = {
  readonly title?: string;
  readonly detail?: string;
  readonly code?: string;
};

function problemText(problem: Problem, status: number): string {
  const text = problem.detail ?? problem.title ?? '';
  return text === '' ? `the service answered ${status}` : text;
}

/** The innermost reason of `fetch failed`, such as `connect ECONNREFUSED 127.0.0.1:8080`. */
function networkReason(error: unknown): string {
  let deepest = error;
  while (deepest instanceof Error && deepest.cause !== undefined) deepest = deepest.cause;
  if (deepest instanceof AggregateError && deepest.errors.length > 0) return messageOf(deepest.errors[0]);
  return messageOf(deepest) || messageOf(error);
}

async function readAnswer<T>(response: Response, baseUrl: string): Promise<Try<ApiAnswer<T>>> {
  const { status, headers } = response;
  const text = await response.text();
  let body: unknown;
  try {
    body = text === '' ? undefined : JSON.parse(text);
  } catch {
    body = undefined;
  }
  if (REDIRECTS.has(status)) {
    const message = `${baseUrl} redirects to ${headers.get('location') ?? 'another address'}: expected the address itself`;
    throw new UnreachableError(message);
  }
  if (status >= 200 && status < 300) {
    if (typeof body !== 'object' || body === null) {
      throw new UnreachableError(`expected a Touchline service at ${baseUrl}, received an answer that is not JSON`);
    }
    // The service validates its answers against the schemas of src/api/wire.
    return { kind: 'done', value: { status, headers, body: body as T } };
  }
  const problem: Problem = typeof body === 'object' && body !== null ? body : {};
  const error = new ApiError(status, problem.code ?? `http_${status}`, problemText(problem, status));
  if (status === 429 || status === 503 || error.code === 'idempotency_in_progress') {
    return { kind: 'busy', error, retryAfterMs: readRetryAfterMs(headers.get('retry-after'), Date.now()) };
  }
  if (status >= 500 && status !== 501) {
    return { kind: 'failed', error: new UnreachableError(`${baseUrl}: ${error.message}`) };
  }
  if (status === 408 || error.code === 'upload_incomplete') return { kind: 'failed', error };
  throw error;
}

/** What fetch is given; headers as an object, so that they can be joined with others. */
type Sending = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> };

/** A client for the service at `baseUrl` (no slash at the end). The key goes into a header and nowhere else. */
export function createApiClient(options: { readonly baseUrl: string; readonly apiKey: string }): ApiClient {
  const { baseUrl, apiKey } = options;

  const attempt = async <T>(path: string, init: Sending, signal: AbortSignal): Promise<Try<ApiAnswer<T>>> => {
    let response: Response;
    try {
      response = await fetch(baseUrl + path, {
        redirect: 'manual',
        ...init,
        headers: { Accept: 'application/json', ...init.headers, 'X-Api-Key': apiKey },
      });
      return await readAnswer<T>(response, baseUrl);
    } catch (error) {
      if (error instanceof ApiError || error instanceof UnreachableError) throw error;
      signal.throwIfAborted();
      return {
        kind: 'failed',
        error: new UnreachableError(`${baseUrl} was not reached: ${networkReason(error)}`, { cause: error }),
      };
    }
  };

  return {
    baseUrl,

    call<T>({ method, path, json, headers, maxFailures, signal }: ApiCall) {
      // One key for all tries: a creation whose answer was lost is not made twice.
      const idempotency = method === 'POST' ? { 'Idempotency-Key': randomUUID() } : {};
      const type = json === undefined ? {} : { 'Content-Type': 'application/json' };
      return retry(
        () =>
          attempt<T>(
            path,
            {
              method,
              headers: { ...idempotency, ...type, ...headers },
              ...(json === undefined ? {} : { body: JSON.stringify(json) }),
              signal: AbortSignal.any([signal, AbortSignal.timeout(JSON_TIMEOUT_MS)]),
            },
            signal,
          ),
        { signal, maxFailures },
      );
    },

    send<T>({ path, contentType, contentLength, body, signal }: StreamCall) {
      return retry(() => sendOnce<T>(attempt, { path, contentType, contentLength, body, signal }), { signal });
    },
  };
}

/** No byte taken for so long means a dead connection; TCP itself gives up only after a quarter of an hour. */
const STALL_MS = 2 * MINUTE_MS;

async function sendOnce<T>(
  attempt: (path: string, init: Sending, signal: AbortSignal) => Promise<Try<ApiAnswer<T>>>,
  { path, contentType, contentLength, body, signal }: StreamCall,
): Promise<Try<ApiAnswer<T>>> {
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(new Error('the connection stalled')), STALL_MS);
  let bodyError: Error | undefined;
  async function* watched(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of body()) {
        timer.refresh();
        yield chunk;
      }
    } catch (error) {
      bodyError = error instanceof Error ? error : new Error(messageOf(error));
      throw error;
    } finally {
      // From here on the service works on the file: it answers in its own time (fetch waits 5 minutes for it).
      clearTimeout(timer);
    }
  }
  try {
    const outcome = await attempt(
      path,
      {
        method: 'POST',
        headers: { 'Content-Type': contentType, 'Content-Length': String(contentLength) },
        body: watched(),
        duplex: 'half',
        // Where a redirect could be followed, fetch sends a clone of the request and keeps a copy of the whole body (Fetch
        // standard, HTTP-network-or-cache fetch): a file of 2 GB took 2 GB of memory. With `error` there is no clone.
        redirect: 'error',
        signal: AbortSignal.any([signal, stalled.signal]),
      },
      signal,
    );
    // A file that cannot be read is no fault of the network: another try would end the same.
    if (outcome.kind === 'failed' && bodyError) throw bodyError;
    return outcome;
  } finally {
    clearTimeout(timer);
  }
}
