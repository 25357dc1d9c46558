import { rename, rm } from 'node:fs/promises';
import { AppError, MINUTE_MS } from '../base/index.ts';
import { FFMPEG_ARGUMENTS, inputArguments } from './arguments.ts';
import { clipSize, evenWindow, pictureFilters, samplesOf, SOUND_RATE, soundFilters } from './clip-filters.ts';
import { findFrameSpan, type FrameSpan, leadSeconds, readPacketSizes } from './clip-frames.ts';
import { type ClipContext, ENCODE_ARGUMENTS, MP4_ARGUMENTS, probeClip, runClip, SOUND_ARGUMENTS } from './clip-run.ts';
import type { PictureSize } from './filters.ts';
import type { PictureWindow, VideoClip, VideoProbe } from './types.ts';

export type ClipOptions = {
  readonly path: string;
  readonly probe: VideoProbe;
  readonly inMs: number;
  readonly outMs: number;
  readonly outPath: string;
  readonly mode: 'auto' | 'encode';
  readonly window?: PictureWindow | undefined;
  readonly maxHeightPx?: number | undefined;
  readonly onProgress?: ((ratio: number) => void) | undefined;
};

/** Longer cuts are made from the compressed file, or in parts. */
export const MAX_CLIP_MS = 30 * MINUTE_MS;
/** Pictures that every player of MP4 decodes; H.264 with 10 bits or 4:2:2 is encoded anew. */
const COPYABLE: Readonly<Record<string, readonly string[]>> = {
  h264: ['yuv420p', 'yuvj420p'],
  hevc: ['yuv420p', 'yuv420p10le'],
};
/** Containers with an index, in which a jump lands on the keyframe itself. */
const INDEXED: readonly string[] = ['mov', 'mp4', 'matroska'];

type Cut = ClipOptions & { readonly span: FrameSpan; readonly size: PictureSize; readonly crop: PictureWindow };

/** See `Ffmpeg.cutClip`. */
export async function writeClip(context: ClipContext, options: ClipOptions): Promise<VideoClip> {
  checkCut(options);
  const { path, probe, inMs, outMs } = options;
  const span = await findFrameSpan({ path, probe, inMs, outMs, ffprobe: context.ffprobe, signal: context.signal });
  const crop = evenWindow(probe, options.window);
  const cut: Cut = { ...options, span, crop, size: clipSize(crop, options.maxHeightPx) };
  if (isCopyable(cut)) {
    const copied = await copyCut(context, cut);
    if (copied) return copied;
  }
  await runClip(context, {
    args: encodeArguments(context, cut),
    outPath: options.outPath,
    onFrames: progressOf(cut),
  });
  return describe(context, cut, 'encode');
}

/** @throws AppError `validation_failed` */
function checkCut(options: ClipOptions): void {
  if (options.outMs - options.inMs > MAX_CLIP_MS) {
    throw new AppError('validation_failed', `expected a cut of at most ${MAX_CLIP_MS} ms`);
  }
  if (options.inMs >= options.probe.durationMs) {
    throw new AppError(
      'validation_failed',
      `expected a cut that begins before the end of the video at ${options.probe.durationMs} ms, received ${options.inMs} ms`,
    );
  }
}

function progressOf(cut: Cut): (frames: number) => void {
  return (frames) => cut.onProgress?.(Math.min(1, frames / cut.span.frames));
}

function isCopyable(cut: Cut): boolean {
  const { probe, size } = cut;
  const isWhole = size.width === probe.width && size.height === probe.height;
  return (
    cut.mode === 'auto' &&
    isWhole &&
    !probe.isInterlaced &&
    !probe.color.isHdr &&
    INDEXED.includes(probe.containerFormat) &&
    (COPYABLE[probe.videoCodec]?.includes(probe.color.pixelFormat) ?? false) &&
    cut.span.copyablePackets !== undefined
  );
}

/**
 * The coded frames as they are; undefined when the jump did not land on the keyframe. The sound is encoded, to begin and end
 * with the picture, into a file of its own, because counting the frames would end both.
 */
