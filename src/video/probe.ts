import { open, stat } from 'node:fs/promises';
import { AppError } from '../base/index.ts';
import { FFPROBE_ARGUMENTS, inputArguments } from './arguments.ts';
import { checkDuration, readFacts } from './probe-facts.ts';
import { runTool } from './process.ts';
import type { VideoProbe } from './types.ts';

export type ProbeOptions = {
  readonly path: string;
  /** Absolute path of ffprobe. */
  readonly ffprobe: string;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs: number;
};

/** ffprobe reads 5 MB and decodes a few frames of at most 106 MB each; more is a file made to exhaust us. */
const MAX_MEMORY_BYTES = 1024 * 1024 * 1024;

/**
 * Reads what a video file says about itself, without decoding more than a few frames.
 * @throws AppError `file_empty`, `file_damaged`, `unsupported_media_type` (no video stream, a playlist, no container that
 * is known), `file_limits_exceeded` (over 12 h, 8192 px, 1000 frames/s, 64 streams, or the time limit),
 * `capability_missing` without ffprobe.
 */
export async function probeVideo(options: ProbeOptions): Promise<VideoProbe> {
  const { size } = await stat(options.path);
  if (size === 0) throw new AppError('file_empty', 'expected a video file, received 0 bytes');
  const run = await runTool({
    command: options.ffprobe,
    args: [...FFPROBE_ARGUMENTS, '-show_format', '-show_streams', ...inputArguments(options.path)],
    timeoutMs: options.timeoutMs,
    signal: options.signal,
    maxMemoryBytes: MAX_MEMORY_BYTES,
  });
  if (run.exitCode !== 0) throw await refusal(options.path, run.stderr);
  const facts = readFacts(parseJson(run.stdout));
  const durationMs = facts.durationMs ?? (await durationFromPackets(options, facts.videoStreamIndex));
  return { ...facts, durationMs: checkDuration(durationMs) };
}

/**
 * Recordings that were streamed or cut off by a crash (Matroska above all) state no duration: the packets are read, which
 * takes as long as reading the file.
 */
async function durationFromPackets(options: ProbeOptions, streamIndex: number): Promise<number> {
  let firstSeconds = Number.POSITIVE_INFINITY;
  let lastSeconds = 0;
  const entries = ['-show_entries', 'packet=pts_time,duration_time', '-of', 'csv=print_section=0'];
  const run = await runTool({
    command: options.ffprobe,
    args: [...FFPROBE_ARGUMENTS, '-select_streams', String(streamIndex), ...entries, ...inputArguments(options.path)],
    timeoutMs: options.timeoutMs,
    signal: options.signal,
    maxMemoryBytes: MAX_MEMORY_BYTES,
    onLine: (line) => {
      const [startText = '', durationText = ''] = line.split(',');
      const startSeconds = Number.parseFloat(startText);
      if (Number.isNaN(startSeconds)) return;
      firstSeconds = Math.min(firstSeconds, startSeconds);
      lastSeconds = Math.max(lastSeconds, startSeconds + (Number.parseFloat(durationText) || 0));
    },
  });
  if (run.exitCode !== 0) throw await refusal(options.path, run.stderr);
  return lastSeconds > firstSeconds ? Math.round((lastSeconds - firstSeconds) * 1000) : 0;
}

/**
 * ffprobe answers "Invalid data" alike for a damaged video and for a text file, so the first bytes decide which of the two
 * the caller is told.
 */
async function refusal(path: string, stderr: string): Promise<AppError> {
  const cause = new Error(`ffprobe: ${stderr.trim()}`);
  if (/format not on whitelist/i.test(stderr) || !(await hasContainerSignature(path))) {
    return new AppError(
      'unsupported_media_type',
      'expected MP4, MOV, MXF, Matroska, MPEG-TS or AVI, received other data',
      {
        cause,
      },
    );
  }
  return new AppError('file_damaged', 'expected a complete video file, received one that cannot be opened', { cause });
}

async function hasContainerSignature(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0);
    const head = buffer.subarray(0, bytesRead);
    const atoms = ['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip', 'pnot'];
    const isTransportStream = [0, 4].some((at) => {
      const packetBytes = at === 0 ? 188 : 192;
      return head[at] === 0x47 && head[at + packetBytes] === 0x47;
    });
    return (
      atoms.includes(head.toString('latin1', 4, 8)) ||
      head.subarray(0, 4).equals(Buffer.from('1a45dfa3', 'hex')) ||
      head.subarray(0, 4).equals(Buffer.from('060e2b34', 'hex')) ||
      (head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 11) === 'AVI') ||
      isTransportStream
    );
  } finally {
    await file.close();
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('file_damaged', 'expected a description of the streams, received none', { cause });
  }
}
