import { FFPROBE_ARGUMENTS, inputArguments } from './arguments.ts';
import { frameAt } from './frame-rate.ts';
import { runTool } from './process.ts';
import type { VideoProbe } from './types.ts';

/** The frames of a cut, with times in seconds from the start of the file. */
export type FrameSpan = {
  /** When the first frame begins. */
  readonly startSeconds: number;
  /** When the first frame after the last one begins, or the last one ends. */
  readonly endSeconds: number;
  readonly frames: number;
  /** Whether every frame lasts as long as the frame rate says; a recording of a phone or one with lost frames does not. */
  readonly isRegular: boolean;
  /** Sizes in bytes of the coded frames, in their order in the file, where these and no others make up the cut. */
  readonly copyablePackets: readonly number[] | undefined;
};

type SpanOptions = {
  readonly path: string;
  readonly probe: VideoProbe;
  readonly ffprobe: string;
  readonly inMs: number;
  readonly outMs: number;
  readonly signal: AbortSignal | undefined;
};

type Packet = { readonly seconds: number; readonly bytes: number; readonly isKey: boolean };

/** Positions are whole milliseconds; a frame's start may have been rounded by half of one. */
const ROUNDING_SECONDS = 0.0005;
/** B-frames lie behind later ones in the file, and the frame after the cut has to be seen: 16 frames at 10 a second. */
const AFTER_SECONDS = 2;
/** A transport stream has no index: a jump may land late, so it is made this much earlier (a keyframe each 10 s). */
const TRANSPORT_LEAD_SECONDS = 10;
/** Lengths of frames as Matroska rounds them, at 240 a second: 4 or 5 ms instead of 4.17. */
const REGULAR_TOLERANCE = 0.25;
/** Reading 30 minutes of 100 Mbit/s at 100 MB/s takes 4 minutes. */
const READ_TIMEOUT_MS = 15 * 60_000;
const MAX_MEMORY_BYTES = 1024 * 1024 * 1024;

/** How much before a position decoding has to start, so that the frame there is whole. */
export function leadSeconds(probe: VideoProbe): number {
  // Sixteen frames of reordering at 24 a second; an index that counts in decoding order is off by as much.
  return probe.containerFormat === 'mpegts' ? TRANSPORT_LEAD_SECONDS : 1;
}

/**
 * Finds the frames of a cut: from the one that shows at `inMs` to the last that begins before `outMs`, at least one. Reads
 * the times that the file gives its frames; where it gives none (AVI), they are counted by the frame rate.
 */
export async function findFrameSpan(options: SpanOptions): Promise<FrameSpan> {
  const packets = await readPackets(options);
  return (packets && spanOfPackets(options, packets)) ?? spanOfRate(options);
}

async function readPackets(options: SpanOptions): Promise<readonly Packet[] | undefined> {
  const fileStart = await readFileStart(options);
  const lead = leadSeconds(options.probe);
  const from = Math.max(0, options.inMs / 1000 - lead);
  const to = (fileStart + options.outMs / 1000 + AFTER_SECONDS).toFixed(6);
  const packets: Packet[] = [];
  let hasTimes = true;
  const run = await runTool({
    command: options.ffprobe,
    args: [
      [...FFPROBE_ARGUMENTS, '-of', 'compact=print_section=0'],
      ['-select_streams', String(options.probe.videoStreamIndex), '-show_entries', 'packet=pts_time,size,flags'],
      ['-read_intervals', from === 0 ? `%${to}` : `${(fileStart + from).toFixed(6)}%${to}`],
      inputArguments(options.path),
    ].flat(),
    timeoutMs: READ_TIMEOUT_MS,
    signal: options.signal,
    maxMemoryBytes: MAX_MEMORY_BYTES,
    onLine: (line) => {
      const fields = new Map(line.split('|').map((field) => field.split('=', 2) as [string, string]));
      const flags = fields.get('flags') ?? '';
      // Edit lists mark what is decoded but not shown.
      if (flags === '' || flags.includes('D')) return;
      const seconds = Number.parseFloat(fields.get('pts_time') ?? '') - fileStart;
      if (!Number.isFinite(seconds)) hasTimes = false;
      packets.push({ seconds, bytes: Number(fields.get('size')), isKey: flags.includes('K') });
    },
  });
  return run.exitCode === 0 && hasTimes && packets.length > 0 ? packets : undefined;
}

/** Start of the file's own clock; transport streams begin anywhere. */
async function readFileStart(options: SpanOptions): Promise<number> {
  const run = await runTool({
    command: options.ffprobe,
    args: [
      [...FFPROBE_ARGUMENTS, '-of', 'csv=print_section=0', '-show_entries', 'format=start_time'],
      inputArguments(options.path),
    ].flat(),
    timeoutMs: 30_000,
    signal: options.signal,
    maxMemoryBytes: MAX_MEMORY_BYTES,
  });
  return Number.parseFloat(run.stdout) || 0;
}

