import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat, writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../base/index.ts';
import { FFMPEG_ARGUMENTS, inputArguments } from './arguments.ts';
import { clipSize, evenWindow, pictureFilters, samplesOf, silence, SOUND_RATE, soundFilters } from './clip-filters.ts';
import { findFrameSpan, leadSeconds, readPacketSizes } from './clip-frames.ts';
import { type ClipContext, ENCODE_ARGUMENTS, MP4_ARGUMENTS, probeClip, runClip, SOUND_ARGUMENTS } from './clip-run.ts';
import type { PictureSize } from './filters.ts';
import { proxyRate } from './frame-rate.ts';
import type { FrameRate, PictureWindow, VideoProbe, VideoReel } from './types.ts';

export type ReelSegment = {
  readonly path: string;
  readonly probe: VideoProbe;
  readonly inMs: number;
  readonly outMs: number;
  readonly window?: PictureWindow | undefined;
};

export type ReelOptions = {
  readonly segments: readonly ReelSegment[];
  readonly outPath: string;
  readonly maxHeightPx?: number | undefined;
  readonly onProgress?: ((ratio: number) => void) | undefined;
};

/** What all segments of a reel have in common. */
type ReelForm = { readonly canvas: PictureSize; readonly rate: FrameRate; readonly hasSound: boolean };

/** Stereo in 16 bit. */
const SAMPLE_BYTES = 4;
/** Of the whole work, putting the segments together takes about this share. */
const JOIN_RATIO = 0.05;

/**
 * See `Ffmpeg.joinClips`. Each segment becomes a bare stream of pictures and one of samples, which are appended to each other: so
 * no container rounds where one ends, and sound and picture stay together over any number of segments.
 */
export async function writeReel(context: ClipContext, options: ReelOptions): Promise<VideoReel> {
  const [first] = options.segments;
  if (!first) throw new AppError('validation_failed', 'expected at least one segment, received none');
  const form: ReelForm = {
    canvas: clipSize(evenWindow(first.probe, first.window), options.maxHeightPx),
    rate: proxyRate(first.probe.frameRate),
    hasSound: options.segments.some((segment) => segment.probe.hasAudio),
  };
  const whole = { picture: `${options.outPath}.h264`, sound: `${options.outPath}.pcm` };
  const part = { picture: `${options.outPath}.part.h264`, sound: `${options.outPath}.part.pcm` };
  const lengthsMs = options.segments.map((segment) => Math.max(1, segment.outMs - segment.inMs));
  const totalMs = lengthsMs.reduce((sum, lengthMs) => sum + lengthMs, 0);
  try {
    await Promise.all([writeFile(whole.picture, ''), writeFile(whole.sound, '')]);
    let frames = 0;
    let doneMs = 0;
    const starts: number[] = [];
    for (const [index, segment] of options.segments.entries()) {
      const lengthMs = lengthsMs[index] ?? 1;
      const onProgress = (ratio: number) =>
        options.onProgress?.(((doneMs + ratio * lengthMs) / totalMs) * (1 - JOIN_RATIO));
      starts.push(frames);
      const added = await writeSegment(context, { segment, form, part, onProgress, framesBefore: frames });
      await append(part.picture, whole.picture, context.signal);
      if (form.hasSound) await append(part.sound, whole.sound, context.signal);
      frames += added;
      doneMs += lengthMs;
    }
    return await join(context, { ...options, form, whole, frames, starts });
  } finally {
    for (const path of [whole.picture, whole.sound, part.picture, part.sound]) await rm(path, { force: true });
  }
}

type Segment = {
  readonly segment: ReelSegment;
  readonly form: ReelForm;
  readonly part: { readonly picture: string; readonly sound: string };
  readonly framesBefore: number;
  readonly onProgress: (ratio: number) => void;
};

