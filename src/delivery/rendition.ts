/** What may be delivered in place of one of the three qualities of an asset: a picture made to measure, or a clip. */
import type { LibraryScope } from '../auth/index.ts';
import type { Asset } from '../library/index.ts';
import type { WrittenFile } from './delivery-source.ts';

export type ImageRendition = {
  readonly kind: 'image';
  /** As in image URLs, `w=1080&h=1920&f=face&fmt=jpeg`; `p=name` stands for a preset of the organization. */
  readonly params: string;
};
export type ClipRendition = { readonly kind: 'clip'; readonly clip_id: number };
export type Rendition = ImageRendition | ClipRendition;

/** What a picture comes to, before it is made. */
export type PicturePlan = {
  readonly width: number;
  readonly height: number;
  /** Without a dot. */
  readonly extension: string;
  readonly mimeType: string;
  /** Names what goes into it: the asset's content, faces and focal point, and the parameters with presets and watermarks in them. */
  readonly identity: string;
};

/** What deliveries need of pictures; `app.ts` satisfies it with the image service. */
export type DeliveryPictures = {
  /** @throws AppError `validation_failed` for parameters and presets that are not there */
  check(scope: LibraryScope, params: string): Promise<void>;
  /** Undefined while the asset has no picture to show. @throws AppError as `check` */
  plan(
    scope: LibraryScope,
    picture: { readonly asset: Asset; readonly params: string },
  ): Promise<PicturePlan | undefined>;
  /** @throws AppError, or the signal's reason */
  make(
    scope: LibraryScope,
    picture: { readonly asset: Asset; readonly params: string; readonly signal: AbortSignal },
  ): Promise<WrittenFile & { readonly width: number; readonly height: number }>;
};
