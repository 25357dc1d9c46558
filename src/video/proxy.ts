import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { AppError, GIB, HOUR_MS, MINUTE_MS } from '../base/index.ts';
import { FFMPEG_ARGUMENTS, inputArguments } from './arguments.ts';
import { failureOf } from './failure.ts';
import { proxyFilters, proxySize } from './filters.ts';
import { proxyRate } from './frame-rate.ts';
import { probeVideo } from './probe.ts';
import { runTool } from './process.ts';
import type { ProxyProgress, VideoProbe, VideoProxy } from './types.ts';

export type ProxyContext = {
  readonly ffmpeg: string;
  readonly ffprobe: string;
  readonly canToneMap: boolean;
  readonly cores: number;
  readonly maxMemoryBytes: number;
  /** Without progress for this long, the run is ended. */
  readonly stallMs: number;
  readonly signal?: AbortSignal | undefined;
};

export type ProxyOptions = {
  readonly path: string;
  readonly probe: VideoProbe;
  readonly outPath: string;
  readonly onProgress?: ((progress: ProxyProgress) => void) | undefined;
};

const SHORT_SIDE_PX = 720;
/** A panorama of 8192 x 1080 would exceed what browsers decode in hardware (4096). */
const LONG_SIDE_PX = 4096;
/** A keyframe every 50 frames, exactly there, so that a player jumps quickly and a clip can be cut by time. */
const KEYFRAME_INTERVAL = '50';
/** 12 h of video at half real time; two cores were measured at 2.7 times real time for 1080p. */
const TIMEOUT_MS = 24 * HOUR_MS;
/** Less than this share decoded is no proxy of the file. */
const MIN_DECODED_RATIO = 0.5;
/** Containers round, and audio may be longer than the picture: 500 ms or 2 % are no truncation. */
const DURATION_TOLERANCE_MS = 500;
const DURATION_TOLERANCE_RATIO = 0.02;

/** See `Ffmpeg.makeProxy`. */
export async function writeProxy(context: ProxyContext, options: ProxyOptions): Promise<VideoProxy> {
  const progress = createProgress(options);
  const run = await runTool({
    command: context.ffmpeg,
    args: proxyArguments(context, options),
    timeoutMs: TIMEOUT_MS,
    maxMemoryBytes: context.maxMemoryBytes,
    signal: context.signal,
    onLine: progress.read,
    watch: createStallWatch({ outPath: options.outPath, stallMs: context.stallMs, positionMs: progress.positionMs }),
  });
  if (run.exitCode !== 0) throw failureOf(run);
  return checkProxy(context, options);
}

/** ffmpeg ends with status 0 on truncated input, so the durations are compared. */
async function checkProxy(context: ProxyContext, options: ProxyOptions): Promise<VideoProxy> {
  const proxy = await probeVideo({
    path: options.outPath,
    ffprobe: context.ffprobe,
    timeoutMs: MINUTE_MS,
    signal: context.signal,
  }).catch((cause: unknown) => {
    if (context.signal?.aborted) throw cause;
    throw new AppError('file_damaged', 'expected a video that can be decoded, received no frame', { cause });
  });
  const sourceMs = options.probe.durationMs;
  if (proxy.durationMs < sourceMs * MIN_DECODED_RATIO) {
    throw new AppError(
      'file_damaged',
      `expected ${sourceMs} ms of video as the file states, received ${proxy.durationMs} ms that can be decoded`,
    );
  }
  const missingMs = sourceMs - proxy.durationMs;
  return {
    width: proxy.width,
    height: proxy.height,
    durationMs: proxy.durationMs,
    bytes: (await stat(options.outPath)).size,
    frameRate: proxy.frameRate,
    truncated: missingMs > Math.max(DURATION_TOLERANCE_MS, sourceMs * DURATION_TOLERANCE_RATIO),
  };
}

