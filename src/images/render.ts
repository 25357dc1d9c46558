/** The only code of this folder that touches pixels: one plan, one encoded picture. */
import { availableParallelism } from 'node:os';

import sharp, { type Sharp } from 'sharp';

import { AppError, createPermits, messageOf, type Permits } from '../base/index.ts';
import type { ImageFormat } from './parameters/index.ts';
import type { RenderPlan } from './plan.ts';

/** Encoded bytes or the path of a local file. */
export type ImageSource = Buffer | string;

/** Who made and who owns a picture; written as EXIF Artist and Copyright and as XMP dc:creator and dc:rights. */
export type Credit = { readonly artist?: string | undefined; readonly copyright?: string | undefined };

export type RenderRequest = {
  /** A function is called once the permit is held, so that waiting requests hold no bytes. */
  readonly source: ImageSource | ((signal: AbortSignal | undefined) => Promise<ImageSource>);
  readonly plan: RenderPlan;
  readonly format: ImageFormat;
  /** 1..100; absent: the format's default. */
  readonly quality?: number | undefined;
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

export type Renderer = {
  /**
   * Renders one picture in sRGB, without metadata but the credit.
   * @throws AppError `overloaded`, `file_limits_exceeded` (150 MP, render time), `unsupported_media_type`, `file_damaged`
   */
  render(request: RenderRequest): Promise<RenderedImage>;
};

export const CONTENT_TYPES: Readonly<Record<ImageFormat, string>> = {
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  avif: 'image/avif',
  png: 'image/png',
};

/** A 150 MP medium format original; 150e6 x 4 bytes = 600 MB is the most that one decode may need. */
const MAX_INPUT_PX = 150_000_000;

/**
 * Ends decoding, scaling and PNG; the encoders of WebP and AVIF run on to their end, which the largest answer bounds
 * (8192 x 8192: 2 s and 7 s on two cores).
 */
const DEFAULT_TIMEOUT_SECONDS = 10;

/** Waiting places: 64 pictures of 50 ms on two cores are 1.6 s of work, well below the longest wait. */
const WAITING = 64;
const MAX_WAIT_MS = 10_000;

/** JPEG decodes at 1/2, 1/4 or 1/8 for almost nothing: worth scaling before cropping only from one half down. */
const SHRINK_ON_LOAD_SCALE = 0.5;

const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif'].map((name) => `VipsForeignLoad${name}`);

const WHITE = '#ffffff';
const TRANSPARENT = { r: 0, g: 0, b: 0, alpha: 0 };

/**
 * Encoder settings, measured on a 600 x 800 crop of a 2048 px photograph (ms, kB, PSNR): JPEG 80 17/63/39.6; WebP 79
 * effort 2 31/35/37.9 (effort 4: 53/34); AVIF 50 effort 0 38/26/36.9 (effort 2: 150/23, 4:2:0: 36/25/36.4). Someone is
 * waiting, so AVIF trades a tenth of its bytes for a quarter of the time.
 */
const ENCODERS: Readonly<Record<ImageFormat, (image: Sharp, quality: number | undefined) => Sharp>> = {
  jpeg: (image, quality = 80) => image.jpeg({ quality, mozjpeg: false }),
  webp: (image, quality = 79) => image.webp({ quality, effort: 2 }),
  avif: (image, quality = 55) => image.avif({ quality, effort: 0 }),
  png: (image) => image.png({ compressionLevel: 6 }),
};

/** The scaled crop. The order of calls decides whether libvips shrinks while loading; see the comments. */
function crop(image: Sharp, plan: RenderPlan): Sharp {
  const { crop: window, resize, source, strategy } = plan;
  if (strategy) {
    const upright = image.autoOrient();
    const part = window ? upright.extract(window) : upright;
    return part.resize({ ...resize, fit: 'cover', position: sharp.strategy[strategy] });
  }
  if (!window) return image.autoOrient().resize({ ...resize, fit: 'fill' });
  const across = resize.width / window.width;
  const down = resize.height / window.height;
  if (Math.max(across, down) > SHRINK_ON_LOAD_SCALE) {
    return image
      .autoOrient()
      .extract({ left: window.left, top: window.top, width: window.width, height: window.height })
      .resize({ ...resize, fit: 'fill' });
  }
  const width = Math.max(resize.width, Math.round(source.width * across));
  const height = Math.max(resize.height, Math.round(source.height * down));
  return (
    image
      .resize({ width, height, fit: 'fill' })
      .extract({
        left: Math.min(Math.round(window.left * across), width - resize.width),
        top: Math.min(Math.round(window.top * down), height - resize.height),
        ...resize,
      })
      // After extract(): called before it, sharp turns the full-size picture first and shrink-on-load is lost.
      .autoOrient()
  );
}

function pad(image: Sharp, plan: RenderPlan, format: ImageFormat): Sharp {
  const { canvas, resize } = plan;
  if (!canvas) return image;
  return image.extend({
    left: canvas.left,
    top: canvas.top,
    right: canvas.width - canvas.left - resize.width,
    bottom: canvas.height - canvas.top - resize.height,
    background: format === 'jpeg' ? WHITE : TRANSPARENT,
  });
}

/** Text for XML 1.0, which has no place for control characters whatever their escape. */
const xmlText = (text: string) =>
  text
    // oxlint-disable-next-line no-control-regex -- removing them is the point
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The credit as XMP (ISO 16684-1): dc:creator is an ordered list, dc:rights a text with languages. */
function creditXmp({ artist, copyright }: Credit): string {
  const creator = artist ? `<dc:creator><rdf:Seq><rdf:li>${xmlText(artist)}</rdf:li></rdf:Seq></dc:creator>` : '';
  const rights = copyright
    ? `<dc:rights><rdf:Alt><rdf:li xml:lang="x-default">${xmlText(copyright)}</rdf:li></rdf:Alt></dc:rights>`
    : '';
  return (
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
    '<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">' +
    `${creator}${rights}</rdf:Description></rdf:RDF></x:xmpmeta>`
  );
}

/**
 * Nothing of the source's metadata passes (no GPS, no camera); the credit line is written anew. EXIF text is ASCII, libvips
 * spells `Šeško` as `Sesko` and `©` as `(C)` there; XMP keeps names as they are.
 */
function withCredit(image: Sharp, credit: Credit | undefined): Sharp {
  if (!credit?.artist && !credit?.copyright) return image;
  const { artist, copyright } = credit;
  return image
    .withExif({ IFD0: { ...(artist && { Artist: artist }), ...(copyright && { Copyright: copyright }) } })
    .withXmp(creditXmp(credit));
}

/** Says what a failure means to the caller; undefined: the file itself may be damaged. */
function refusal(error: unknown): unknown {
  const text = messageOf(error);
  // Our own faults, not the file's: a path that is not there, a plan that does not belong to the source.
  if (/input file is missing|bad extract area/i.test(text)) return error;
  const cause = { cause: error };
  if (/exceeds pixel limit/i.test(text)) {
    const limit = MAX_INPUT_PX.toLocaleString('en');
    return new AppError(
      'file_limits_exceeded',
      `expected at most ${limit} pixels for the source, received more`,
      cause,
    );
  }
  if (/timeout: \d+% complete/i.test(text)) {
    return new AppError('file_limits_exceeded', 'expected the source to render in time, received a slower one', cause);
  }
  if (/unsupported image format|operation is blocked/i.test(text)) {
    const expected = 'expected JPEG, PNG, WebP, GIF, TIFF or AVIF for the source, received another format';
    return new AppError('unsupported_media_type', expected, cause);
  }
  return undefined;
}

async function renderOnce(
  source: ImageSource,
  request: RenderRequest,
  options: { readonly failOn: 'warning' | 'none'; readonly timeoutSeconds: number },
): Promise<Omit<RenderedImage, 'damaged'>> {
  const { plan, format } = request;
  const input = sharp(source, { failOn: options.failOn, limitInputPixels: MAX_INPUT_PX });
  const placed = pad(crop(input, plan), plan, format);
  const opaque = format === 'jpeg' ? placed.flatten({ background: WHITE }) : placed;
  const image = ENCODERS[format](withCredit(opaque, request.credit), request.quality);
  const { data, info } = await image.timeout({ seconds: options.timeoutSeconds }).toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height, contentType: CONTENT_TYPES[format] };
}

