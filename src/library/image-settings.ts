import { AppError } from '../base/index.ts';
import { type Database, isUniqueViolation } from '../db/index.ts';
import type { LibraryScope } from '../auth/index.ts';
import { inSnapshot, type LibraryWrite } from './changes-store.ts';
import {
  deleteImagePreset,
  type ImagePreset,
  insertImagePreset,
  listImagePresets,
  updateImagePreset,
} from './image-preset-store.ts';
import {
  findImageSettings,
  type ImageKey,
  type ImageMode,
  type ImageSettings,
  insertImageKey,
  listImageKeys,
  readImageSecrets,
  revokeImageKey,
  saveImageMode,
} from './image-settings-store.ts';
import {
  deleteWatermark,
  insertWatermark,
  listWatermarks,
  type NewWatermark,
  updateWatermark,
  type Watermark,
} from './watermark-store.ts';

/** Two: a new one is made and put into use before the old one is revoked. */
const MAX_LIVE_KEYS = 2;
const MAX_PRESETS = 200;
const MAX_WATERMARKS = 50;

/** Everything that decides which image URLs of an organization open, and what their names stand for. */
export type ImageRules = {
  readonly mode: ImageMode;
  /** Secrets that are not revoked, by kid. */
  readonly secrets: ReadonlyMap<string, Buffer>;
  /** Parameters by the name of the preset. */
  readonly presets: ReadonlyMap<string, Readonly<Record<string, string>>>;
  readonly watermarks: ReadonlyMap<string, Watermark>;
};

/** All of them as they were at one time. */
export async function readImageRules(db: Database, scope: LibraryScope): Promise<ImageRules> {
  return inSnapshot(db, async (tx) => {
    const { mode } = await findImageSettings(tx, scope);
    const presets = await listImagePresets(tx, scope);
    const watermarks = await listWatermarks(tx, scope);
    return {
      mode,
      secrets: await readImageSecrets(tx, scope),
      presets: new Map(presets.map(({ name, parameters }) => [name, parameters])),
      watermarks: new Map(watermarks.map((watermark) => [watermark.name, watermark])),
    };
  });
}

/** Changes who may have which images. */
export async function editImageMode(write: LibraryWrite, before: ImageSettings, mode: ImageMode): Promise<void> {
  if (mode === before.mode) return;
  await saveImageMode(write.tx, write.scope, mode);
  write.record({ type: 'image_settings.updated', objectId: write.scope.organizationId, data: { mode } });
}

/** Keeps a new key. @throws AppError `conflict` when two are live */
export async function createImageKey(
  write: LibraryWrite,
  key: { readonly kid: string; readonly secret: Buffer; readonly name: string },
): Promise<ImageKey> {
  const live = (await listImageKeys(write.tx, write.scope)).filter((one) => one.revokedAt === null);
  if (live.length >= MAX_LIVE_KEYS) {
    const kids = live.map((one) => one.kid).join(' and ');
    throw new AppError('conflict', `expected at most ${MAX_LIVE_KEYS} live image keys: revoke one of ${kids} first`);
  }
  const created = await insertImageKey(write.tx, write.scope, key);
  write.record({ type: 'image_key.created', objectId: created.id, data: { kid: created.kid } });
  return created;
}

/** Revokes a key for good. @throws AppError `not_found` */
export async function endImageKey(write: LibraryWrite, id: number): Promise<ImageKey> {
  const revoked = await revokeImageKey(write.tx, write.scope, id);
  if (!revoked) throw new AppError('not_found', `There is no image key ${id}.`);
  write.record({ type: 'image_key.revoked', objectId: id, data: { kid: revoked.kid } });
  return revoked;
}

async function guardName<T>(work: Promise<T>, { index, name }: { readonly index: string; readonly name: string }) {
  try {
    return await work;
  } catch (error) {
    if (!isUniqueViolation(error, index)) throw error;
    const detail = `expected a name that no other one has, received ${name}`;
    throw new AppError('conflict', detail, { errors: [{ pointer: '/name', code: 'taken', detail }] });
  }
}

/** @throws AppError `conflict` when there are 200, or the name is taken */
export async function createImagePreset(
  write: LibraryWrite,
  preset: Pick<ImagePreset, 'name' | 'parameters'>,
): Promise<number> {
  if ((await listImagePresets(write.tx, write.scope)).length >= MAX_PRESETS) {
    throw new AppError('conflict', `expected at most ${MAX_PRESETS} image presets, received one more`);
  }
  const inserted = insertImagePreset(write.tx, write.scope, preset);
  const id = await guardName(inserted, { index: 'image_preset_name', name: preset.name });
  write.record({ type: 'image_preset.created', objectId: id, data: { name: preset.name } });
  return id;
}

/** @throws AppError `conflict` when the name is taken */
export async function editImagePreset(
  write: LibraryWrite,
  preset: Pick<ImagePreset, 'id' | 'name' | 'parameters'>,
): Promise<void> {
  const updated = updateImagePreset(write.tx, write.scope, preset);
  await guardName(updated, { index: 'image_preset_name', name: preset.name });
  write.record({ type: 'image_preset.updated', objectId: preset.id, data: { name: preset.name } });
}

export async function removeImagePreset(write: LibraryWrite, { id, name }: ImagePreset): Promise<void> {
  await deleteImagePreset(write.tx, write.scope, id);
  write.record({ type: 'image_preset.deleted', objectId: id, data: { name } });
}

/** Keeps a watermark under its name; one of that name gets the new picture and place. Answers its ID and what it replaced. */
export async function putWatermark(
  write: LibraryWrite,
  watermark: NewWatermark,
): Promise<{ readonly id: number; readonly replaced: Watermark | undefined }> {
  const present = await listWatermarks(write.tx, write.scope);
  const replaced = present.find(({ name }) => name === watermark.name);
  if (replaced) {
    await updateWatermark(write.tx, write.scope, { ...watermark, id: replaced.id });
    write.record({ type: 'watermark.updated', objectId: replaced.id, data: { name: watermark.name } });
    return { id: replaced.id, replaced };
  }
  if (present.length >= MAX_WATERMARKS) {
    throw new AppError('conflict', `expected at most ${MAX_WATERMARKS} watermarks, received one more`);
  }
  const id = await insertWatermark(write.tx, write.scope, watermark);
  write.record({ type: 'watermark.created', objectId: id, data: { name: watermark.name } });
  return { id, replaced: undefined };
}

export async function removeWatermark(write: LibraryWrite, { id, name }: Watermark): Promise<void> {
  await deleteWatermark(write.tx, write.scope, id);
  write.record({ type: 'watermark.deleted', objectId: id, data: { name } });
}
