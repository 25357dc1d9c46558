import { createReadStream } from 'node:fs';
import type { ClipIntake, ClipTools, SourceSegment } from './clips/index.ts';
import { resolveFocus, type Window } from './images/index.ts';
import type { FaceDetector, Intake } from './ingest/index.ts';
import type { ClipFacts } from './library/index.ts';
import type { Ffmpeg, VideoProbe } from './video/index.ts';

type Aspect = Parameters<ClipTools['make']>[0]['aspect'];

const ASPECTS: Readonly<Record<Exclude<Aspect, 'original'>, { readonly width: number; readonly height: number }>> = {
  '16:9': { width: 16, height: 9 },
  '1:1': { width: 1, height: 1 },
  '9:16': { width: 9, height: 16 },
};
/** Of the still in which faces are looked for, and of the poster. */
const STILL_LONG_SIDE_PX = 2048;
/** Faces are known after this share of the work. */
const WINDOWS_RATIO = 0.05;

/** Satisfies what clips ask of videos: cuts with the video module, and finds the part of the picture as images do. */
export function createClipTools(options: { readonly ffmpeg: Ffmpeg; readonly faces: FaceDetector }): ClipTools {
  const { ffmpeg, faces } = options;

  /** By the focal point, else the faces at the moment of the segment, else the centre. */
  const windowOf = async (
    segment: SourceSegment & { readonly probe: VideoProbe },
    request: { readonly aspect: Aspect; readonly stillPath: string; readonly signal: AbortSignal },
  ): Promise<Window | undefined> => {
    if (request.aspect === 'original') return undefined;
    const { path, probe, focal, eventMs } = segment;
    const source = { width: probe.width, height: probe.height };
    const target = ASPECTS[request.aspect];
    const found = focal ? [] : await findFaces({ path, probe, eventMs, ...request });
    const chain = [{ kind: 'focal' }, { kind: 'faces' }, { kind: 'center' }] as const;
    return resolveFocus({ source, target, chain, faces: found, focal: focal ?? undefined }).window;
  };

  const findFaces = async (still: {
    readonly path: string;
    readonly probe: VideoProbe;
    readonly eventMs: number;
    readonly stillPath: string;
    readonly signal: AbortSignal;
  }) => {
    const { path, probe, eventMs, stillPath: outPath, signal } = still;
    await ffmpeg.makeStill({ path, probe, atMs: eventMs, maxLongSidePx: STILL_LONG_SIDE_PX, outPath, signal });
    return faces.detect(outPath, signal).catch(() => {
      signal.throwIfAborted();
      // A crop of the centre is still worth having.
      return [];
    });
  };

  return {
    async make(clip) {
      const { aspect, outPath, posterPath, signal } = clip;
      const segments = [];
      for (const [index, segment] of clip.segments.entries()) {
        const probe = await ffmpeg.probeVideo({ path: segment.path, signal });
        const window = await windowOf({ ...segment, probe }, { aspect, stillPath: posterPath, signal });
        segments.push({ ...segment, probe, window });
        clip.onProgress((WINDOWS_RATIO * (index + 1)) / clip.segments.length);
      }
      const onProgress = (ratio: number) => clip.onProgress(WINDOWS_RATIO + (1 - WINDOWS_RATIO) * ratio);
      const maxHeightPx = clip.height ?? undefined;
      const [first] = segments;
      const facts =
        first && segments.length === 1
          ? cutFacts(await ffmpeg.cutClip({ ...first, outPath, mode: 'auto', maxHeightPx, onProgress, signal }))
          : reelFacts(segments, await ffmpeg.joinClips({ segments, outPath, maxHeightPx, onProgress, signal }));
      const atMs = Math.max(0, Math.round((first?.eventMs ?? 0) - (facts.segments[0]?.inMs ?? 0)));
      await ffmpeg.makeStill({ path: outPath, atMs, maxLongSidePx: STILL_LONG_SIDE_PX, outPath: posterPath, signal });
      return facts;
    },
  };
}

type Facts = Omit<ClipFacts, 'sha256' | 'bytes'>;
const round = (ms: number) => Math.round(ms * 1000) / 1000;

function cutFacts(made: Awaited<ReturnType<Ffmpeg['cutClip']>>): Facts {
  const { width, height, durationMs, frames, method } = made;
  return {
    width,
    height,
    durationMs,
    frames,
    method,
    segments: [{ inMs: round(made.inMs), outMs: round(made.outMs), atMs: 0 }],
  };
}

function reelFacts(
  asked: readonly Pick<SourceSegment, 'inMs' | 'outMs'>[],
  made: Awaited<ReturnType<Ffmpeg['joinClips']>>,
): Facts {
  const { width, height, durationMs, frames } = made;
  return {
    width,
    height,
    durationMs,
    frames,
    method: 'encode',
    segments: asked.map(({ inMs, outMs }, index) => ({ inMs, outMs, atMs: round(made.startsMs[index] ?? 0) })),
  };
}

/** Takes a clip in on the way of every upload: hashed, stored, recorded and processed. */
export function createClipIntake(intake: Intake): ClipIntake {
  return {
    async take(scope, { path, fields, signal }) {
      const received = await intake.receive(createReadStream(path), signal);
      try {
        return (await intake.accept(scope, received, { ...fields, tagSource: 'manual' })).id;
      } finally {
        await intake.discard(received);
      }
    },
  };
}
