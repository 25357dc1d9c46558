import { AppError, HOUR_MS } from '../base/index.ts';
import { chooseRate, decimalRate, parseRate } from './frame-rate.ts';
import type { AudioTrack, VideoColor, VideoProbe } from './types.ts';

/** A match with extra time and penalties, its build-up and its aftermath is about 5 h; a whole day's feed is cut by hour. */
const MAX_DURATION_MS = 12 * HOUR_MS;
/** One 8K frame of 8192 x 4320 in 10 bit 4:2:0 takes 106 MB and a decoder keeps up to 16 of them. */
const MAX_SIDE_PX = 8192;
/** Slow motion cameras reach 1000; a header that says 90000 is wrong or made to keep us busy. */
const MAX_FRAME_RATE = 1000;
/** Broadcast MXF has one picture, up to 32 mono tracks and a few data streams. */
const MAX_STREAMS = 64;

/** One object of ffprobe's JSON; nothing in it is certain. */
type Raw = Readonly<Record<string, unknown>>;

/**
 * Turns ffprobe's description (`-show_format -show_streams`) into a `VideoProbe`; the duration is absent where the file
 * states none.
 * @throws AppError `unsupported_media_type` without a picture stream, `file_limits_exceeded`, `file_damaged`.
 */
export function readFacts(described: unknown): Omit<VideoProbe, 'durationMs'> & { readonly durationMs?: number } {
  const document = objectOf(described);
  const format = objectOf(document['format']);
  const streams = listOf(document['streams']);
  if (streams.length > MAX_STREAMS) {
    throw limit(`expected at most ${MAX_STREAMS} streams, received ${streams.length}`);
  }
  const video = pictureStream(streams);
  const rotation = rotationOf(video);
  const size = displaySize({ video, rotation });
  const rate = rateOf(video);
  const durationMs = durationOf(format, video);
  const audioTracks = audioTracksOf(streams);
  const createdAt = creationTime(format, video);
  const startTimecode = timecodeOf(format, streams);
  const bitRate = numberOf(format, 'bit_rate');
  return {
    ...size,
    rotation,
    frameRate: rate.rate,
    hasVariableFrameRate: rate.isVariable,
    isInterlaced: /^(tt|bb|tb|bt)$/.test(textOf(video, 'field_order') ?? ''),
    videoCodec: textOf(video, 'codec_name') ?? 'unknown',
    videoStreamIndex: numberOf(video, 'index') ?? 0,
    videoOffsetMs: Math.max(0, ((numberOf(video, 'start_time') ?? 0) - (numberOf(format, 'start_time') ?? 0)) * 1000),
    hasAudio: audioTracks.length > 0,
    audioTracks,
    ...(audioTracks[0] && { audioCodec: audioTracks[0].codec }),
    containerFormat: containerOf(format),
    color: colorOf(video),
    ...(durationMs !== undefined && { durationMs }),
    ...(createdAt && { createdAt }),
    ...(startTimecode !== undefined && { startTimecode }),
    ...(bitRate !== undefined && { bitRate }),
  };
}

/** @throws AppError `file_limits_exceeded` beyond 12 h, `file_damaged` for nothing. */
export function checkDuration(durationMs: number): number {
  if (durationMs > MAX_DURATION_MS) {
    throw limit(`expected a duration of at most 12 h, received ${Math.round(durationMs / 1000)} s`);
  }
  if (durationMs <= 0) throw new AppError('file_damaged', 'expected at least one frame, received none');
  return durationMs;
}

/** The largest moving picture; covers and thumbnails that containers carry as video streams do not count. */
function pictureStream(streams: readonly Raw[]): Raw {
  const pictures = streams.filter((stream) => {
    const disposition = objectOf(stream['disposition']);
    const isStill = ['attached_pic', 'timed_thumbnails', 'still_image'].some((name) => disposition[name] === 1);
    return stream['codec_type'] === 'video' && !isStill;
  });
  const area = (stream: Raw) => (numberOf(stream, 'width') ?? 0) * (numberOf(stream, 'height') ?? 0);
  const best = pictures.toSorted((left, right) => area(right) - area(left))[0];
  if (!best) throw new AppError('unsupported_media_type', 'expected a file with a video stream, received none');
  const codec = textOf(best, 'codec_name') ?? 'unknown';
  if (codec === 'unknown' || codec === 'none') {
    const tag = textOf(best, 'codec_tag_string') ?? 'unknown';
    throw new AppError('unsupported_media_type', `expected a known video codec, received ${tag}`);
  }
  if (area(best) <= 0) throw new AppError('file_damaged', 'expected a picture size in the file, received none');
  return best;
}

function displaySize(options: { readonly video: Raw; readonly rotation: number }): {
  readonly width: number;
  readonly height: number;
} {
  const codedWidth = numberOf(options.video, 'width') ?? 0;
  const height = numberOf(options.video, 'height') ?? 0;
  const aspect = /^(\d{1,6}):(\d{1,6})$/.exec(textOf(options.video, 'sample_aspect_ratio') ?? '');
  const ratio = aspect ? Number(aspect[1]) / Number(aspect[2]) : 1;
  // 0:1 means unknown; beyond 1:8 it is a damaged header and no lens.
  const width = Math.max(1, Math.round(codedWidth * (ratio >= 0.125 && ratio <= 8 ? ratio : 1)));
  if (Math.max(codedWidth, width, height) > MAX_SIDE_PX) {
    throw limit(`expected at most ${MAX_SIDE_PX} pixels a side, received ${width}x${height}`);
  }
  const isTurned = options.rotation === 90 || options.rotation === 270;
  return isTurned ? { width: height, height: width } : { width, height };
}