function spanOfPackets(options: SpanOptions, packets: readonly Packet[]): FrameSpan | undefined {
  const { num, den } = options.probe.frameRate;
  const frameSeconds = den / num;
  const outSeconds = options.outMs / 1000;
  // Two fields of a frame may be packets of their own with one time.
  const times = [...new Set(packets.map((packet) => packet.seconds))].toSorted((left, right) => left - right);
  const first = Math.max(
    0,
    times.findLastIndex((seconds) => seconds <= options.inMs / 1000 + ROUNDING_SECONDS),
  );
  const afterLast = times.findIndex((seconds, index) => index > first && seconds >= outSeconds - ROUNDING_SECONDS);
  const shown = times.slice(first, afterLast < 0 ? times.length : afterLast);
  const [startSeconds, lastSeconds] = [shown[0], shown.at(-1)];
  if (startSeconds === undefined || lastSeconds === undefined) return undefined;
  const next = times[first + shown.length];
  const isRegular =
    shown.every((seconds, index) => {
      const previous = shown[index - 1];
      return previous === undefined || Math.abs(seconds - previous - frameSeconds) <= frameSeconds * REGULAR_TOLERANCE;
    }) && Math.abs(lastSeconds - startSeconds - (shown.length - 1) * frameSeconds) < frameSeconds / 2;
  const end = next ?? Math.max(lastSeconds + frameSeconds, Math.min(outSeconds, options.probe.durationMs / 1000));
  return {
    startSeconds,
    endSeconds: isRegular
      ? startSeconds + shown.length * frameSeconds
      : Math.max(Math.min(end, outSeconds), lastSeconds + 0.001),
    frames: shown.length,
    isRegular,
    copyablePackets: copyablePackets(packets, { startSeconds, lastSeconds, frames: shown.length }),
  };
}

/**
 * The packets from a keyframe on are the cut when the next ones in the file are just its frames. It is not so when the
 * keyframe is followed by frames that show before it (open GOP), or when the last frames need one beyond the end.
 */
function copyablePackets(
  packets: readonly Packet[],
  cut: { readonly startSeconds: number; readonly lastSeconds: number; readonly frames: number },
): readonly number[] | undefined {
  const from = packets.findIndex((packet) => packet.isKey && packet.seconds === cut.startSeconds);
  const taken = from < 0 ? [] : packets.slice(from, from + cut.frames);
  const isWhole = taken.every(({ seconds }) => seconds >= cut.startSeconds && seconds <= cut.lastSeconds);
  return taken.length === cut.frames && isWhole ? taken.map((packet) => packet.bytes) : undefined;
}

function spanOfRate(options: SpanOptions): FrameSpan {
  const { probe } = options;
  const frameMs = (1000 * probe.frameRate.den) / probe.frameRate.num;
  const total = Math.max(1, Math.round((probe.durationMs - probe.videoOffsetMs) / frameMs));
  const positionMs = options.inMs - probe.videoOffsetMs;
  const first = Math.min(total - 1, frameAt({ positionMs, rate: probe.frameRate }));
  const end = Math.ceil((options.outMs - probe.videoOffsetMs - 0.5) / frameMs);
  const frames = Math.max(1, Math.min(total, end) - first);
  const startSeconds = (probe.videoOffsetMs + first * frameMs) / 1000;
  const endSeconds = startSeconds + (frames * frameMs) / 1000;
  return { startSeconds, endSeconds, frames, isRegular: true, copyablePackets: undefined };
}

/** Sizes of the coded frames of a finished clip, or of the bare H.264 of a part of one, in their order in the file. */
export async function readPacketSizes(options: {
  readonly path: string;
  readonly ffprobe: string;
  readonly signal?: AbortSignal | undefined;
  readonly isBare?: boolean;
}): Promise<readonly number[]> {
  const sizes: number[] = [];
  await runTool({
    command: options.ffprobe,
    args: [
      [...FFPROBE_ARGUMENTS, '-of', 'compact=print_section=0:nokey=1'],
      ['-select_streams', 'v:0', '-show_entries', 'packet=size'],
      options.isBare
        ? ['-protocol_whitelist', 'file', '-f', 'h264', `file:${options.path}`]
        : inputArguments(options.path),
    ].flat(),
    timeoutMs: READ_TIMEOUT_MS,
    signal: options.signal,
    maxMemoryBytes: MAX_MEMORY_BYTES,
    onLine: (line) => {
      if (line !== '') sizes.push(Number.parseInt(line, 10));
    },
  });
  return sizes;
}
