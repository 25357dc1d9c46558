import { stat } from 'node:fs/promises';
import { AppError, HOUR_MS, MINUTE_MS } from '../base/index.ts';
import { failureOf } from './failure.ts';
import { probeVideo } from './probe.ts';
import { runTool } from './process.ts';
import { createStallWatch, type ProxyContext } from './proxy.ts';
import type { VideoProbe } from './types.ts';

export type ClipContext = ProxyContext;

/** 30 minutes of 8K at a fiftieth of real time. */
const TIMEOUT_MS = 25 * HOUR_MS;

/** A keyframe at least every 50 frames: players jump quickly, and the clip can be cut again. */
export const ENCODE_ARGUMENTS: readonly string[] = [
  ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-profile:v', 'high', '-pix_fmt', 'yuv420p'],
  ['-g', '50', '-keyint_min', '1'],
  ['-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709', '-color_range', 'tv'],
].flat();

export const SOUND_ARGUMENTS = ['-c:a', 'aac', '-b:a', '192k', '-ar', '48000', '-ac', '2'] as const;

/** An MP4 that plays while it loads. The source's metadata may hold a place or a name; clips carry none. */
export const MP4_ARGUMENTS: readonly string[] = [
  ['-sn', '-dn', '-map_metadata', '-1', '-map_chapters', '-1', '-max_muxing_queue_size', '4096'],
  ['-movflags', '+faststart', '-f', 'mp4'],
].flat();

/** Runs ffmpeg and tells how many frames it has written. */
export async function runClip(
  context: ClipContext,
  options: {
    readonly args: readonly string[];
    readonly outPath: string;
    readonly onFrames: (frames: number) => void;
  },
): Promise<void> {
  let seen = 0;
  const run = await runTool({
    command: context.ffmpeg,
    args: [...options.args.slice(0, -1), '-progress', 'pipe:1', ...options.args.slice(-1)],
    timeoutMs: TIMEOUT_MS,
    maxMemoryBytes: context.maxMemoryBytes,
    signal: context.signal,
    watch: createStallWatch({ outPath: options.outPath, stallMs: context.stallMs, positionMs: () => seen }),
    onLine: (line) => {
      const frames = Number(/^frame=\s*(\d+)/.exec(line)?.[1] ?? Number.NaN);
      if (!(frames > seen)) return;
      seen = frames;
      options.onFrames(frames);
    },
  });
  if (run.exitCode !== 0) throw failureOf(run);
}

/** What was written, read back: ffmpeg ends with status 0 on a source that breaks off. */
export async function probeClip(
  context: ClipContext,
  path: string,
): Promise<{ readonly probe: VideoProbe; readonly bytes: number }> {
  const probe = await probeVideo({
    path,
    ffprobe: context.ffprobe,
    timeoutMs: MINUTE_MS,
    signal: context.signal,
  }).catch((cause: unknown) => {
    if (context.signal?.aborted) throw cause;
    throw new AppError('file_damaged', 'expected frames that can be decoded in the cut, received none', { cause });
  });
  return { probe, bytes: (await stat(path)).size };
}
