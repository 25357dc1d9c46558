export type OutboundFault =
  | 'address_refused'
  | 'url_invalid'
  | 'name_not_found'
  | 'unreachable'
  | 'tls_failed'
  | 'timeout'
  | 'connection_lost'
  | 'too_many_redirects';

/** Why a request got no answer, in words that may be shown to the admin of the organization: never with what an internal network says. */
export class OutboundError extends Error {
  readonly code: OutboundFault;
  constructor(code: OutboundFault, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.name = 'OutboundError';
    this.code = code;
  }
}

const LOST: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'HPE_INVALID_CONSTANT']);
const UNREACHABLE: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'ETIMEDOUT',
  'EACCES',
]);

/** What Node threw, as one of ours. */
export function toOutboundError(error: unknown, host: string): OutboundError {
  if (error instanceof OutboundError) return error;
  const { code, errors } = error instanceof Error ? (error as NodeJS.ErrnoException & { errors?: unknown }) : {};
  // Several addresses were tried: the first fault speaks for all.
  if (Array.isArray(errors) && errors.length > 0) return toOutboundError(errors[0], host);
  const cause = { cause: error };
  if (code === undefined) return new OutboundError('connection_lost', `the connection to ${host} was lost`, cause);
  if (UNREACHABLE.has(code)) return new OutboundError('unreachable', `${host} cannot be reached (${code})`, cause);
  if (LOST.has(code)) return new OutboundError('connection_lost', `the connection to ${host} was lost`, cause);
  if (/CERT|SSL|TLS|SIGNATURE|ALTNAME/.test(code)) {
    return new OutboundError('tls_failed', `no secure connection to ${host}: ${code}`, cause);
  }
  if (code.startsWith('HPE_')) {
    return new OutboundError('connection_lost', `${host} does not answer as HTTP/1.1 asks for`, cause);
  }
  return new OutboundError('connection_lost', `the connection to ${host} was lost (${code})`, cause);
}
