import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { scopeOf, signPath } from '../../auth/index.ts';
import { AppError } from '../../base/index.ts';
import { etagOf, type ImageAsset, type ImageTier, PARAMETERS, parseRecipe } from '../../images/index.ts';
import type { Asset, AssetFile } from '../../library/index.ts';
import type { ApiDeps } from '../deps.ts';
import { videoFactsOf, withMomentOf } from '../image-moment.ts';
import { imagePath } from '../media-urls.ts';
import type { Api } from '../server.ts';
import { Id, notFoundProblem } from '../wire/common.ts';
import { dispositionOf } from './stored-file.ts';
import { hasEtag, OPEN_HEADERS, openUrlSubject, readUrlSubject, type UrlSubject } from './media-access.ts';

const IMMUTABLE = 'public, max-age=31536000, immutable';
/** An old revision points to the present one for a minute, so that an edit shows soon behind a CDN. */
const REDIRECT = 'public, max-age=60';
/** An action may be moved. */
const CHANGEABLE = 'public, max-age=300';
const PRIVATE = 'private, no-store';
/** Formats the image decoders read; other originals (RAW, HEIC) are shown through their tiers. */
const READABLE = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/tiff', 'image/avif']);

const MOVING = new Set(['image/webp', 'image/gif']);
/** The extension that belongs to each format's content type. */
const EXTENSIONS: Readonly<Record<string, string>> = { 'image/jpeg': 'jpg' };
/** How ingest says that the detector failed: nobody knows then whose faces are in the picture. */
const FACES_UNKNOWN = 'Faces could not be looked for.';

/** What the image service needs to know of an asset; a tier's name is its storage key. Undefined while there is nothing to show. */
export function toImageAsset(asset: Asset, organizationId: number): ImageAsset | undefined {
  if (asset.width === null || asset.height === null) return undefined;
  const tierOf = (file: AssetFile): readonly ImageTier[] => {
    const original = file.quality === 'photographer';
    const size = original ? asset : file;
    if (size.width === null || size.height === null) return [];
    if (!READABLE.has(original ? asset.mimeType : file.mimeType)) return [];
    return [
      {
        name: file.storageKey,
        width: size.width,
        height: size.height,
        hasAlpha: original && asset.hasAlpha,
        isOriginal: original,
        mayMove: original && MOVING.has(asset.mimeType),
      },
    ];
  };
  const tiers = asset.files.flatMap(tierOf);
  const largest = tiers.reduce<ImageTier | undefined>(
    (best, tier) => (best && best.width >= tier.width ? best : tier),
    undefined,
  );
  if (!largest) return undefined;
  const text = (name: string) => {
    const value = asset.details[name];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    orgId: organizationId,
    mediaId: asset.id,
    rev: String(asset.revision),
    // A RAW original is larger than anything that can be shown of it.
    original: { width: largest.width, height: largest.height },
    nominal: { width: asset.width, height: asset.height },
    hasAlpha: asset.hasAlpha,
    tiers,
    faces: asset.faces,
    focal: asset.focal ?? undefined,
    facesKnown: asset.status === 'ready' && !asset.warnings.includes(FACES_UNKNOWN),
    video: videoFactsOf(asset),
    credit: { artist: text('byline') ?? text('credit'), copyright: text('copyright') },
  };
}

const parameterDocs = PARAMETERS.map((parameter) => `${parameter.name}: ${parameter.doc}`).join('; ');

export function registerImageRoutes(app: Api, deps: ApiDeps): void {
  app.get(
    '/img/:organization/:media/:file',
    {
      schema: {
        tags: ['files'],
        summary: 'An image of an asset, made to measure',
        description: `No API key: for pages and CDNs. Parameters: ${parameterDocs}. X-Focus says which part of f applied.`,
        params: Type.Object({ organization: Id, media: Id, file: Type.String({ maxLength: 200 }) }),
        response: { ...notFoundProblem },
      },
    },
    (request, reply) => sendImage(deps, request, reply),
  );
}

async function sendImage(
  deps: ApiDeps,
  request: FastifyRequest<{ Params: { organization: number; media: number; file: string } }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { organization: organizationId, media: mediaId, file } = request.params;
  const tokenAndRevision = file.replace(/\.[a-z0-9]{1,5}$/, '');
  const subject = await readUrlSubject(deps, { organizationId, mediaId, tokenAndRevision });
  const query = request.query as Record<string, string | string[] | undefined>;
  const { exp, s: _signature, ...parameters } = query;
  const given = parseRecipe(parameters);
  const recipe = await withMomentOf(deps, scopeOf(organizationId), { recipe: given, mediaId });
  const isChangeable = recipe !== given;
  const accept = request.headers.accept;
  const rev = String(subject.revision);
  const watermark = await deps.images.watermarkOf(organizationId, recipe);
  const etag = etagOf({ orgId: organizationId, mediaId, rev, recipe, watermark, accept });
  reply.headers(OPEN_HEADERS);
  // Before any read: whoever holds this ETag has the bytes that this URL stands for, now and for ever.
  if (hasEtag(request.headers['if-none-match'], etag)) {
    if (recipe.format === 'auto') reply.header('Vary', 'Accept');
    return reply.code(304).header('ETag', etag).send();
  }
  const { asset, isPublic } = await openUrlSubject(deps, subject, request);
  if (asset.revision !== subject.revision) {
    const location = presentUrl(subject, { asset, query: { ...parameters, ...(isPublic ? {} : { exp }) } });
    return reply.header('Cache-Control', isPublic ? REDIRECT : PRIVATE).redirect(location, 302);
  }
  const source = asset.status === 'failed' ? undefined : toImageAsset(asset, organizationId);
  if (!source) throw new AppError('not_found', `Asset ${asset.id} is ${asset.status} and has no image to show.`);
  const gone = new AbortController();
  request.raw.once('close', () => gone.abort(new Error('the client has gone')));
  const image = await deps.images.get({ asset: source, recipe, accept, signal: gone.signal });
  if (image.varyAccept) reply.header('Vary', 'Accept');
  if (image.overMaxBytes) reply.header('X-Over-Maxbytes', 'true');
  if (recipe.downloadName !== undefined) {
    const extension = EXTENSIONS[image.contentType] ?? image.contentType.replace('image/', '');
    reply.header('Content-Disposition', dispositionOf(`${recipe.downloadName}.${extension}`, 'attachment'));
  }
  return reply
    .headers({
      ETag: etag,
      'Cache-Control': isPublic ? (isChangeable ? CHANGEABLE : IMMUTABLE) : PRIVATE,
      'X-Focus': image.focus,
      'X-Cache': image.cached ? 'hit' : 'miss',
      'X-Image-Size': `${image.width}x${image.height}`,
    })
    .type(image.contentType)
    .send(image.bytes);
}

/** The same image URL in the asset's present revision; where the old one was signed, signed until the same time. */
function presentUrl(
  subject: UrlSubject,
  { asset, query }: { readonly asset: Asset; readonly query: Readonly<Record<string, unknown>> },
): string {
  const path = imagePath(subject.organization, asset);
  const { exp, ...given } = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const signed =
    exp === undefined
      ? given
      : signPath(subject.organization.signingKey, { path, query: given, expires: new Date(Number(exp) * 1000) });
  const search = new URLSearchParams(signed).toString();
  return search === '' ? path : `${path}?${search}`;
}
