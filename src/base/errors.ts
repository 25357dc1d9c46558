import { ERROR_CODES, type ErrorCode } from './error-codes.ts';

/** One fault inside a request: a JSON pointer (or parameter name), a code and a sentence for people. */
export type FieldError = { readonly pointer: string; readonly code: string; readonly detail: string };

export type AppErrorOptions = {
  readonly cause?: unknown;
  /** Extra members of the problem document, such as `required` and `missing` scopes. Shown to the caller. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly errors?: readonly FieldError[];
  /** Answered as `Retry-After`. */
  readonly retryAfterSeconds?: number;
};

/** The only error class that is thrown on purpose; its code decides the HTTP status (see ERROR_CODES). */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;
  readonly errors: readonly FieldError[];
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = options.details ?? {};
    this.errors = options.errors ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return ERROR_CODES[this.code].status;
  }
}

/** A `validation_failed` error for one field: "expected X, received Y". */
export function invalidField(pointer: string, detail: string): AppError {
  return new AppError('validation_failed', `${pointer}: ${detail}`, {
    errors: [{ pointer, code: 'invalid', detail }],
  });
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