async function writeSegment(context: ClipContext, options: Segment): Promise<number> {
  const { segment, form, part } = options;
  const { path, probe, inMs, outMs } = segment;
  const span = await findFrameSpan({ path, probe, inMs, outMs, ffprobe: context.ffprobe, signal: context.signal });
  const { num, den } = form.rate;
  const frames = Math.max(1, Math.round(((span.endSeconds - span.startSeconds) * num) / den));
  const samples = samplesOf(options.framesBefore + frames, form.rate) - samplesOf(options.framesBefore, form.rate);
  const window = evenWindow(probe, segment.window);
  const picture = pictureFilters({
    probe,
    span,
    window,
    size: fit(window, form.canvas),
    canvas: form.canvas,
    canToneMap: context.canToneMap,
    rate: form.rate,
    frames,
  });
  const seek = span.startSeconds - leadSeconds(probe);
  const args = [
    [...FFMPEG_ARGUMENTS],
    ['-threads', String(context.cores), '-filter_complex_threads', String(context.cores)],
    ['-copyts', '-start_at_zero', ...(seek > 0 ? ['-ss', seek.toFixed(6)] : [])],
    inputArguments(path),
    form.hasSound ? [...soundOf(segment, { startSeconds: span.startSeconds, samples }), `file:${part.sound}`] : [],
    // A last frame that the rate rounds away is shown once more, and what is too much ends with -frames.
    ['-filter_complex', `[0:${probe.videoStreamIndex}]${picture},tpad=stop_mode=clone:stop_duration=1[picture]`],
    ['-map', '[picture]', ...ENCODE_ARGUMENTS, '-threads', String(context.cores)],
    // A bare stream has no times: the order of its frames has to be that of showing them.
    ['-bf', '0', '-frames:v', String(frames), '-f', 'h264', `file:${part.picture}`],
  ].flat();
  const onFrames = (done: number) => options.onProgress(Math.min(1, done / frames));
  await runClip(context, { args, outPath: part.picture, onFrames });
  return checkSegment(context, { ...options, frames, samples });
}

/** The sound of a segment as bare samples, or as much silence. */
function soundOf(
  segment: ReelSegment,
  cut: { readonly startSeconds: number; readonly samples: number },
): readonly string[] {
  const filters = segment.probe.hasAudio ? soundFilters({ probe: segment.probe, ...cut }) : silence(cut.samples);
  return ['-filter_complex', `${filters}[sound]`, '-map', '[sound]', '-c:a', 'pcm_s16le', '-f', 's16le'];
}

/** A source that breaks off within the cut would move everything behind it. */
async function checkSegment(
  context: ClipContext,
  options: Segment & { readonly frames: number; readonly samples: number },
): Promise<number> {
  const written = (await readPacketSizes({ ...context, path: options.part.picture, isBare: true })).length;
  const bytes = options.form.hasSound ? (await stat(options.part.sound)).size : options.samples * SAMPLE_BYTES;
  if (written !== options.frames || bytes !== options.samples * SAMPLE_BYTES) {
    throw new AppError(
      'file_damaged',
      `expected ${options.frames} frames between ${options.segment.inMs} and ${options.segment.outMs} ms, received ${written} that can be decoded`,
    );
  }
  return written;
}

/** The largest size of this shape inside the canvas, in even pixels. */
function fit(window: PictureSize, canvas: PictureSize): PictureSize {
  const factor = Math.min(canvas.width / window.width, canvas.height / window.height);
  const side = (sidePx: number, maxPx: number) => Math.min(maxPx, Math.max(2, 2 * Math.round((sidePx * factor) / 2)));
  return { width: side(window.width, canvas.width), height: side(window.height, canvas.height) };
}

async function append(from: string, to: string, signal: AbortSignal | undefined): Promise<void> {
  await pipeline(createReadStream(from), createWriteStream(to, { flags: 'a' }), signal ? { signal } : {});
}

async function join(
  context: ClipContext,
  options: ReelOptions & {
    readonly form: ReelForm;
    readonly whole: { readonly picture: string; readonly sound: string };
    readonly frames: number;
    readonly starts: readonly number[];
  },
): Promise<VideoReel> {
  const { form, whole, outPath, frames } = options;
  const { num, den } = form.rate;
  const sound = ['-protocol_whitelist', 'file', '-f', 's16le', '-ar', String(SOUND_RATE), '-ac', '2'];
  const args = [
    [...FFMPEG_ARGUMENTS],
    // Twice: without -r, lengths in whole microseconds are added up, each a third too long at 30000/1001.
    ['-protocol_whitelist', 'file', '-f', 'h264', '-framerate', `${num}/${den}`, '-r', `${num}/${den}`],
    ['-i', `file:${whole.picture}`],
    form.hasSound ? [...sound, '-i', `file:${whole.sound}`, '-map', '1:a', ...SOUND_ARGUMENTS] : [],
    ['-map', '0:v', '-c:v', 'copy', '-video_track_timescale', String(num)],
    [...MP4_ARGUMENTS, `file:${outPath}`],
  ].flat();
  const onFrames = (done: number) => options.onProgress?.(1 - JOIN_RATIO + JOIN_RATIO * Math.min(1, done / frames));
  await runClip(context, { args, outPath, onFrames });
  const { probe, bytes } = await probeClip(context, outPath);
  return {
    width: probe.width,
    height: probe.height,
    frames,
    durationMs: Math.round((frames * den * 1000) / num),
    bytes,
    frameRate: form.rate,
    hasAudio: form.hasSound,
    startsMs: options.starts.map((start) => (start * den * 1000) / num),
  };
}
