import { type LibraryScope, newUrlNonce } from '../auth/index.ts';
import { AppError, foldText } from '../base/index.ts';
import { type Database, isUniqueViolation } from '../db/index.ts';
import { recomputeAngles, setTimeline } from './action-follow-ups.ts';
import { checkTimeline } from './action-places.ts';
import type { Timeline } from './action-types.ts';
import {
  type AssetPatch,
  completeProcessing,
  failProcessing,
  findAsset,
  findAssetIdBy,
  insertAsset,
  insertFile,
  type NewAsset,
  patchAsset,
  type ProcessedFacts,
  replaceContent,
  restartProcessing,
} from './asset-store.ts';
import type { Asset, AssetFace, AssetFile } from './asset-types.ts';
import { inSnapshot, type LibraryWrite } from './changes-store.ts';
import { findMissingCollections } from './collection-store.ts';
import { checkChangedDetails, checkDetails, fittingDetails } from './detail-fields.ts';
import { type FoundFace, ownersOfFaces } from './faces.ts';
import { findTagsByFoldedName, findTagSummaries } from './tag-store.ts';
import { TAG_TYPES, type TagType } from './tag-types.ts';
import { type AddedTag, insertTags, readTagIds, recomputeTags, removeTags } from './tagging-store.ts';

export type UploadedFile = Pick<NewAsset, 'mediaType' | 'sha256' | 'bytes' | 'mimeType' | 'extension'> & {
  readonly storageKey: string;
};

export type UploadOutcome = {
  readonly id: number;
  /** The organization had these bytes already; nothing was stored twice. */
  readonly duplicate: boolean;
  /** A job has to process the asset in this revision. */
  readonly process: { readonly revision: number; readonly mediaType: 'photo' | 'video' } | undefined;
  /** Stored objects of the content that was replaced; some may still be those of another asset. */
  readonly replacedKeys: readonly string[];
};

/** IDs checked against the organization's options; a merged one gives the option it was merged into. */
export async function resolveTagIds(
  write: Pick<LibraryWrite, 'tx' | 'scope'>,
  ids: readonly number[],
  options: { readonly pointer: string; readonly adding: boolean },
): Promise<number[]> {
  const found = await findTagSummaries(write.tx, write.scope, ids);
  const unknown = ids.filter((id) => !found.has(id));
  if (unknown.length > 0) {
    const detail = `expected IDs of tag options, received unknown ${unknown.join(', ')}`;
    throw new AppError('unknown_tag_option', detail, {
      details: { unknown },
      errors: [{ pointer: options.pointer, code: 'unknown_tag_option', detail }],
    });
  }
  const closed = options.adding ? ids.filter((id) => found.get(id)?.status === 'deactivated') : [];
  if (closed.length > 0) {
    const detail = `expected active tag options, received deactivated ${closed.join(', ')}`;
    throw new AppError('tag_option_deactivated', detail, {
      errors: [{ pointer: options.pointer, code: 'tag_option_deactivated', detail }],
    });
  }
  return [...new Set(ids.map((id) => found.get(id)?.mergedInto ?? id))];
}

async function checkCollections(
  write: Pick<LibraryWrite, 'tx' | 'scope'>,
  ids: readonly number[] | undefined,
): Promise<void> {
  const missing = await findMissingCollections(write.tx, write.scope, ids ?? []);
  if (missing.length === 0) return;
  const detail = `expected IDs of collections, received unknown ${missing.join(', ')}`;
  throw new AppError('unknown_collection', detail, {
    errors: [{ pointer: '/collections', code: 'unknown_collection', detail }],
  });
}

/** @throws AppError `external_id_taken` instead of a violated unique constraint */
async function guardExternalId<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isUniqueViolation(error, 'asset_external_id')) throw error;
    const detail = 'expected an external_id of this asset alone, received one that another asset has';
    throw new AppError('external_id_taken', detail, {
      errors: [{ pointer: '/external_id', code: 'external_id_taken', detail }],
    });
  }
}

