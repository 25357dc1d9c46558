import type { LibraryScope } from '../auth/index.ts';
import { AppError } from '../base/index.ts';
import type { Database } from '../db/index.ts';
import { type Asset, type ClipSegment, findAssets } from '../library/index.ts';
import type { ObjectStorage } from '../storage/index.ts';
import type { SourceSegment } from './clip-maker.ts';

export type ClipSources = {
  readonly segments: readonly SourceSegment[];
  /** Of the segments, in their order, each once. */
  readonly assets: readonly Asset[];
  release(): Promise<void>;
};

/**
 * The originals of the segments' videos as local files, each once.
 * @throws AppError `state_conflict` when a video has been deleted meanwhile
 */
export async function openSources(request: {
  readonly db: Database;
  readonly storage: ObjectStorage;
  readonly scope: LibraryScope;
  readonly segments: readonly ClipSegment[];
  readonly signal: AbortSignal;
}): Promise<ClipSources> {
  const { db, storage, scope, segments, signal } = request;
  const ids = [...new Set(segments.map((segment) => segment.mediaId))];
  const found = new Map((await findAssets(db, scope, ids)).map((asset) => [asset.id, asset]));
  const opened = new Map<number, { readonly path: string; release(): Promise<void> }>();
  const release = async () => {
    for (const local of opened.values()) await local.release();
  };
  try {
    for (const id of ids) {
      const asset = found.get(id);
      const original = asset?.files.find((file) => file.quality === 'photographer');
      if (!asset || !original || asset.status === 'deleted') {
        throw new AppError('state_conflict', `Video ${id} was deleted before the clip was cut.`);
      }
      opened.set(id, await storage.openLocal(original.storageKey, signal));
    }
  } catch (error) {
    await release();
    throw error;
  }
  return {
    segments: segments.flatMap((segment) => {
      const local = opened.get(segment.mediaId);
      const { inMs, outMs, eventMs } = segment;
      const focal = found.get(segment.mediaId)?.focal ?? null;
      return local ? [{ path: local.path, inMs, outMs, eventMs, focal }] : [];
    }),
    assets: ids.flatMap((id) => found.get(id) ?? []),
    release,
  };
}
