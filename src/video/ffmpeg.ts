import { AppError, createPermits, HOUR_MS, type Logger, MINUTE_MS, type Permits } from '../base/index.ts';
import { type ClipOptions, writeClip } from './clip.ts';
import { type ReelOptions, writeReel } from './clip-reel.ts';
import type { ClipContext } from './clip-run.ts';
import { probeVideo } from './probe.ts';
import { runTool } from './process.ts';
import { MAX_MEMORY_BYTES, writeProxy } from './proxy.ts';
import { type StillContext, writePoster, writeStill } from './still.ts';
import type { ProxyProgress, VideoClip, VideoProbe, VideoProxy, VideoReel, VideoStill } from './types.ts';

export type Ffmpeg = {
  /**
   * Reads what a video file says about itself; `timeoutMs` is 30,000 unless given.
   * @throws AppError `file_empty`, `file_damaged`, `unsupported_media_type` (no video stream, a playlist, another format),
   * `file_limits_exceeded` (over 12 h, 8192 px, 1000 frames/s, 64 streams, or too slow), `capability_missing`.
   */
  probeVideo(options: {
    readonly path: string;
    readonly timeoutMs?: number;
    readonly signal?: AbortSignal | undefined;
  }): Promise<VideoProbe>;
  /**
   * Writes a JPEG that shows something (not black, where the video has such a frame) to `outPath`, long side at most
   * `maxLongSidePx` (2048 unless given), never enlarged.
   * @throws AppError `file_damaged` when no frame can be decoded, `file_limits_exceeded`, `overloaded`.
   */
  makePoster(options: {
    readonly path: string;
    readonly probe: VideoProbe;
    readonly outPath: string;
    readonly maxLongSidePx?: number;
    readonly signal?: AbortSignal | undefined;
  }): Promise<VideoStill>;
  /**
   * Writes the frame that a player shows at `atMs` (from the start of the file) as a JPEG to `outPath`, exact to the frame;
   * beyond the end it is the last one. Without `probe` the file is probed first. `timeoutMs` is 120,000 unless given.
   * @throws AppError as `makePoster` and `probeVideo`.
   */
  makeStill(options: {
    readonly path: string;
    readonly atMs: number;
    readonly maxLongSidePx: number;
    readonly outPath: string;
    readonly probe?: VideoProbe | undefined;
    readonly timeoutMs?: number;
    readonly signal?: AbortSignal | undefined;
  }): Promise<VideoStill>;
  /**
   * Writes the 720p proxy (H.264 high, AAC 128 kbit/s, MP4 with fast start, a keyframe every 50 frames, constant rate of at
   * most 60) to `outPath`, which the caller names, renames and removes. `truncated` tells that the source ends early.
   * @throws AppError `file_damaged` when under half of the stated duration can be decoded, `unavailable` when it stalls or
   * the disk is full, `unsupported_media_type` without a decoder, `file_limits_exceeded`, `capability_missing`.
   */
  makeProxy(options: {
    readonly path: string;
    readonly probe: VideoProbe;
    readonly outPath: string;
    readonly onProgress?: ((progress: ProxyProgress) => void) | undefined;
    readonly signal?: AbortSignal | undefined;
  }): Promise<VideoProxy>;
  /**
   * Cuts from the frame that shows at `inMs` to the last one that begins before `outMs` (ms from the start of the file, at
   * most 30 min, at least one frame) into an MP4 at `outPath`: copied where the cut allows it and `mode` is `auto`, else
   * encoded as H.264 in the source's frame rate. `window` is the part of the picture, in its pixels.
   * @throws AppError `validation_failed` for a cut beyond the end or too long, else as `makeProxy`.
   */
  cutClip(options: ClipOptions & { readonly signal?: AbortSignal | undefined }): Promise<VideoClip>;
  /**
   * Cuts every segment and joins them to one MP4, in the size and frame rate (at most 60) of the first; others are fitted
   * into its picture, and are silent where they have no sound.
   * @throws AppError as `cutClip`.
   */
  joinClips(options: ReelOptions & { readonly signal?: AbortSignal | undefined }): Promise<VideoReel>;
};

export type FfmpegOptions = {
  /** Absolute paths; without one, every call is refused with `capability_missing`. */
  readonly ffmpegPath: string | undefined;
  readonly ffprobePath: string | undefined;
  readonly logger: Logger;
  /** Threads of one transcode, and how many probes and stills run at once. */
  readonly cores: number;
  /** 1 unless given. */
  readonly concurrentTranscodes?: number;
  /** Without progress of a transcode for this long it is ended; 60,000 unless given. */
  readonly stallMs?: number;
};

