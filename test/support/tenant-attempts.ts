import type { ErrorCode } from '../../src/base/error-codes.ts';

/**
 * What the stranger tries at one route. `own`: the request may succeed, with the stranger's objects only. Error codes: the
 * request names something of the owner and must be refused in one of these ways.
 */
export type Attempt = {
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Metadata of an upload of the owner's own photograph, instead of a body. */
  readonly upload?: object;
  /** Name of a watermark that is put, instead of a body. */
  readonly watermark?: string;
  readonly outcome: 'own' | readonly ErrorCode[];
};

export const own = (path: string, body?: object): Attempt => ({ path, ...(body && { body }), outcome: 'own' });
export const refused = (path: string, codes: ErrorCode | readonly ErrorCode[], body?: object): Attempt => ({
  path,
  ...(body && { body }),
  outcome: [codes].flat(),
});
