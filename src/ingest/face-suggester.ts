import { scopeOf } from '../auth/index.ts';
import { type Logger, messageOf } from '../base/index.ts';
import type { Database } from '../db/index.ts';
import type { JobPayloads, Jobs } from '../jobs/index.ts';
import {
  type ComparedFace,
  describeFaces,
  findComparedFaces,
  findKnownFaces,
  findUndescribed,
  type KnownFace,
  type LibraryWrite,
  suggestFaces,
  suggestsFaces,
  writeLibrary,
} from '../library/index.ts';
import type { ObjectStorage } from '../storage/index.ts';
import type { FaceDetector } from './faces/face-detector.ts';
import { descriptorDistance } from './faces/face-descriptors.ts';
import { matchFaces, MAX_DISTANCE } from './faces/face-match.ts';

/** A face is compared with so many of each player: of 500 players 4,000, which takes about a millisecond. */
const KNOWN_PER_PLAYER = 8;
const ASSETS_PER_READ = 500;

type Target = JobPayloads['faces.suggest'];

export type FaceSuggester = {
  /** The job: describes faces that are not yet, and says whose they may be. Does nothing where that is switched off. */
  run(target: Target, context: { readonly signal: AbortSignal }): Promise<void>;
};

/** Compares faces of one asset, with all players or, once a player's face was linked, of all assets with that player. */
export async function enqueueFaceSuggestions(
  jobs: Jobs,
  write: LibraryWrite,
  what: { readonly mediaId?: number; readonly tagOptionId?: number },
): Promise<void> {
  if (!(await suggestsFaces(write.tx, write.scope))) return;
  const { mediaId = null, tagOptionId = null } = what;
  await jobs.enqueue(write.tx, 'faces.suggest', { organizationId: write.scope.organizationId, mediaId, tagOptionId });
}

export function createFaceSuggester(deps: {
  readonly db: Database;
  readonly storage: ObjectStorage;
  readonly faces: FaceDetector;
  readonly logger: Logger;
}): FaceSuggester {
  const { db, storage, faces, logger } = deps;

  const describe = async ({ organizationId, mediaId }: Target, signal: AbortSignal): Promise<void> => {
    const scope = scopeOf(organizationId);
    for (let afterId = 0; ; ) {
      const assets = await findUndescribed(db, scope, { mediaId, afterId, limit: ASSETS_PER_READ });
      for (const asset of assets) {
        signal.throwIfAborted();
        if (!(await suggestsFaces(db, scope))) return;
        try {
          const local = await storage.openLocal(asset.storageKey, signal);
          try {
            const found = await faces.describe(local.path, asset.faces, signal);
            await writeLibrary(db, scope, (write) => describeFaces(write, asset, found));
          } finally {
            await local.release();
          }
        } catch (error) {
          signal.throwIfAborted();
          // One picture that cannot be read, or was deleted meanwhile, does not keep the others waiting.
          logger.warn({ event: 'faces.not_described', mediaId: asset.id, reason: messageOf(error) });
        }
        afterId = asset.id;
      }
      if (mediaId !== null || assets.length < ASSETS_PER_READ) return;
    }
  };

  const compare = async ({ organizationId, mediaId, tagOptionId }: Target, signal: AbortSignal): Promise<void> => {
    const scope = scopeOf(organizationId);
    const known = await findKnownFaces(db, scope, { perPlayer: KNOWN_PER_PLAYER, tagOptionId: null });
    const own = known.filter((one) => one.tagOptionId === tagOptionId);
    for (let afterId = 0; ; ) {
      const found = await findComparedFaces(db, scope, { mediaId, afterId, limit: ASSETS_PER_READ });
      const byAsset = groupByAsset(found);
      for (const [assetId, ofAsset] of byAsset) {
        signal.throwIfAborted();
        afterId = assetId;
        if (tagOptionId !== null && !ofAsset.some((face) => concerns(face, { tagOptionId, own }))) continue;
        const matched = matchFaces(ofAsset, known);
        if (isSame(ofAsset, matched)) continue;
        await writeLibrary(db, scope, (write) => suggestFaces(write, assetId, matched));
      }
      if (mediaId !== null || byAsset.size < ASSETS_PER_READ) return;
    }
  };

  return {
    async run(target, { signal }) {
      if (!(await suggestsFaces(db, scopeOf(target.organizationId)))) return;
      await describe(target, signal);
      await compare(target, signal);
    },
  };
}

function groupByAsset(faces: readonly ComparedFace[]): ReadonlyMap<number, readonly ComparedFace[]> {
  const groups = new Map<number, ComparedFace[]>();
  for (const face of faces) groups.set(face.assetId, [...(groups.get(face.assetId) ?? []), face]);
  return groups;
}

/** Whether a face may be, or was said to be, this player's. */
function concerns(
  face: ComparedFace,
  { tagOptionId, own }: { readonly tagOptionId: number; readonly own: readonly KnownFace[] },
): boolean {
  const { descriptor } = face;
  if (!descriptor) return false;
  // Somebody who is about as close makes a suggestion of another uncertain: the margin is part of it.
  const reach = MAX_DISTANCE * 1.25;
  return face.suggestedId === tagOptionId || own.some((one) => descriptorDistance(descriptor, one.descriptor) <= reach);
}

function isSame(
  faces: readonly ComparedFace[],
  matched: readonly { readonly n: number; readonly tagOptionId: number }[],
) {
  const wanted = new Map(matched.map((one) => [one.n, one.tagOptionId]));
  return faces.every((face) => face.ownerId !== null || face.suggestedId === (wanted.get(face.n) ?? null));
}
