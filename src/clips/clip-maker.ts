import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type LibraryScope, scopeOf } from '../auth/index.ts';
import { AppError, type Clock, DAY_MS, type Logger, SECOND_MS } from '../base/index.ts';
import type { Database } from '../db/index.ts';
import type { JobPayloads } from '../jobs/index.ts';
import {
  type Clip,
  type ClipFacts,
  type ClipOutcome,
  type ClipRequest,
  deleteClip,
  endClip,
  findClip,
  findExpiredClips,
  noteClipProgress,
  startClip,
  writeLibrary,
} from '../library/index.ts';
import type { ObjectStorage } from '../storage/index.ts';
import { type ClipAssetFields, describeAsset } from './clip-asset.ts';
import { type ClipSources, openSources } from './clip-sources.ts';

/** A cut of a local video file. */
export type SourceSegment = {
  readonly path: string;
  readonly inMs: number;
  readonly outMs: number;
  readonly eventMs: number;
  /** Set by a person, as fractions of the picture. */
  readonly focal: { readonly x: number; readonly y: number } | null;
};

/** What clips need of videos; `app.ts` satisfies it with the video, image and ingest modules. */
export type ClipTools = {
  /**
   * Writes an MP4 of all segments to `outPath` and a JPEG of the first one's moment to `posterPath`; reports 0 to 1.
   * @throws AppError as the video module does
   */
  make(clip: {
    readonly segments: readonly SourceSegment[];
    readonly aspect: ClipRequest['aspect'];
    readonly height: number | null;
    readonly outPath: string;
    readonly posterPath: string;
    readonly onProgress: (ratio: number) => void;
    readonly signal: AbortSignal;
  }): Promise<Omit<ClipFacts, 'sha256' | 'bytes'>>;
};

/** What takes a clip in as an asset of the library; `app.ts` satisfies it with the intake of uploads. */
export type ClipIntake = {
  /** Answers the ID of the asset. The file may be moved. */
  take(
    scope: LibraryScope,
    file: { readonly path: string; readonly fields: ClipAssetFields; readonly signal: AbortSignal },
  ): Promise<number>;
};

type Target = JobPayloads['clip.make'];
type Run = { readonly signal: AbortSignal; readonly lastAttempt: boolean };

export type ClipMaker = {
  /** Makes a clip that was asked for; ends quietly when it has been made or cancelled by then. */
  make(target: Target, run: Run): Promise<void>;
  /** For a job that ended without its handler every time. */
  abandon(target: Target): Promise<void>;
  /** Removes clips and their files whose time is over. */
  purge(signal: AbortSignal): Promise<void>;
};

const KEPT_DAYS = 7;
/** How often progress is written, and a cancellation noticed. */
const BEAT_MS = SECOND_MS;