const POSTER_LONG_SIDE_PX = 2048;
const PROBE_TIMEOUT_MS = 30_000;
/** The keyframe may lie 250 frames back (x264's default), and all of them have to be decoded. */
const STILL_TIMEOUT_MS = 2 * MINUTE_MS;

/** The only user of ffmpeg and ffprobe: binds the tools, and lets a bounded number of them run at once. */
export function createFfmpeg(options: FfmpegOptions): Ffmpeg {
  const light = createPermits({ name: 'video probe', running: options.cores, waiting: 256, maxWaitMs: 5 * MINUTE_MS });
  // Transcodes come from the job queue, which is the real line; a wait of a day means that nothing moves any more.
  const heavy = createPermits({
    name: 'transcode',
    running: options.concurrentTranscodes ?? 1,
    waiting: 256,
    maxWaitMs: 24 * HOUR_MS,
  });
  const ffprobe = () => present(options.ffprobePath, 'ffprobe');
  const ffmpeg = () => present(options.ffmpegPath, 'ffmpeg');
  // A line of their own: an editor's clip does not wait for the proxy of a whole match.
  const clips = createPermits({ name: 'clip', running: 1, waiting: 256, maxWaitMs: 24 * HOUR_MS });
  const canToneMap = createToneMapCheck(ffmpeg);

  const probe: Ffmpeg['probeVideo'] = ({ path, signal, timeoutMs = PROBE_TIMEOUT_MS }) =>
    light.run(() => probeVideo({ path, ffprobe: ffprobe(), timeoutMs, signal }), signal);

  const stillContext = async (
    signal: AbortSignal | undefined,
    timeoutMs = STILL_TIMEOUT_MS,
  ): Promise<StillContext> => ({
    ffmpeg: ffmpeg(),
    canToneMap: await canToneMap(),
    cores: options.cores,
    timeoutMs,
    maxMemoryBytes: MAX_MEMORY_BYTES,
    signal,
  });

  const transcodeContext = async (signal: AbortSignal | undefined): Promise<ClipContext> => ({
    ffmpeg: ffmpeg(),
    ffprobe: ffprobe(),
    canToneMap: await canToneMap(),
    cores: options.cores,
    maxMemoryBytes: MAX_MEMORY_BYTES,
    stallMs: options.stallMs ?? MINUTE_MS,
    signal,
  });

  return {
    probeVideo: probe,
    makePoster: ({ signal, maxLongSidePx = POSTER_LONG_SIDE_PX, ...rest }) =>
      light.run(async () => writePoster(await stillContext(signal), { ...rest, maxLongSidePx }), signal),
    async makeStill({ signal, probe: known, timeoutMs, ...rest }) {
      const facts = known ?? (await probe({ path: rest.path, signal }));
      return light.run(
        async () => writeStill(await stillContext(signal, timeoutMs), { ...rest, probe: facts }),
        signal,
      );
    },
    makeProxy: ({ signal, ...rest }) =>
      timed({ permits: heavy, logger: options.logger, signal }, async () =>
        writeProxy(await transcodeContext(signal), rest),
      ),
    cutClip: ({ signal, ...rest }) => clips.run(async () => writeClip(await transcodeContext(signal), rest), signal),
    joinClips: ({ signal, ...rest }) => clips.run(async () => writeReel(await transcodeContext(signal), rest), signal),
  };
}

async function timed(
  options: { readonly permits: Permits; readonly logger: Logger; readonly signal: AbortSignal | undefined },
  work: () => Promise<VideoProxy>,
): Promise<VideoProxy> {
  return options.permits.run(async () => {
    const startMs = performance.now();
    const proxy = await work();
    options.logger.info({ ...proxy, tookMs: Math.round(performance.now() - startMs) }, 'video.proxy_made');
    return proxy;
  }, options.signal);
}

function present(path: string | undefined, name: string): string {
  if (path === undefined) throw new AppError('capability_missing', `expected ${name} on this machine, received none`);
  return path;
}

/** Asked once: some builds of ffmpeg lack zscale (the zimg library). A failure is asked again. */
function createToneMapCheck(ffmpeg: () => string): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined;
  const ask = async () => {
    const run = await runTool({
      command: ffmpeg(),
      args: ['-hide_banner', '-v', 'error', '-filters'],
      timeoutMs: 30_000,
    });
    return run.stdout.includes(' zscale ') && run.stdout.includes(' tonemap ');
  };
  return () => {
    answer ??= ask().catch((error: unknown) => {
      answer = undefined;
      throw error;
    });
    return answer;
  };
}
