/** What the channels over a network share: time limits, the check of the source, faults of the network. */
import { createHash } from 'node:crypto';
import { ChannelError, type FaultCode, type PutOptions } from '../channel.ts';

/**
 * Runs what may never answer. The signal that `work` gets ends with the caller's, and after `limitMs`; the result is not waited for any
 * longer then. @throws ChannelError `timeout`, or the signal's reason
 */
export async function withinLimit<Result>(
  limit: { readonly signal: AbortSignal; readonly limitMs: number; readonly what: string },
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { signal, limitMs, what } = limit;
  signal.throwIfAborted();
  const controller = new AbortController();
  const late = (): void =>
    controller.abort(new ChannelError('timeout', `expected ${what} within ${limitMs / 1000} s, received none`));
  const timer = setTimeout(late, limitMs);
  const onAbort = (): void => controller.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const ended = new Promise<never>((_, reject) => {
      controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
    });
    return await Promise.race([work(controller.signal), ended]);
  } catch (error) {
    // An aborted library throws an error of its own; the reason says why.
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** Marks an error of the source, so that no channel takes it for one of the target. */
export type CheckedSource = {
  /** From the offset on. Ends with `source_changed` when the length, or, read from 0, the SHA-256 is another. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** What the source threw, if it did. */
  failure(): { readonly error: unknown } | undefined;
};

/** The source of a put from `offset` on, which must turn out to be what was said. */
export function checkedSource(put: PutOptions, offset = 0): CheckedSource {
  let failed: { readonly error: unknown } | undefined;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      const hash = offset === 0 ? createHash('sha256') : undefined;
      let at = offset;
      for await (const chunk of put.read(offset, put.signal)) {
        put.signal.throwIfAborted();
        at += chunk.length;
        if (at > put.bytes) break;
        hash?.update(chunk);
        yield chunk;
      }
      if (at !== put.bytes || (hash && hash.digest('hex') !== put.sha256)) throw sourceChanged();
    } catch (error) {
      failed = { error };
      throw error;
    }
  }
  return { chunks: chunks(), failure: () => failed };
}

export function sourceChanged(): ChannelError {
  return new ChannelError('source_changed', 'expected the size and SHA-256 that were said, received other bytes');
}

/** The source in pieces of exactly `pieceBytes`, the last one shorter. */
export async function* piecesOf(chunks: AsyncIterable<Uint8Array>, pieceBytes: number): AsyncGenerator<Buffer> {
  let piece = Buffer.allocUnsafe(pieceBytes);
  let filled = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const take = Math.min(pieceBytes - filled, chunk.length - at);
      piece.set(chunk.subarray(at, at + take), filled);
      filled += take;
      at += take;
      if (filled < pieceBytes) continue;
      yield piece;
      piece = Buffer.allocUnsafe(pieceBytes);
      filled = 0;
    }
  }
  if (filled > 0) yield piece.subarray(0, filled);
}

export async function sha256Of(
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ readonly sha256: string; readonly bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { sha256: hash.digest('hex'), bytes };
}

/** The `code` of a system or TLS error, also of one that is the cause of another. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return errorCode(error.cause);
}

const NETWORK: Readonly<Record<string, FaultCode>> = {
  ECONNREFUSED: 'unreachable',
  ENOTFOUND: 'unreachable',
  EAI_AGAIN: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ETIMEDOUT: 'timeout',
  TimeoutError: 'timeout',
  ECONNRESET: 'connection_lost',
  ECONNABORTED: 'connection_lost',
  EPIPE: 'connection_lost',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'refused',
  SELF_SIGNED_CERT_IN_CHAIN: 'refused',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'refused',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'refused',
  CERT_HAS_EXPIRED: 'refused',
  ERR_TLS_CERT_ALTNAME_INVALID: 'refused',
};

/** A fault of name service, network or certificate; undefined when it is none of these. */
export function networkFault(error: unknown): ChannelError | undefined {
  const name = errorCode(error) ?? (error instanceof Error ? error.name : '');
  const code = NETWORK[name];
  return code && new ChannelError(code, `expected a connection to the server, received ${name}`, { cause: error });
}

/** What to throw for an error: the signal's reason, the source's own error, a ChannelError as it is, else what `classify` says. */
export function faultOf(
  error: unknown,
  context: {
    readonly signal: AbortSignal;
    readonly source?: CheckedSource | undefined;
    readonly classify: (error: unknown) => ChannelError;
  },
): unknown {
  if (context.signal.aborted) return context.signal.reason;
  const failure = context.source?.failure();
  if (failure) return failure.error;
  if (error instanceof ChannelError) return error;
  return networkFault(error) ?? context.classify(error);
}
