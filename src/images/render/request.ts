/** What a render is asked for and what it answers. */
import type { Colour } from '../colour.ts';
import type { FaceBox } from '../focus-faces.ts';
import type { ImageFormat, MetadataPolicy, Redaction } from '../parameters/index.ts';
import type { RenderPlan } from '../plan.ts';
import type { WatermarkPreset } from './watermark.ts';

/** Encoded bytes or the path of a local file. */
export type ImageSource = Buffer | string;

/** Who made and who owns a picture; written as EXIF Artist and Copyright and as XMP dc:creator and dc:rights. */
export type Credit = { readonly artist?: string | undefined; readonly copyright?: string | undefined };

/** What is done to a picture besides cropping and scaling; everything is off where it is absent. */
export type Effects = {
  readonly background?: Colour | undefined;
  /** Standard deviation, 0.3..100 pixels of the answer. */
  readonly blurPx?: number | undefined;
  /** Standard deviation, 0.3..10 pixels of the answer. */
  readonly sharpenPx?: number | undefined;
  /** Faces in fractions of the oriented source, before any turn. */
  readonly redact?: { readonly faces: readonly FaceBox[]; readonly style: Redaction['style'] } | undefined;
  readonly watermark?: WatermarkPreset | undefined;
};

export type RenderRequest = {
  /** A function is called once the permit is held, so that waiting requests hold no bytes. */
  readonly source: ImageSource | ((signal: AbortSignal | undefined) => Promise<ImageSource>);
  readonly plan: RenderPlan;
  readonly format: ImageFormat;
  /** 1..100; absent: the format's default. */
  readonly quality?: number | undefined;
  /** Bytes; what cannot be made to fit is answered as small as it got. */
  readonly maxBytes?: number | undefined;
  /** Keeps an animation moving; for WebP only. */
  readonly animated?: boolean | undefined;
  readonly effects?: Effects | undefined;
  /** Default `copyright`: the credit alone. */
  readonly metadata?: MetadataPolicy | undefined;
  readonly credit?: Credit | undefined;
  readonly signal?: AbortSignal | undefined;
};

export type RenderedImage = {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
  readonly contentType: string;
  /** The source was damaged; what could be read of it is shown. */
  readonly damaged: boolean;
};
