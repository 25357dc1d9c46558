/** The only folder of the service's request path that touches pixels: one plan, one encoded picture. */
import { availableParallelism } from 'node:os';

import sharp, { type Sharp } from 'sharp';

import { AppError, checkPictureLimits, createPermits, type Permits } from '../../base/index.ts';
import type { Size } from '../focus-geometry.ts';
import type { Rect } from '../rect.ts';
import type { Turn } from '../turn.ts';
import { type Animation, findAnimation, paintAnimation } from './animation.ts';
import { findContent } from './content-box.ts';
import { withCredit } from './credit.ts';
import { CONTENT_TYPES, encode, type Encoded, encodeWithin, type Encoding } from './encode.ts';
import { checkCost } from './limits.ts';
import { type Painting, paintSource } from './paint.ts';
import { createDeadline, type Reading } from './pixels.ts';
import { refusal } from './refusal.ts';
import type { ImageSource, RenderedImage, RenderRequest } from './request.ts';
import { settle } from './settle.ts';
import { readSourceMetadata, type SourceMetadata } from './source-metadata.ts';

/** What is measured of a picture before it is planned. */
export type ContentRequest = Pick<RenderRequest, 'source' | 'signal'> & {
  /** 0..255: how far a border may be from the colour of the upper left corner. */
  readonly threshold: number;
  readonly turn?: Turn;
  readonly rect?: Rect | undefined;
  /** The size that `rect` counts in, after the turn. */
  readonly original: Size;
};

export type Renderer = {
  /**
   * Renders one picture in sRGB, by default without metadata but the credit.
   * @throws AppError `overloaded`, `file_limits_exceeded` (150 MP, render time, frames), `unsupported_media_type`, `file_damaged`
   */
  render(request: RenderRequest): Promise<RenderedImage>;
  /**
   * The part of a picture that borders of one colour surround, as fractions of the turned picture.
   * @throws AppError as `render`
   */
  findContent(request: ContentRequest): Promise<Rect>;
};

/**
 * Ends decoding, scaling and PNG; the encoders of WebP and AVIF run on to their end, which the largest answer bounds
 * (8192 x 8192: 2 s and 7 s on two cores).
 */
const DEFAULT_TIMEOUT_SECONDS = 10;

/** Waiting places: 64 pictures of 50 ms on two cores are 1.6 s of work, well below the longest wait. */
const WAITING = 64;
const MAX_WAIT_MS = 10_000;

const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif'].map((name) => `VipsForeignLoad${name}`);

/** The finished picture, to be opened as often as it takes. */
type Finished = { readonly open: () => Sharp; readonly animation?: Animation };

async function finish(source: ImageSource, painting: Painting, options: Reading & RenderRequest): Promise<Finished> {
  const mayMove = options.animated && options.format === 'webp' && !painting.effects.redact;
  const animation = mayMove ? await findAnimation(source, options) : undefined;
  if (animation) return { open: await paintAnimation(source, { ...painting, animation }, options), animation };
  const image = await paintSource(source, painting, options);
  if (options.maxBytes === undefined) return { open: () => image };
  const settled = await settle(image, { ...options, keepMetadata: painting.keepMetadata });
  return { open: settled.open };
}

/** Frames are part of the encoder's settings. */
function encodingOf(options: Reading & RenderRequest, describe: (image: Sharp) => Sharp): Encoding {
  const { format, quality, deadline } = options;
  return { format, quality, deadline, describe };
}

async function encodeFinished(
  { open, animation }: Finished,
  options: Reading & RenderRequest,
  metadata: SourceMetadata | undefined,
): Promise<Encoded> {
  const { plan, maxBytes, credit } = options;
  const creditOf = (image: Sharp) => (options.metadata === 'none' ? image : withCredit(image, credit));
  const describe = (image: Sharp) => {
    const described = metadata ? metadata.describe(image) : creditOf(image);
    if (!animation) return described;
    const { delaysMs, loop } = animation;
    return described.webp({ loop, ...(delaysMs.length > 0 && { delay: [...delaysMs] }) });
  };
  const encoding = encodingOf(options, describe);
  if (maxBytes === undefined) return encode(open(), encoding);
  const sized = (size: Size | undefined) => (size ? open().resize({ ...size, fit: 'fill' }) : open());
  return encodeWithin(sized, { ...encoding, maxBytes, size: plan.output, canShrink: !animation });
}

async function renderOnce(
  source: ImageSource,
  options: Reading & RenderRequest,
): Promise<Omit<RenderedImage, 'damaged'>> {
  const { plan, format, effects = {}, credit } = options;
  const metadata =
    options.metadata === 'all' && !effects.redact
      ? await readSourceMetadata(source, { ...options, credit })
      : undefined;
  const finished = await finish(source, { plan, effects, format, keepMetadata: metadata?.keep }, options);
  const made = await encodeFinished(finished, options, metadata);
  const bytes = metadata ? await metadata.clean(made.bytes, format) : made.bytes;
  // What cannot be cleaned for sure is not said.
  if (!bytes) return renderOnce(source, { ...options, metadata: 'copyright' });
  const height = finished.animation ? plan.output.height : made.height;
  return { bytes, width: made.width, height, contentType: CONTENT_TYPES[format] };
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

  /** Reads a source strictly, and once more to the end where it is damaged. */
  const read = async <T>(
    { source: given, signal }: Pick<RenderRequest, 'source' | 'signal'>,
    work: (source: ImageSource, reading: Reading) => Promise<T>,
  ): Promise<T & { readonly damaged: boolean }> => {
    const source = typeof given === 'function' ? await given(signal) : given;
    signal?.throwIfAborted();
    await checkPictureLimits(source);
    const deadline = createDeadline(timeoutSeconds);
    try {
      return { ...(await work(source, { failOn: 'warning', deadline })), damaged: false };
    } catch (error) {
      const refused = refusal(error);
      if (refused) throw refused;
    }
    signal?.throwIfAborted();
    try {
      return { ...(await work(source, { failOn: 'none', deadline })), damaged: true };
    } catch (error) {
      const damaged = () =>
        new AppError('file_damaged', 'expected a readable picture for the source, received a damaged one', {
          cause: error,
        });
      throw refusal(error) ?? damaged();
    }
  };

  return {
    render: async (request) => {
      checkCost(request);
      const work = (source: ImageSource, reading: Reading) => renderOnce(source, { ...request, ...reading });
      return permits.run(() => read(request, work), request.signal);
    },
    findContent: (request) =>
      permits.run(async () => {
        const { damaged: _damaged, ...rect } = await read(request, (source, reading) =>
          findContent(source, { ...request, ...reading }),
        );
        return rect;
      }, request.signal),
  };
}