async function copyCut(context: ClipContext, cut: Cut): Promise<VideoClip | undefined> {
  const { probe, span, outPath } = cut;
  const [picture, sound] = [`${outPath}.picture`, `${outPath}.sound`];
  const onFrames = progressOf(cut);
  const args = [
    [...FFMPEG_ARGUMENTS],
    ['-ss', span.startSeconds.toFixed(6)],
    inputArguments(cut.path),
    probe.hasAudio ? [...soundOf(cut, 0), ...MP4_ARGUMENTS, `file:${sound}`] : [],
    // Packets before the position, which a jump to an earlier keyframe brings along, are dropped.
    ['-map', `0:${probe.videoStreamIndex}`, '-c:v', 'copy', '-copypriorss:v', '0', '-frames:v', String(span.frames)],
    ['-tag:v', probe.videoCodec === 'hevc' ? 'hvc1' : 'avc1', ...MP4_ARGUMENTS, `file:${picture}`],
  ].flat();
  try {
    await runClip(context, { args, outPath: picture, onFrames });
    const sizes = await readPacketSizes({ path: picture, ffprobe: context.ffprobe, signal: context.signal });
    if (sizes.join() !== span.copyablePackets?.join()) return undefined;
    if (!probe.hasAudio) {
      await rename(picture, outPath);
    } else {
      const inputs = [...inputArguments(picture), ...inputArguments(sound), '-map', '0:v', '-map', '1:a', '-c', 'copy'];
      const tag = ['-tag:v', probe.videoCodec === 'hevc' ? 'hvc1' : 'avc1'];
      const join = [...FFMPEG_ARGUMENTS, ...inputs, ...tag, ...MP4_ARGUMENTS, `file:${outPath}`];
      await runClip(context, { args: join, outPath, onFrames });
    }
    return await describe(context, cut, 'copy');
  } finally {
    for (const path of [picture, sound]) await rm(path, { force: true });
  }
}

function encodeArguments(context: ClipContext, cut: Cut): string[] {
  const { probe, span } = cut;
  const rate = span.isRegular ? probe.frameRate : undefined;
  const filters = pictureFilters({
    ...cut,
    window: cut.crop,
    canToneMap: context.canToneMap,
    rate,
    frames: span.frames,
  });
  const seek = span.startSeconds - leadSeconds(probe);
  return [
    [...FFMPEG_ARGUMENTS],
    ['-threads', String(context.cores), '-filter_complex_threads', String(context.cores)],
    // Times keep counting from the start of the file, so that the cut does not depend on where the jump lands.
    ['-copyts', '-start_at_zero', ...(seek > 0 ? ['-ss', seek.toFixed(6)] : [])],
    inputArguments(cut.path),
    ['-filter_complex', `[0:${probe.videoStreamIndex}]${filters}[picture]`, '-map', '[picture]'],
    [...ENCODE_ARGUMENTS, '-threads', String(context.cores)],
    // Frames with lengths of their own: none is shown twice, and in units fine enough for all of them.
    rate ? [] : ['-vsync', 'vfr', '-enc_time_base', '1:90000', '-video_track_timescale', '90000'],
    soundOf(cut, span.startSeconds),
    [...MP4_ARGUMENTS, `file:${cut.outPath}`],
  ].flat();
}

function soundOf(cut: Cut, startSeconds: number): string[] {
  const { probe, span } = cut;
  if (!probe.hasAudio) return ['-an'];
  const samples = span.isRegular
    ? samplesOf(span.frames, probe.frameRate)
    : Math.round((span.endSeconds - span.startSeconds) * SOUND_RATE);
  const filters = soundFilters({ probe, startSeconds, samples });
  return ['-filter_complex', `${filters}[sound]`, '-map', '[sound]', ...SOUND_ARGUMENTS];
}

async function describe(context: ClipContext, cut: Cut, method: VideoClip['method']): Promise<VideoClip> {
  const { probe, bytes } = await probeClip(context, cut.outPath);
  const sizes = await readPacketSizes({ path: cut.outPath, ffprobe: context.ffprobe, signal: context.signal });
  if (sizes.length < cut.span.frames / 2) {
    throw new AppError(
      'file_damaged',
      `expected ${cut.span.frames} frames in the cut, received ${sizes.length} that can be decoded`,
    );
  }
  return {
    method,
    width: probe.width,
    height: probe.height,
    frames: sizes.length,
    durationMs: Math.round((cut.span.endSeconds - cut.span.startSeconds) * 1000),
    bytes,
    frameRate: cut.probe.frameRate,
    hasAudio: probe.hasAudio,
    inMs: cut.span.startSeconds * 1000,
    outMs: cut.span.endSeconds * 1000,
  };
}