/** The job that cuts clips, and what removes them. */
export function createClipMaker(options: {
  readonly db: Database;
  readonly storage: ObjectStorage;
  readonly temporaryFolder: string;
  readonly tools: ClipTools;
  readonly intake: ClipIntake;
  readonly clock: Clock;
  readonly logger: Logger;
}): ClipMaker {
  const { db, storage, logger, clock } = options;

  const end = async (scope: LibraryScope, id: number, outcome: ClipOutcome): Promise<boolean> => {
    const expiresAt = new Date(clock.now().getTime() + KEPT_DAYS * DAY_MS);
    const { result } = await writeLibrary(db, scope, async ({ tx, record }) => {
      const ended = await endClip(tx, scope, { id, outcome, expiresAt });
      if (ended && outcome.state !== 'cancelled') record({ type: `clip.${outcome.state}`, objectId: id });
      return ended;
    });
    return result !== undefined;
  };

  const fail = async (target: Target, failure: { readonly code: string; readonly reason: string }): Promise<void> => {
    const scope = scopeOf(target.organizationId);
    const outcome = { state: 'failed', failureCode: failure.code, failureReason: failure.reason } as const;
    if (await end(scope, target.clipId, outcome)) {
      logger.info({ event: 'clip.failed', clipId: target.clipId, ...failure }, 'clip failed');
    }
  };

  const keepFiles = async (scope: LibraryScope, clip: Clip, made: Made): Promise<boolean> => {
    // New names each time: a job that runs twice does not touch the files of its other run.
    const stem = `clips/${scope.organizationId}/${clip.id}/${randomUUID()}`;
    const keys = { videoKey: `${stem}.mp4`, posterKey: `${stem}.jpg` };
    let isKept = false;
    try {
      await storage.putFile(keys.videoKey, made.outPath, { contentType: 'video/mp4', move: true });
      await storage.putFile(keys.posterKey, made.posterPath, { contentType: 'image/jpeg', move: true });
      isKept = await end(scope, clip.id, { state: 'ready', facts: made.facts, ...keys, assetId: null });
    } finally {
      if (!isKept) await storage.remove(Object.values(keys));
    }
    return isKept;
  };

  const keepAsset = async (
    scope: LibraryScope,
    clip: Clip,
    { made, sources, signal }: { readonly made: Made; readonly sources: ClipSources; readonly signal: AbortSignal },
  ): Promise<boolean> => {
    const fields = await describeAsset(db, scope, { clip, assets: sources.assets });
    signal.throwIfAborted();
    const assetId = await options.intake.take(scope, { path: made.outPath, fields, signal });
    return end(scope, clip.id, { state: 'ready', facts: made.facts, videoKey: null, posterKey: null, assetId });
  };

  const cut = async (clip: Clip, context: Work): Promise<boolean> => {
    const { scope, workDir, signal } = context;
    const sources = await openSources({ db, storage, scope, segments: clip.request.segments, signal });
    try {
      const [outPath, posterPath] = [join(workDir, 'clip.mp4'), join(workDir, 'poster.jpg')];
      const { aspect, height, output } = clip.request;
      const { onProgress } = context;
      const facts = await options.tools.make({
        segments: sources.segments,
        aspect,
        height,
        outPath,
        posterPath,
        onProgress,
        signal,
      });
      const made: Made = { outPath, posterPath, facts: { ...facts, ...(await measure(outPath)) } };
      return output === 'asset'
        ? await keepAsset(scope, clip, { made, sources, signal })
        : await keepFiles(scope, clip, made);
    } finally {
      await sources.release();
    }
  };

  const make = async (target: Target, run: Run): Promise<void> => {
    const scope = scopeOf(target.organizationId);
    const clip = await startClip(db, scope, target.clipId);
    if (!clip) return;
    const startedMs = performance.now();
    // Beside the folders of processing: what a crash leaves there is swept by the next start, when it is a day old.
    const workDir = join(options.temporaryFolder, 'work', `clip-${clip.id}-${randomUUID().slice(0, 8)}`);
    await mkdir(workDir, { recursive: true, mode: 0o700 });
    const watch = watchClip({ db, scope, id: clip.id, logger });
    const signal = AbortSignal.any([run.signal, watch.cancelled]);
    try {
      if (!(await cut(clip, { scope, workDir, signal, onProgress: watch.note }))) return;
      const tookMs = Math.round(performance.now() - startedMs);
      logger.info({ event: 'clip.ready', clipId: clip.id, tookMs }, 'clip ready');
    } catch (error) {
      if (watch.cancelled.aborted) return;
      const isFinal = error instanceof AppError && error.status < 500;
      if (!isFinal && !run.lastAttempt) throw error;
      if (!isFinal) logger.error({ event: 'clip.making_failed', clipId: clip.id, err: error }, 'clip failed');
      const reason = error instanceof AppError ? error.message : 'The clip could not be made; the log says why.';
      await fail(target, { code: error instanceof AppError ? error.code : 'internal', reason });
    } finally {
      watch.stop();
      await rm(workDir, { recursive: true, force: true });
    }
  };

  return {
    make,
    abandon: (target) => fail(target, { code: 'internal', reason: 'Cutting was interrupted every time it was tried.' }),
    async purge(signal) {
      for (;;) {
        const expired = await findExpiredClips(db, { now: clock.now(), limit: 100 });
        for (const { id, organizationId } of expired) {
          signal.throwIfAborted();
          await removeClip({ db, storage, scope: scopeOf(organizationId), id });
        }
        if (expired.length === 0) return;
      }
    },
  };
}

type Made = { readonly outPath: string; readonly posterPath: string; readonly facts: ClipFacts };
type Work = {
  readonly scope: LibraryScope;
  readonly workDir: string;
  readonly signal: AbortSignal;
  readonly onProgress: (ratio: number) => void;
};

/** Files first: a crash in between leaves a clip without files, which the next run removes. */
async function removeClip(target: {
  readonly db: Database;
  readonly storage: ObjectStorage;
  readonly scope: LibraryScope;
  readonly id: number;
}): Promise<void> {
  const { db, storage, scope, id } = target;
  await writeLibrary(db, scope, async ({ tx }) => {
    const clip = await findClip(tx, scope, id);
    await storage.remove([clip?.videoKey, clip?.posterKey].filter((key) => typeof key === 'string'));
    await deleteClip(tx, scope, id);
  });
}

/** Writes the progress once a second, and tells by the answer that the clip was cancelled. */
function watchClip(target: {
  readonly db: Database;
  readonly scope: LibraryScope;
  readonly id: number;
  readonly logger: Logger;
}): { readonly cancelled: AbortSignal; readonly note: (ratio: number) => void; readonly stop: () => void } {
  const controller = new AbortController();
  let progress = 0;
  let isWriting = false;
  const beat = async () => {
    if (isWriting) return;
    isWriting = true;
    try {
      const isWanted = await noteClipProgress(target.db, target.scope, { id: target.id, progress });
      if (!isWanted) controller.abort(new Error('the clip was cancelled'));
    } catch (error) {
      target.logger.warn({ event: 'clip.progress_failed', clipId: target.id, err: error }, 'progress was not written');
    } finally {
      isWriting = false;
    }
  };
  const timer = setInterval(() => void beat(), BEAT_MS);
  return {
    cancelled: controller.signal,
    // The last step is the one that makes it ready.
    note: (ratio) => {
      progress = Math.max(progress, Math.min(0.99, ratio));
    },
    stop: () => clearInterval(timer),
  };
}

async function measure(path: string): Promise<{ readonly sha256: string; readonly bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(createReadStream(path), async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) {
      bytes += chunk.length;
      hash.update(chunk);
    }
  });
  return { sha256: hash.digest('hex'), bytes };
}
