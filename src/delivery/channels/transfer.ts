/** What the channels over a network share: time limits, the check of the source, faults of the network. */
import { createHash } from 'node:crypto';
import { MINUTE_MS } from '../../base/index.ts';
import { ChannelError, type FaultCode, type PutOptions } from '../channel.ts';

/**
 * Runs what may never answer. The signal that `work` gets ends with the caller's, and after `limitMs`; the result is not waited for any
 * longer then. @throws ChannelError `timeout`, or the signal's reason
 */
export async function withinLimit<Result>(
  limit: {
    readonly signal: AbortSignal;
    readonly limitMs: number;
    readonly what: string;
    /** Also ended when `work` has not called its second argument for so long. */
    readonly stallMs?: number;
  },
  work: (signal: AbortSignal, onMove: () => void) => Promise<Result>,
): Promise<Result> {
  const { signal, limitMs, stallMs, what } = limit;
  signal.throwIfAborted();
  const controller = new AbortController();
  const late = (ms: number): void =>
    controller.abort(new ChannelError('timeout', `expected ${what} within ${ms / 1000} s, received none`));
  const timer = setTimeout(late, limitMs, limitMs);
  const stall = stallMs === undefined ? undefined : setTimeout(late, stallMs, stallMs);
  const onAbort = (): void => controller.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const ended = new Promise<never>((_, reject) => {
      controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
    });
    return await Promise.race([work(controller.signal, () => stall?.refresh()), ended]);
  } catch (error) {
    // An aborted library throws an error of its own; the reason says why.
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    clearTimeout(timer);
    clearTimeout(stall);
    signal.removeEventListener('abort', onAbort);
  }
}

/** How long a target may be silent when nobody says otherwise. */
export const STALL_MS = MINUTE_MS;

/** Marks an error of the source, so that no channel takes it for one of the target. */
export type CheckedSource = {
  /** From the offset on. Ends with `source_changed` when the length, or, hashed from 0, the SHA-256 is another. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** What the source threw, if it did. */
  failure(): { readonly error: unknown } | undefined;
};

/**
 * The source of a put from `offset` on, which must turn out to be what was said: its length, and its hash where that is not shown by
 * what the target answers.
 */
export function checkedSource(
  put: PutOptions,
  { offset = 0, isHashed = true }: { readonly offset?: number; readonly isHashed?: boolean } = {},
): CheckedSource {
  let failed: { readonly error: unknown } | undefined;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      const hash = isHashed && offset === 0 ? createHash('sha256') : undefined;
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

/**
 * The source in pieces of exactly `pieceBytes`, the last one shorter. `bytes`: how much is to come, so that no buffer is too long.
 * Whoever has done with a whole piece may put it into `used`: fresh memory keeps the garbage collector busy.
 */
export async function* piecesOf(
  chunks: AsyncIterable<Uint8Array>,
  options: { readonly pieceBytes: number; readonly bytes: number; readonly used?: Buffer<ArrayBuffer>[] },
): AsyncGenerator<Buffer<ArrayBuffer>> {
  const { pieceBytes, used } = options;
  let left = options.bytes;
  // Never of the memory that small buffers share, so that a piece can go to another thread.
  const next = (): Buffer<ArrayBuffer> =>
    (left >= pieceBytes ? used?.pop() : undefined) ?? Buffer.allocUnsafeSlow(Math.max(1, Math.min(pieceBytes, left)));
  let piece = next();
  let filled = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const take = Math.min(piece.length - filled, chunk.length - at);
      piece.set(chunk.subarray(at, at + take), filled);
      filled += take;
      at += take;
      if (filled < piece.length) continue;
      left -= filled;
      yield piece;
      piece = next();
      filled = 0;
    }
  }
  if (filled > 0) yield piece.subarray(0, filled);
}

/** All of a source in one buffer; the source's only chunk is that buffer. */
export async function wholeOf(chunks: AsyncIterable<Uint8Array>, bytes: number): Promise<Buffer> {
  let whole: Buffer | undefined;
  let filled = 0;
  for await (const chunk of chunks) {
    if (filled === 0 && chunk.length === bytes) whole = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    else (whole ??= Buffer.allocUnsafe(bytes)).set(chunk, filled);
    filled += chunk.length;
  }
  return whole ?? Buffer.alloc(0);
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
    readonly source?: Pick<CheckedSource, 'failure'> | undefined;
    readonly classify: (error: unknown) => ChannelError;
  },
): unknown {
  if (context.signal.aborted) return context.signal.reason;
  const failure = context.source?.failure();
  if (failure) return failure.error;
  if (error instanceof ChannelError) return error;
  return networkFault(error) ?? context.classify(error);
}
