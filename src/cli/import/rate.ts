import { KIB, MINUTE_MS, SECOND_MS } from '../../base/index.ts';

export type Rate = {
  readonly bytesPerSecond: number;
  readonly filesPerMinute: number;
  /** Undefined while there is too little to go by. */
  readonly remainingMs: number | undefined;
};
export type RateSample = {
  readonly atMs: number;
  readonly files: number;
  readonly bytes: number;
};

const WINDOW_MS = 30 * SECOND_MS;
const SAMPLE_EVERY_MS = SECOND_MS / 2;
const MIN_SPAN_MS = 2 * SECOND_MS;
/** A file costs as much as its bytes and about these: without them many small files would seem to be done in no time. */
const FILE_COST_BYTES = 256 * KIB;

/** Speed over the last 30 s, and how long the rest takes at it. */
export function createRateMeter(): {
  add(sample: RateSample): void;
  read(total: { readonly files: number; readonly bytes: number }): Rate;
} {
  const samples: RateSample[] = [];
  return {
    add(sample) {
      const before = samples.at(-2);
      // Many calls within one interval only move its last sample.
      if (before && sample.atMs - before.atMs < SAMPLE_EVERY_MS) samples.pop();
      samples.push(sample);
      while (samples.length > 2 && sample.atMs - (samples[0]?.atMs ?? 0) > WINDOW_MS) samples.shift();
    },
    read(total) {
      const first = samples[0];
      const last = samples.at(-1);
      const spanMs = first && last ? last.atMs - first.atMs : 0;
      if (!first || !last || spanMs <= 0) return { bytesPerSecond: 0, filesPerMinute: 0, remainingMs: undefined };
      const bytes = Math.max(0, last.bytes - first.bytes);
      const files = Math.max(0, last.files - first.files);
      const done = bytes + files * FILE_COST_BYTES;
      const rest = Math.max(0, total.bytes - last.bytes) + Math.max(0, total.files - last.files) * FILE_COST_BYTES;
      return {
        bytesPerSecond: (bytes / spanMs) * SECOND_MS,
        filesPerMinute: (files / spanMs) * MINUTE_MS,
        remainingMs: done === 0 || spanMs < MIN_SPAN_MS ? undefined : (rest / done) * spanMs,
      };
    },
  };
}
