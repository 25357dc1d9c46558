import type { components } from './schema.d.ts';

type Problem = components['schemas']['Problem'];

/** What the service refused, or that it did not answer. `detail` is a sentence for the reader. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  /** 0 when there was no answer. */
  readonly status: number;
  /** One of docs/errors.md, or `no_answer`. */
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly requestId: string | undefined;
  /** What is wrong with which part of the request, by JSON pointer. */
  readonly fields: readonly { readonly pointer: string; readonly code: string; readonly detail: string }[];
  readonly retryAfterMs: number | undefined;

  constructor(given: {
    readonly status: number;
    readonly code: string;
    readonly title: string;
    readonly detail: string;
    readonly requestId?: string | undefined;
    readonly fields?: ApiProblem['fields'];
    readonly retryAfterMs?: number | undefined;
    readonly cause?: unknown;
  }) {
    super(given.detail, { cause: given.cause });
    this.status = given.status;
    this.code = given.code;
    this.title = given.title;
    this.detail = given.detail;
    this.requestId = given.requestId;
    this.fields = given.fields ?? [];
    this.retryAfterMs = given.retryAfterMs;
  }

  /** Whether the same request may well succeed a moment later. */
  get isRetryable(): boolean {
    return (
      this.status === 0 || this.status === 429 || this.status === 502 || this.status === 503 || this.status === 504
    );
  }
}

/** A problem document as the service sends it; anything else (a proxy's page) becomes one by its status. */
export function problemOfAnswer(response: Response, body: unknown): ApiProblem {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const retryAfterMs = Number.isFinite(seconds) ? seconds * 1000 : undefined;
  const { status } = response;
  if (typeof body === 'object' && body !== null && 'code' in body && 'detail' in body) {
    // Every refusal of the service has this form (docs/errors.md).
    const problem = body as Problem;
    return new ApiProblem({
      status,
      code: problem.code,
      title: problem.title,
      detail: problem.detail,
      requestId: problem.request_id,
      fields: problem.errors ?? [],
      retryAfterMs,
    });
  }
  return new ApiProblem({
    status,
    code: 'unexpected_answer',
    title: 'Unexpected answer',
    detail: `The service answered with status ${status} and no explanation. Try again in a moment.`,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterMs,
  });
}

/** Any thrown value as a problem that can be shown. An abort stays what it is. */
export function toProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  if (error instanceof TypeError) {
    return new ApiProblem({
      status: 0,
      code: 'no_answer',
      title: 'No connection',
      detail: 'The service does not answer. Check the connection, and whether the service runs.',
      cause: error,
    });
  }
  return new ApiProblem({
    status: 0,
    code: 'fault',
    title: 'Something went wrong',
    detail: error instanceof Error ? error.message : String(error),
    cause: error,
  });
}