/** The display matrix counts counter-clockwise; we state the clockwise turn that a viewer makes, in quarter turns. */
function rotationOf(video: Raw): VideoProbe['rotation'] {
  const matrix = listOf(video['side_data_list']).find((entry) => entry['rotation'] !== undefined);
  const degrees = matrix ? -(numberOf(matrix, 'rotation') ?? 0) : (numberOf(objectOf(video['tags']), 'rotate') ?? 0);
  const quarter = (((Math.round(degrees / 90) % 4) + 4) % 4) * 90;
  return quarter === 90 || quarter === 180 || quarter === 270 ? quarter : 0;
}

function rateOf(video: Raw): NonNullable<ReturnType<typeof chooseRate>> {
  const chosen = chooseRate({
    nominal: parseRate(textOf(video, 'r_frame_rate')),
    average: parseRate(textOf(video, 'avg_frame_rate')),
  });
  if (!chosen) throw new AppError('file_damaged', 'expected a frame rate in the file, received none');
  if (decimalRate(chosen.rate) > MAX_FRAME_RATE) {
    throw limit(`expected at most ${MAX_FRAME_RATE} frames a second, received ${chosen.rate.num}/${chosen.rate.den}`);
  }
  return chosen;
}

function durationOf(format: Raw, video: Raw): number | undefined {
  const seconds = numberOf(format, 'duration') ?? numberOf(video, 'duration');
  return seconds === undefined || seconds <= 0 ? undefined : Math.round(seconds * 1000);
}

/** Tracks that ffmpeg can decode: newer phones add a spatial one (`apac`) that it does not know. */
function audioTracksOf(streams: readonly Raw[]): AudioTrack[] {
  return streams.flatMap((stream) => {
    const codec = textOf(stream, 'codec_name');
    const channels = numberOf(stream, 'channels') ?? 0;
    const streamIndex = numberOf(stream, 'index');
    const isUsable = codec !== undefined && codec !== 'none' && codec !== 'unknown' && channels > 0;
    if (stream['codec_type'] !== 'audio' || !isUsable || streamIndex === undefined) return [];
    return [{ streamIndex, codec, channels }];
  });
}

/**
 * Apple writes the shutter time with its zone beside `creation_time`, which QuickTime defines as UTC. Zero dates of the
 * two epochs (1904, 1970) mean a clock that was never set.
 */
function creationTime(format: Raw, video: Raw): Date | undefined {
  const tags = objectOf(format['tags']);
  const candidates = [
    textOf(tags, 'com.apple.quicktime.creationdate'),
    textOf(tags, 'creation_time'),
    textOf(objectOf(video['tags']), 'creation_time'),
  ];
  for (const text of candidates) {
    const time = new Date(text ?? Number.NaN);
    if (!Number.isNaN(time.getTime()) && time.getUTCFullYear() > 1970) return time;
  }
  return undefined;
}

function timecodeOf(format: Raw, streams: readonly Raw[]): string | undefined {
  return [format, ...streams]
    .map((owner) => textOf(objectOf(owner['tags']), 'timecode'))
    .find((text) => text !== undefined && /^\d\d:[0-5]\d:[0-5]\d[:;.]\d{2,3}$/.test(text));
}

function containerOf(format: Raw): VideoProbe['containerFormat'] {
  const name = textOf(format, 'format_name') ?? '';
  if (name.startsWith('mov')) {
    const brand = textOf(objectOf(format['tags']), 'major_brand')?.trim();
    // Files older than the `ftyp` box have no brand; they are QuickTime.
    return brand === undefined || brand === 'qt' ? 'mov' : 'mp4';
  }
  if (name.startsWith('matroska')) return 'matroska';
  if (name === 'mxf' || name === 'mpegts' || name === 'avi') return name;
  throw new AppError('unsupported_media_type', `expected MP4, MOV, MXF, Matroska, MPEG-TS or AVI, received ${name}`);
}

function colorOf(video: Raw): VideoColor {
  const pixelFormat = textOf(video, 'pix_fmt') ?? 'unknown';
  const stated = (name: string) => {
    const text = textOf(video, name);
    return text === undefined || text === 'unknown' || text === 'reserved' ? undefined : text;
  };
  const space = stated('color_space');
  const transfer = stated('color_transfer');
  const primaries = stated('color_primaries');
  const range = stated('color_range');
  // pix_fmt names end in their depth above 8 bit (yuv420p10le); bits_per_raw_sample is missing for many codecs.
  const depth = Number(/(?:p|gray|x2rgb|x2bgr|p0)(9|10|12|14|16)(?:le|be)?$/.exec(pixelFormat)?.[1] ?? 8);
  return {
    pixelFormat,
    bitDepth: depth,
    ...(space !== undefined && { space }),
    ...(transfer !== undefined && { transfer }),
    ...(primaries !== undefined && { primaries }),
    ...(range !== undefined && { range }),
    isHdr: transfer === 'smpte2084' || transfer === 'arib-std-b67',
  };
}

function limit(message: string): AppError {
  return new AppError('file_limits_exceeded', message);
}

function objectOf(value: unknown): Raw {
  // A JSON object has string keys and nothing else is assumed of it.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Raw) : {};
}

function listOf(value: unknown): Raw[] {
  return Array.isArray(value) ? value.map((entry) => objectOf(entry)) : [];
}

function textOf(owner: Raw, name: string): string | undefined {
  const value = owner[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** ffprobe writes some numbers as text ("12.5") and some as numbers. */
function numberOf(owner: Raw, name: string): number | undefined {
  const value = owner[name];
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