/**
 * Refuses what acceptUpload would refuse of these fields, before a file is there. What depends on the bytes is judged with them.
 * @throws AppError `unknown_tag_option`, `tag_option_deactivated`, `unknown_collection`, `validation_failed`
 */
export async function checkUploadFields(
  db: Database,
  scope: LibraryScope,
  fields: Pick<AssetPatch, 'details' | 'collectionIds'> & { readonly tagOptionIds: readonly number[] },
): Promise<void> {
  const isFree =
    fields.tagOptionIds.length === 0 &&
    (fields.collectionIds ?? []).length === 0 &&
    Object.keys(fields.details ?? {}).length === 0;
  if (isFree) return;
  await inSnapshot(db, async (tx) => {
    await resolveTagIds({ tx, scope }, fields.tagOptionIds, { pointer: '/tag_options', adding: true });
    await checkCollections({ tx, scope }, fields.collectionIds);
    if (fields.details) await checkDetails({ tx, scope }, fields.details);
  });
}

const originalOf = (file: UploadedFile): AssetFile => ({
  quality: 'photographer',
  storageKey: file.storageKey,
  width: null,
  height: null,
  bytes: file.bytes,
  mimeType: file.mimeType,
});

/**
 * Takes in stored bytes. The same `external_id` updates that asset (with other bytes: replaces its content); the same
 * bytes give the existing asset, whose tags and given fields are added to; anything else is a new asset.
 */
export async function acceptUpload(
  write: LibraryWrite,
  file: UploadedFile,
  fields: AssetPatch & { readonly name: string; readonly tags: readonly AddedTag[] },
): Promise<UploadOutcome> {
  const { name, tags, externalId, ...patch } = fields;
  const ids = await resolveTagIds(
    write,
    tags.map((tag) => tag.tagOptionId),
    { pointer: '/tag_options', adding: true },
  );
  await checkCollections(write, patch.collectionIds);
  const checked = { ...patch, details: patch.details && (await checkDetails(write, patch.details)) };
  const byExternal = externalId ? await findAssetIdBy(write.tx, write.scope, { externalId }) : undefined;
  const byContent = await findAssetIdBy(write.tx, write.scope, { sha256: file.sha256 });
  if (byExternal !== undefined && byContent !== undefined && byContent !== byExternal) {
    throw new AppError(
      'conflict',
      `external_id ${externalId} belongs to asset ${byExternal}, these bytes to asset ${byContent}.`,
    );
  }
  const existing = byExternal ?? byContent;
  const sources = new Map(tags.map((tag) => [tag.tagOptionId, tag]));
  const resolved = ids.map((id): AddedTag => ({ source: 'manual', ...sources.get(id), tagOptionId: id }));
  if (existing === undefined) {
    const id = await insertAsset(write.tx, write.scope, {
      ...file,
      name,
      externalId: externalId ?? null,
      urlNonce: newUrlNonce(),
    });
    await insertFile(write.tx, id, originalOf(file));
    write.record({ type: 'media.created', objectId: id });
    if (Object.values(checked).some((value) => value !== undefined)) await patchAsset(write, id, checked);
    await insertTags(write, id, resolved);
    await recomputeTags(write, [id]);
    return { id, duplicate: false, process: await processOf(write, id), replacedKeys: [] };
  }
  const before = await getAssetForWrite(write, existing, { inBin: false });
  const replaced = byContent === undefined;
  if (replaced) {
    await replaceContent(write, existing, file);
    await insertFile(write.tx, existing, originalOf(file));
  } else if (before.status === 'failed') {
    await restartProcessing(write.tx, existing);
  }
  const details = checked.details && !replaced ? { ...before.details, ...checked.details } : checked.details;
  const given = {
    ...checked,
    details,
    // The same file again joins further collections; an external ID it has already stays.
    collectionIds: patch.collectionIds && [...new Set([...before.collectionIds, ...patch.collectionIds])],
    ...(externalId && before.externalId === null ? { externalId } : {}),
    ...(replaced ? { name } : {}),
  };
  const again = replaced || before.status === 'failed';
  const changes = Object.values(given).some((value) => value !== undefined);
  if (changes) await patchAsset(write, existing, given);
  await insertTags(write, existing, resolved);
  await recomputeTags(write, [existing]);
  if (changes || again) write.record({ type: 'media.updated', objectId: existing });
  return {
    id: existing,
    duplicate: !replaced,
    process: again ? await processOf(write, existing) : undefined,
    replacedKeys: replaced ? before.files.map((one) => one.storageKey) : [],
  };
}

