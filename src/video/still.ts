import { stat } from 'node:fs/promises';
import { AppError } from '../base/index.ts';
import { FFMPEG_ARGUMENTS, inputArguments } from './arguments.ts';
import { failureOf } from './failure.ts';
import { stillFilters, stillSize } from './filters.ts';
import { frameAt } from './frame-rate.ts';
import { runTool, type ToolRun } from './process.ts';
import type { VideoProbe, VideoStill } from './types.ts';

export type StillContext = {
  readonly ffmpeg: string;
  readonly canToneMap: boolean;
  readonly cores: number;
  readonly timeoutMs: number;
  readonly maxMemoryBytes: number;
  readonly signal?: AbortSignal | undefined;
};

type StillOptions = {
  readonly path: string;
  readonly probe: VideoProbe;
  readonly maxLongSidePx: number;
  readonly outPath: string;
};

/** Frames among which the poster is chosen: one second at 24 frames a second, held in memory after scaling (24 x 3.5 MB). */
const POSTER_FRAMES = 24;
/** Where to look for a poster, as fractions of the duration; the later ones only when the earlier are black or empty. */
const POSTER_POSITIONS = [0.1, 0.3, 0.5, 0.7, 0.02] as const;
/** How far to go back, step by step, where nothing can be decoded. */
const STEPS_BACK_MS = [0, 1000, 2000, 4000, 8000, 16_000, 32_000, Number.POSITIVE_INFINITY] as const;
/** Mean luma (0..255) below which a frame is black, and the spread between dark and light below which it shows nothing. */
const MIN_MEAN_LUMA = 16;
const MIN_LUMA_SPREAD = 12;

/** One frame as a JPEG: the frame that a player shows at `atMs`, or the last one that can be decoded before it. */
export async function writeStill(
  context: StillContext,
  options: StillOptions & { readonly atMs: number },
): Promise<VideoStill> {
  // A stated duration may be longer than the picture track, or than what is left of a truncated file.
  for (const backMs of STEPS_BACK_MS) {
    const seekMs = seekPosition(options.probe, Math.max(0, options.atMs - backMs));
    const run = await runStill(context, { ...options, seekMs, leadMs: Math.min(seekMs, leadOf(options.probe)) });
    const still = run.exitCode === 0 ? await stillOf(options) : undefined;
    if (still) return still;
    if (run.exitCode !== 0 && seekMs === 0) throw failureOf(run);
    if (seekMs === 0) break;
  }
  throw new AppError('file_damaged', 'expected a frame that can be decoded, received none');
}

/** A still that shows something: the most typical frame of one second at 10 %, and later ones where that is black. */
export async function writePoster(context: StillContext, options: StillOptions): Promise<VideoStill> {
  let best: { readonly atMs: number; readonly spread: number } | undefined;
  for (const position of POSTER_POSITIONS) {
    const atMs = Math.round(options.probe.durationMs * position);
    const luma = await tryPoster(context, { ...options, atMs });
    if (!luma) continue;
    const still = luma.mean >= MIN_MEAN_LUMA && luma.spread >= MIN_LUMA_SPREAD ? await stillOf(options) : undefined;
    if (still) return still;
    if (!best || luma.spread > best.spread) best = { atMs, spread: luma.spread };
  }
  return writeStill(context, { ...options, atMs: best?.atMs ?? 0 });
}

async function tryPoster(
  context: StillContext,
  options: StillOptions & { readonly atMs: number },
): Promise<{ readonly mean: number; readonly spread: number } | undefined> {
  const run = await runStill(context, {
    ...options,
    seekMs: seekPosition(options.probe, options.atMs),
    leadMs: 0,
    choose: [`thumbnail=n=${POSTER_FRAMES}`, 'signalstats', 'metadata=mode=print:file=pipe\\\\:1'],
  });
  if (run.exitCode !== 0) return undefined;
  const value = (name: string) => Number(new RegExp(`lavfi\\.signalstats\\.${name}=([\\d.]+)`).exec(run.stdout)?.[1]);
  const mean = value('YAVG');
  const spread = value('YHIGH') - value('YLOW');
  return Number.isFinite(mean) && Number.isFinite(spread) ? { mean, spread } : undefined;
}

function runStill(
  context: StillContext,
  options: StillOptions & {
    readonly seekMs: number;
    /** Decoded before `seekMs` and thrown away. */
    readonly leadMs: number;
    readonly choose?: readonly string[];
  },
): Promise<ToolRun> {
  const size = stillSize(options.probe, options.maxLongSidePx);
  const filters = stillFilters({
    probe: options.probe,
    size,
    canToneMap: context.canToneMap,
    skipMs: options.leadMs,
    ...(options.choose && { choose: options.choose }),
  });
  return runTool({
    command: context.ffmpeg,
    args: [
      [...FFMPEG_ARGUMENTS],
      ['-threads', String(context.cores)],
      // Before -i: jumps to the keyframe before and decodes from there, exact and without reading the whole file.
      ['-ss', ((options.seekMs - options.leadMs) / 1000).toFixed(6)],
      inputArguments(options.path),
      ['-map', `0:${options.probe.videoStreamIndex}`, '-an', '-sn', '-dn', '-map_metadata', '-1'],
      ['-vf', filters, '-frames:v', '1', '-c:v', 'mjpeg', '-q:v', '2'],
      // Stated, because a temporary name has no extension to tell it by.
      ['-f', 'mjpeg', `file:${options.outPath}`],
    ].flat(),
    timeoutMs: context.timeoutMs,
    maxMemoryBytes: context.maxMemoryBytes,
    signal: context.signal,
  });
}

/**
 * Where to seek so that the frame showing at `atMs` is the first one decoded: half a frame before its start, because
 * ffmpeg drops what begins before the position.
 */
function seekPosition(probe: VideoProbe, atMs: number): number {
  if (probe.hasVariableFrameRate) return atMs;
  const { num, den } = probe.frameRate;
  const frameMs = (1000 * den) / num;
  const last = Math.max(0, Math.floor(probe.durationMs / frameMs) - 1);
  const frame = Math.min(last, frameAt({ positionMs: atMs - probe.videoOffsetMs, rate: probe.frameRate }));
  return frame === 0 ? 0 : probe.videoOffsetMs + (frame - 0.5) * frameMs;
}

/**
 * A transport stream has no index of keyframes: a jump may land behind the one that is needed, and a later frame would be
 * taken without a word. Broadcast and HLS have a keyframe at least every 10 s.
 */
function leadOf(probe: VideoProbe): number {
  return probe.containerFormat === 'mpegts' ? 10_000 : 0;
}

async function stillOf(options: StillOptions): Promise<VideoStill | undefined> {
  const bytes = await stat(options.outPath).then(
    (entry) => entry.size,
    () => 0,
  );
  return bytes > 0 ? { ...stillSize(options.probe, options.maxLongSidePx), bytes } : undefined;
}
