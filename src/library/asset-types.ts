import type { MachineSource, TagSource } from './tagging-store.ts';
import type { Timeline } from './action-types.ts';
import type { TagType } from './tag-types.ts';

export type MediaType = 'photo' | 'video';
export const ASSET_STATUSES = ['uploading', 'processing', 'ready', 'failed', 'archived', 'deleted'] as const;
/** `deleted` = in the bin, whatever the state before. */
export type AssetStatus = (typeof ASSET_STATUSES)[number];
export const ORIENTATIONS = ['landscape', 'portrait', 'square'] as const;
export type Orientation = (typeof ORIENTATIONS)[number];
export const USAGES = ['approved', 'limited', 'raw', 'embargoed', 'expired'] as const;
export type Usage = (typeof USAGES)[number];
/** `poster` is the full-size still of a video: the source of its dynamic images, not a tier of its own. */
export type Quality = 'photographer' | 'compressed' | 'thumbnail' | 'poster';

export type AssetFile = {
  readonly quality: Quality;
  readonly storageKey: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly bytes: number;
  readonly mimeType: string;
};

/** A face as fractions (0..1) of the oriented picture, from the top left corner. */
export type AssetFace = {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly score: number;
  readonly tagOptionId: number | null;
  /** Who it may be; `distance` from the closest face of that player, 0 to 0.5. */
  readonly suggestion?: { readonly tagOptionId: number; readonly distance: number } | null;
};

export type AssetTag = {
  readonly id: number;
  readonly type: TagType;
  readonly label: string;
  readonly source: TagSource;
  readonly confidence: number | null;
};

/** A tag that a machine suggests and nobody has judged yet: no search finds the asset by it. */
export type SuggestedTag = Omit<AssetTag, 'source'> & { readonly source: MachineSource };

export type Asset = {
  readonly id: number;
  readonly mediaType: MediaType;
  readonly status: AssetStatus;
  readonly failure: { readonly code: string; readonly reason: string } | null;
  readonly name: string;
  readonly externalId: string | null;
  readonly sha256: string;
  readonly bytes: number;
  readonly mimeType: string;
  readonly extension: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly orientation: Orientation | null;
  readonly durationMs: number | null;
  readonly frameRate: { readonly num: number; readonly den: number } | null;
  readonly video: Readonly<Record<string, unknown>> | null;
  /** What ties a video to its match. */
  readonly timeline: Timeline | null;
  readonly hasAlpha: boolean;
  readonly capturedAt: Date | null;
  readonly capturedOffsetMinutes: number | null;
  readonly rating: number | null;
  readonly usage: Usage;
  /** End of an embargo, or time of expiry. */
  readonly usageAt: Date | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly focal: { readonly x: number; readonly y: number } | null;
  readonly peopleCount: number;
  readonly actionsCount: number;
  readonly warnings: readonly string[];
  readonly collectionIds: readonly number[];
  readonly tags: readonly AssetTag[];
  readonly suggestedTags: readonly SuggestedTag[];
  readonly files: readonly AssetFile[];
  readonly faces: readonly AssetFace[];
  readonly urlNonce: string;
  readonly revision: number;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** True when file and image URLs of the asset may be opened without a signature of their own. */
export function isPublic(asset: Pick<Asset, 'usage' | 'usageAt'>, now: Date): boolean {
  switch (asset.usage) {
    case 'approved':
    case 'raw':
      return true;
    case 'limited':
      return false;
    case 'embargoed':
      return asset.usageAt !== null && asset.usageAt <= now;
    case 'expired':
      return asset.usageAt !== null && asset.usageAt > now;
  }
}
