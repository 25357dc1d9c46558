import { createHash } from 'node:crypto';
import type { Asset, Clip } from '../library/index.ts';
import type { DeliveredQuality } from './destination-types.ts';
import { type PathFile, actionIdOf, pathFileOf } from './path-values.ts';
import type { ImageRendition, PicturePlan } from './rendition.ts';

/** A file as it is known before it is sent. */
export type PlannedFile = {
  /** What paths tell of it. */
  readonly path: PathFile;
  /** 0 while nobody knows: pictures that are not made yet. */
  readonly bytes: number;
  /** Undefined where only the file itself says it. */
  readonly sha256: string | null;
  /** 64 hex digits that name its content: the same for the same bytes, or for pictures made the same way of the same asset. */
  readonly source: string;
};

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Derived files get a new key each time, originals are named by their hash. */
export function describeFile(asset: Asset, quality: DeliveredQuality): PlannedFile | undefined {
  const file = asset.files.find((one) => one.quality === quality);
  if (!file) return undefined;
  const isOriginal = quality === 'photographer';
  return {
    path: pathFileOf(asset, file),
    bytes: file.bytes,
    sha256: isOriginal ? asset.sha256 : null,
    source: digest(isOriginal ? asset.sha256 : file.storageKey),
  };
}

export function describeImage(image: {
  readonly asset: Asset;
  readonly rendition: ImageRendition;
  readonly picture: PicturePlan;
}): PlannedFile {
  const { asset, picture } = image;
  const { width, height, extension } = picture;
  return {
    path: {
      name: asset.name,
      quality: presetOf(image.rendition) ?? 'image',
      width,
      height,
      extension,
      actionId: actionIdOf(asset),
    },
    bytes: 0,
    sha256: null,
    source: digest(picture.identity),
  };
}

/** The preset that names the whole picture. */
function presetOf({ params }: ImageRendition): string | undefined {
  return new URLSearchParams(params).get('p') ?? undefined;
}

/** Also of a clip that is still being made. */
export function describeClip(clip: Clip): PlannedFile {
  const { facts } = clip;
  return {
    path: {
      name: clip.name,
      quality: clip.kind,
      width: facts?.width ?? null,
      height: facts?.height ?? null,
      extension: 'mp4',
      actionId: clip.request.segments[0]?.actionId ?? undefined,
    },
    bytes: facts?.bytes ?? 0,
    sha256: facts?.sha256 ?? null,
    source: digest(`clip ${clip.id}`),
  };
}