/** What there is to process of an asset. */
export async function processOf(write: LibraryWrite, id: number): Promise<UploadOutcome['process']> {
  const asset = await findAsset(write.tx, write.scope, id);
  return asset && { revision: asset.revision, mediaType: asset.mediaType };
}

/** Names that a file carries about itself: IPTC/XMP keywords, persons shown, the event. */
export type EmbeddedNames = {
  readonly keywords: readonly string[];
  readonly persons: readonly string[];
  readonly events: readonly string[];
};

/** Which types of option each kind of name may mean. */
const MEANINGS: Readonly<Record<keyof EmbeddedNames, readonly TagType[]>> = {
  keywords: TAG_TYPES,
  persons: ['player', 'tag'],
  events: ['match'],
};

/** Names in a file that are names of tag options put these on the asset (`source: metadata`). */
async function tagByNames(write: LibraryWrite, id: number, names: EmbeddedNames): Promise<void> {
  const folded = Object.entries(MEANINGS).map(([kind, types]) => ({
    names: new Set(names[kind as keyof EmbeddedNames].map(foldText).filter((name) => name !== '')),
    types,
  }));
  const wanted = [...new Set(folded.flatMap((one) => [...one.names]))];
  const found = await findTagsByFoldedName(write.tx, write.scope, { names: wanted, types: TAG_TYPES });
  // A name that several options share tags none of them: a wrong player on a picture is worse than none.
  const owners = new Map<string, Set<number>>();
  for (const option of found) {
    for (const name of option.foldedNames) {
      const fits = folded.some((one) => one.names.has(name) && one.types.includes(option.type));
      if (fits) owners.set(name, (owners.get(name) ?? new Set()).add(option.id));
    }
  }
  const ids = new Set([...owners.values()].flatMap((set) => (set.size === 1 ? [...set] : [])));
  await insertTags(
    write,
    id,
    [...ids].map((tagOptionId) => ({ tagOptionId, source: 'metadata' })),
  );
  await recomputeTags(write, [id]);
}

/** A name that a player shares with a free tag tags neither; the face that carries it leaves no doubt. */
async function tagByFaces(write: LibraryWrite, id: number, faces: readonly AssetFace[]): Promise<void> {
  const players = [...new Set(faces.flatMap((face) => face.tagOptionId ?? []))];
  await insertTags(
    write,
    id,
    players.map((tagOptionId) => ({ tagOptionId, source: 'metadata' })),
  );
  await recomputeTags(write, [id]);
}

/** Makes a processed asset `ready`. False when it was replaced or deleted for good in the meantime. */
export async function finishProcessing(
  write: LibraryWrite,
  target: { readonly id: number; readonly revision: number },
  facts: Omit<ProcessedFacts, 'faces'> & EmbeddedNames & { readonly faces: readonly FoundFace[] },
): Promise<boolean> {
  const faces = await ownersOfFaces(write, facts.faces);
  const { details, warnings } = await fittingDetails(write, facts.details);
  const fitting = { ...facts, details, warnings: [...facts.warnings, ...warnings] };
  if (!(await completeProcessing(write, target, { ...fitting, faces }))) return false;
  await tagByNames(write, target.id, facts);
  await tagByFaces(write, target.id, faces);
  // Its length is known now: actions of its match have places in it, as far as it shows them.
  await recomputeAngles(write, [target.id], { told: new Set([target.id]) });
  write.record({ type: 'media.ready', objectId: target.id });
  return true;
}

export async function giveUpProcessing(
  write: LibraryWrite,
  target: { readonly id: number; readonly revision: number },
  failure: { readonly code: string; readonly reason: string },
): Promise<void> {
  if (await failProcessing(write.tx, target, failure)) {
    write.record({ type: 'media.failed', objectId: target.id, data: { reason: failure.reason } });
  }
}