/**
 * The renderer of this process. It restricts libvips, for the whole process, to the decoders of JPEG, PNG, WebP, GIF,
 * TIFF and AVIF. `permits` default to one running per core, 64 waiting for at most 10 s; `timeoutSeconds` (whole seconds)
 * to 10.
 */
export function createRenderer(
  options: { readonly permits?: Permits; readonly timeoutSeconds?: number } = {},
): Renderer {
  const {
    permits = createPermits({
      name: 'images',
      running: availableParallelism(),
      waiting: WAITING,
      maxWaitMs: MAX_WAIT_MS,
    }),
    timeoutSeconds = DEFAULT_TIMEOUT_SECONDS,
  } = options;
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });

  const work = async (request: RenderRequest): Promise<RenderedImage> => {
    const { signal } = request;
    const source = typeof request.source === 'function' ? await request.source(signal) : request.source;
    signal?.throwIfAborted();
    try {
      return { ...(await renderOnce(source, request, { failOn: 'warning', timeoutSeconds })), damaged: false };
    } catch (error) {
      const refused = refusal(error);
      if (refused) throw refused;
    }
    signal?.throwIfAborted();
    try {
      return { ...(await renderOnce(source, request, { failOn: 'none', timeoutSeconds })), damaged: true };
    } catch (error) {
      const damaged = () =>
        new AppError('file_damaged', 'expected a readable picture for the source, received a damaged one', {
          cause: error,
        });
      throw refusal(error) ?? damaged();
    }
  };

  return { render: (request) => permits.run(() => work(request), request.signal) };
}
