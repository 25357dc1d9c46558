import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createPermits } from './base/index.ts';
import type { LoadStill } from './images/index.ts';
import type { ObjectStorage } from './storage/index.ts';
import type { Ffmpeg, VideoProbe } from './video/index.ts';

/** What is known of this many renditions is kept, so that a second still of a video costs no second probe. */
const KEPT_PROBES = 500;
/** Somebody waits: a keyframe is at most 10 s back, which takes a second or two to decode. */
const TIMEOUT_MS = 20_000;
const WAITING = 64;
const MAX_WAIT_MS = 10_000;
/** Of videos that the service takes in; a still has the full size of its rendition. */
const LONG_SIDE_PX = 8192;

/** Satisfies what images ask of videos with the video module. */
export function createStillLoader(deps: {
  readonly ffmpeg: Ffmpeg;
  readonly storage: ObjectStorage;
  readonly temporaryFolder: string;
  /** How many stills are taken at once. */
  readonly cores: number;
}): LoadStill {
  const { ffmpeg, storage, cores } = deps;
  const folder = join(deps.temporaryFolder, 'stills');
  const permits = createPermits({ name: 'stills', running: cores, waiting: WAITING, maxWaitMs: MAX_WAIT_MS });
  const probes = new Map<string, VideoProbe>();

  const probeOf = async (rendition: string, path: string, signal: AbortSignal | undefined): Promise<VideoProbe> => {
    const probe = probes.get(rendition) ?? (await ffmpeg.probeVideo({ path, signal }));
    // Once more at the end: the first of the map is the one that was used least recently.
    probes.delete(rendition);
    probes.set(rendition, probe);
    const [oldest] = probes.keys();
    if (probes.size > KEPT_PROBES && oldest !== undefined) probes.delete(oldest);
    return probe;
  };

  const take: LoadStill = async ({ rendition, atMs, signal }) => {
    const local = await storage.openLocal(rendition, signal);
    const outPath = join(folder, `${randomUUID()}.jpg`);
    try {
      const probe = await probeOf(rendition, local.path, signal);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const still = { path: local.path, probe, atMs, outPath, maxLongSidePx: LONG_SIDE_PX, timeoutMs: TIMEOUT_MS };
      await ffmpeg.makeStill({ ...still, signal });
      return await readFile(outPath);
    } finally {
      await rm(outPath, { force: true });
      await local.release();
    }
  };

  return (request) => permits.run(() => take(request), request.signal);
}
