import type { FrameSpan } from './clip-frames.ts';
import { deinterlace, type PictureSize, scaleToBt709 } from './filters.ts';
import type { FrameRate, PictureWindow, VideoProbe } from './types.ts';

/** Samples per second of every clip. */
export const SOUND_RATE = 48_000;

/** Below any frame's length, and above what times lose when they are written with six decimals. */
const MARGIN_SECONDS = 0.0001;

const seconds = (value: number) => value.toFixed(6);
const even = (sidePx: number) => Math.max(2, 2 * Math.floor(sidePx / 2));

/** The part of the picture that is kept, in even pixels inside the picture. */
export function evenWindow(probe: PictureSize, window: PictureWindow | undefined): PictureWindow {
  const picture = { width: even(probe.width), height: even(probe.height) };
  if (!window) return { left: 0, top: 0, ...picture };
  const width = Math.min(even(window.width), picture.width);
  const height = Math.min(even(window.height), picture.height);
  const inside = (at: number, room: number) => Math.min(Math.max(0, 2 * Math.round(at / 2)), room);
  return {
    left: inside(window.left, picture.width - width),
    top: inside(window.top, picture.height - height),
    width,
    height,
  };
}

/** The window at a height of at most `maxHeightPx`, never enlarged, even as 4:2:0 demands. */
export function clipSize(window: PictureSize, maxHeightPx: number | undefined): PictureSize {
  const factor = Math.min(1, (maxHeightPx ?? window.height) / window.height);
  const side = (sidePx: number) => Math.max(2, 2 * Math.round((sidePx * factor) / 2));
  return { width: side(window.width), height: Math.min(side(window.height), even(maxHeightPx ?? window.height)) };
}

/**
 * Filters from the decoded picture, whose times count from the start of the file, to the frames of the cut, which begin at
 * zero. Without `rate` each frame keeps its own length.
 */
export function pictureFilters(options: {
  readonly probe: VideoProbe;
  readonly span: FrameSpan;
  readonly window: PictureWindow;
  readonly size: PictureSize;
  readonly canToneMap: boolean;
  readonly rate: FrameRate | undefined;
  /** At `rate`. */
  readonly frames: number;
  /** The picture that `size` is put into the middle of. */
  readonly canvas?: PictureSize;
}): string {
  const { probe, span, window, rate, canvas } = options;
  return [
    // Before the cut: it looks at the frames beside the one it makes.
    ...deinterlace(probe),
    `trim=start=${seconds(span.startSeconds - MARGIN_SECONDS)}:end=${seconds(span.endSeconds - MARGIN_SECONDS)}`,
    'setpts=PTS-STARTPTS',
    // Rounding must not add a frame. (-frames would end the sound together with the picture.)
    ...(rate ? [`fps=${rate.num}/${rate.den}`, `trim=end_frame=${options.frames}`] : []),
    ...cropFilters(probe, window),
    ...scaleToBt709(options),
    'format=yuv420p',
    ...(canvas ? [`pad=${canvas.width}:${canvas.height}:(ow-iw)/2:(oh-ih)/2`] : []),
    'setsar=1',
  ].join(',');
}

function cropFilters(probe: VideoProbe, window: PictureWindow): string[] {
  if (window.width === probe.width && window.height === probe.height) return [];
  return [
    // Square pixels first: the window counts in them. Costs nothing where they are square already.
    `scale=${probe.width}:${probe.height}:flags=bicubic`,
    `crop=${window.width}:${window.height}:${window.left}:${window.top}`,
  ];
}

/**
 * Filters from the sound of the file to `samples` samples in stereo that begin with the picture; silence where the file
 * has none. `startSeconds` is the time of the cut on the clock of what is decoded.
 */
export function soundFilters(options: {
  readonly probe: VideoProbe;
  readonly startSeconds: number;
  readonly samples: number;
}): string {
  const { probe, samples } = options;
  const start = seconds(options.startSeconds);
  const end = seconds(options.startSeconds + samples / SOUND_RATE);
  const sound = [
    `atrim=start=${start}:end=${end}`,
    `asetpts=PTS-${start}/TB`,
    // Gaps are filled, so that sound and picture stay together; what begins late begins with silence.
    'aresample=async=1000:first_pts=0',
    `aformat=sample_rates=${SOUND_RATE}:channel_layouts=stereo`,
  ].join(',');
  return [
    `${soundSource(probe)}${sound}[heard]`,
    `${silence(samples)}[silence]`,
    // apad makes too little where there is no sound at all.
    `[heard][silence]concat=n=2:v=0:a=1,atrim=end_sample=${samples}`,
  ].join(';');
}

/** Filters that make `samples` samples of silence. */
export function silence(samples: number): string {
  return `anullsrc=sample_rate=${SOUND_RATE}:channel_layout=stereo,atrim=end_sample=${samples}`;
}

function soundSource(probe: VideoProbe): string {
  const [left, right] = probe.audioTracks;
  if (left?.channels === 1 && right?.channels === 1) {
    // Broadcast MXF carries left and right as two mono tracks.
    return `[0:${left.streamIndex}][0:${right.streamIndex}]join=inputs=2:channel_layout=stereo,`;
  }
  return `[0:${left?.streamIndex ?? 'a'}]`;
}

/** Samples of sound that are as long as this many frames. */
export function samplesOf(frames: number, rate: FrameRate): number {
  return Math.round((frames * rate.den * SOUND_RATE) / rate.num);
}
