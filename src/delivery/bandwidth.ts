import { setTimeout as delay } from 'node:timers/promises';
import { KIB, SECOND_MS } from '../base/index.ts';

export type Bandwidth = {
  /** Bytes a second; undefined: no limit. */
  limit(bytesPerSecond: number | undefined): void;
  /** The chunks, each when there is room for it. Ends with the signal's reason. */
  pace(chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncIterable<Uint8Array>;
};

export type Pacing = { nowMs(): number; wait(ms: number, signal: AbortSignal): Promise<unknown> };
const REAL: Pacing = {
  nowMs: () => performance.now(),
  wait: (ms, signal) => delay(ms, undefined, { signal }),
};

/** Large pieces go out in bursts, tiny ones cost a timer each: a tenth of a second of bytes is neither. */
const PIECES_PER_SECOND = 10;
const SMALLEST_PIECE_BYTES = KIB;

/**
 * A token bucket that all deliveries to a destination draw from. It holds a tenth of a second at most, so that a pause is not made up
 * for by a burst.
 */
export function createBandwidth(pacing: Pacing = REAL): Bandwidth {
  let rate: number | undefined;
  /** When the bytes that were let through so far are through at this rate; everybody waits behind those before. */
  let freeAtMs = 0;

  const take = async (bytes: number, signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    if (rate === undefined) return;
    const nowMs = pacing.nowMs();
    const startMs = Math.max(freeAtMs, nowMs - SECOND_MS / PIECES_PER_SECOND);
    freeAtMs = startMs + (bytes / rate) * SECOND_MS;
    const waitMs = freeAtMs - nowMs;
    if (waitMs <= 0) return;
    try {
      await pacing.wait(waitMs, signal);
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    }
  };

  return {
    limit(bytesPerSecond) {
      if (bytesPerSecond === rate) return;
      rate = bytesPerSecond;
      // What waits at the old rate does so; what comes is not held up by it.
      freeAtMs = 0;
    },
    async *pace(chunks, signal) {
      for await (const chunk of chunks) {
        for (let at = 0; at < chunk.length; ) {
          const piece =
            rate === undefined
              ? chunk.length - at
              : Math.max(SMALLEST_PIECE_BYTES, Math.floor(rate / PIECES_PER_SECOND));
          const part = chunk.subarray(at, at + piece);
          await take(part.length, signal);
          yield part;
          at += part.length;
        }
      }
    },
  };
}