/** @throws AppError `not_found`, `precondition_failed` when the asset's version is not the expected one */
export async function getAssetForWrite(
  write: LibraryWrite,
  id: number,
  options: { readonly ifVersion?: number | undefined; readonly inBin: boolean },
): Promise<Asset> {
  const asset = await findAsset(write.tx, write.scope, id);
  if (!asset || (asset.status === 'deleted') !== options.inBin)
    throw new AppError('not_found', `There is no asset ${id}${options.inBin ? ' in the bin' : ''}.`);
  if (options.ifVersion !== undefined && options.ifVersion !== asset.version) {
    throw new AppError('precondition_failed', `Asset ${id} is at version ${asset.version} by now: read it again.`);
  }
  return asset;
}

/** Changes the given fields; `tagOptionIds` replaces the asset's tags (implied ones follow from the match). */
export async function editAsset(
  write: LibraryWrite,
  asset: Asset,
  patch: AssetPatch & {
    readonly tagOptionIds?: readonly number[] | undefined;
    /** Of a video only. */
    readonly timeline?: Timeline | null | undefined;
    /** Name of the API key: on the actions that move with the timeline. */
    readonly actor?: string | undefined;
  },
): Promise<void> {
  const { tagOptionIds, timeline, actor = null, ...fields } = patch;
  if (fields.status !== undefined && asset.status !== 'ready' && asset.status !== 'archived') {
    throw new AppError('state_conflict', `Asset ${asset.id} is ${asset.status}: only a ready asset can be archived.`);
  }
  await checkCollections(write, fields.collectionIds);
  const details = fields.details && (await checkChangedDetails(write, asset.details, fields.details));
  const isPatched = Object.values(fields).some((value) => value !== undefined);
  if (isPatched) await guardExternalId(patchAsset(write, asset.id, { ...fields, details }));
  if (timeline) checkTimeline(asset, timeline);
  if (timeline !== undefined) await setTimeline(write, asset, { timeline, actor });
  if (isPatched || timeline !== undefined) write.record({ type: 'media.updated', objectId: asset.id });
  if (tagOptionIds === undefined) return;
  const wanted = await resolveTagIds(write, tagOptionIds, { pointer: '/tag_options', adding: false });
  const present = await readTagIds(write, asset.id, { implied: true });
  const explicit = await readTagIds(write, asset.id, { implied: false });
  await changeTags(write, asset.id, {
    add: wanted.filter((id) => !present.has(id)),
    remove: [...explicit].filter((id) => !wanted.includes(id)),
  });
  // A client writes back what it read: a tag that the match implies stays implied, unless the match has just gone.
  const left = await readTagIds(write, asset.id, { implied: true });
  await changeTags(write, asset.id, { add: wanted.filter((id) => !left.has(id)), remove: [] });
}

/** Adds and removes tags by hand. @throws AppError `unknown_tag_option`, `tag_option_deactivated` */
export async function changeTags(
  write: LibraryWrite,
  assetId: number,
  change: { readonly add: readonly number[]; readonly remove: readonly number[] },
): Promise<void> {
  const add = await resolveTagIds(write, change.add, { pointer: '/add', adding: true });
  const remove = await resolveTagIds(write, change.remove, { pointer: '/remove', adding: false });
  await removeTags(write, assetId, remove);
  const added = await insertTags(
    write,
    assetId,
    add.map((tagOptionId) => ({ tagOptionId, source: 'manual' })),
  );
  await recomputeTags(write, [assetId], { touched: added ? [assetId] : [] });
}

/** Puts a failed asset back to work. @throws AppError `state_conflict` when it is not failed */
export async function retryProcessing(write: LibraryWrite, asset: Asset): Promise<UploadOutcome['process']> {
  if (asset.status !== 'failed') {
    throw new AppError('state_conflict', `Asset ${asset.id} is ${asset.status}: only a failed one can be retried.`);
  }
  await restartProcessing(write.tx, asset.id);
  write.record({ type: 'media.updated', objectId: asset.id });
  return processOf(write, asset.id);
}