function proxyArguments(context: ProxyContext, options: ProxyOptions): string[] {
  const { probe } = options;
  const size = proxySize(probe, { shortPx: SHORT_SIDE_PX, longPx: LONG_SIDE_PX });
  const filters = proxyFilters({ probe, size, canToneMap: context.canToneMap, rate: proxyRate(probe.frameRate) });
  return [
    [...FFMPEG_ARGUMENTS],
    ['-threads', String(context.cores)],
    inputArguments(options.path),
    ['-map', `0:${probe.videoStreamIndex}`, '-vf', filters],
    ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-maxrate', '6M', '-bufsize', '12M'],
    ['-profile:v', 'high', '-pix_fmt', 'yuv420p', '-threads', String(context.cores)],
    ['-g', KEYFRAME_INTERVAL, '-keyint_min', KEYFRAME_INTERVAL, '-sc_threshold', '0'],
    ['-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709', '-color_range', 'tv'],
    audioArguments(probe),
    // The source's metadata may hold a place or a name; renditions carry none.
    ['-sn', '-dn', '-map_metadata', '-1', '-map_chapters', '-1'],
    // Phones interleave coarsely; the default of 128 packets ends the run with "Too many packets buffered".
    ['-max_muxing_queue_size', '4096', '-movflags', '+faststart'],
    ['-progress', 'pipe:1', '-f', 'mp4', `file:${options.outPath}`],
  ].flat();
}

function audioArguments(probe: VideoProbe): string[] {
  const [left, right] = probe.audioTracks;
  if (!left) return ['-an'];
  // Gaps (lost packets, a phone's variable clock) are filled, or sound and picture drift apart.
  const encode = ['-c:a', 'aac', '-b:a', '128k', '-ar', '48000', '-ac', '2'];
  if (left.channels === 1 && right?.channels === 1) {
    // Broadcast MXF carries left and right as two mono tracks.
    const pair = `[0:${left.streamIndex}][0:${right.streamIndex}]join=inputs=2:channel_layout=stereo,aresample=async=1000[sound]`;
    return ['-filter_complex', pair, '-map', '[sound]', ...encode];
  }
  return ['-map', `0:${left.streamIndex}`, '-af', 'aresample=async=1000', ...encode];
}

/** Reads the key=value lines of `-progress`; a block ends with `progress=`. */
function createProgress(options: ProxyOptions): {
  readonly read: (line: string) => void;
  readonly positionMs: () => number;
} {
  let positionMs = 0;
  return {
    read(line) {
      const [key, value = ''] = line.trim().split('=', 2);
      // out_time_us is N/A before the first packet.
      const reachedMs = key === 'out_time_us' ? Number(value) / 1000 : Number.NaN;
      if (reachedMs > positionMs) positionMs = reachedMs;
      if (key !== 'progress') return;
      const ratio = value === 'end' ? 1 : Math.min(1, positionMs / options.probe.durationMs);
      options.onProgress?.({ ratio, positionMs: Math.round(positionMs) });
    },
    positionMs: () => positionMs,
  };
}

/**
 * Progress is a later position, or a changed output: at the end +faststart rewrites the whole file without a word, which
 * takes minutes on a slow disk.
 */
export function createStallWatch(options: {
  readonly outPath: string;
  readonly stallMs: number;
  readonly positionMs: () => number;
}): () => AppError | undefined {
  let seen = '';
  let seenAtMs = performance.now();
  return () => {
    const entry = statSync(options.outPath, { throwIfNoEntry: false });
    const now = `${options.positionMs()} ${entry?.size} ${entry?.mtimeMs}`;
    if (now !== seen) {
      seen = now;
      seenAtMs = performance.now();
    }
    if (performance.now() - seenAtMs < options.stallMs) return undefined;
    return new AppError('unavailable', `expected progress within ${options.stallMs} ms, received none`);
  };
}

/** Sixteen reference frames of 8192 x 4320 in 10 bit 4:2:0 (106 MB each) are 1.7 GB; the rest is for filters and encoder. */
export const MAX_MEMORY_BYTES = 4 * GIB;
