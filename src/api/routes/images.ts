import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { scopeOf, signPath } from '../../auth/index.ts';
import { AppError, SECOND_MS } from '../../base/index.ts';
import { etagOf, type ImageAnswer, PARAMETERS, parseRecipe, type Recipe } from '../../images/index.ts';
import { isPublic } from '../../library/index.ts';
import type { ApiDeps } from '../deps.ts';
import { type Admission, admitImage, expandPreset, type ImageQuery, opensUnsigned } from '../image-admission.ts';
import { withMomentOf } from '../image-moment.ts';
import type { ImageRecord } from '../image-record.ts';
import { imagePath } from '../media-urls.ts';
import type { Api } from '../server.ts';
import { Id, imageProblems } from '../wire/common.ts';
import { gone, hasEtag, OPEN_HEADERS, readUrlSubject, restricted, type UrlSubject } from './media-access.ts';
import { dispositionOf } from './stored-file.ts';

const YEAR_SECONDS = 31_536_000;
/** A preset or a watermark may change under its name, and an action may be moved; until a cache has seen that, it may show the picture that it has. */
const CHANGEABLE = { seconds: 300, rest: ', stale-while-revalidate=86400' };
/** While the database does not answer, the picture may have been revoked on another node. */
const UNSURE = { seconds: 60, rest: '' };
/** An old revision points to the present one for a minute, so that an edit shows soon behind a CDN. */
const REDIRECT = 'public, max-age=60';
const PRIVATE = 'private, no-store';
/** The extension that belongs to each format's content type. */
const EXTENSIONS: Readonly<Record<string, string>> = { 'image/jpeg': 'jpg' };

const parameterDocs = PARAMETERS.map((parameter) => `${parameter.name}: ${parameter.doc}`).join('; ');
const accessDocs =
  'p: the name of an image preset, whose parameters stand where none is given; exp, kid, s: end, key and signature of a signed URL';

export function registerImageRoutes(app: Api, deps: ApiDeps): void {
  app.get(
    '/img/:organization/:media/:file',
    {
      schema: {
        tags: ['files'],
        summary: 'An image of an asset, made to measure',
        description: `No API key: for pages and CDNs. Parameters: ${parameterDocs}; ${accessDocs}. X-Focus says which part of f applied.`,
        params: Type.Object({ organization: Id, media: Id, file: Type.String({ maxLength: 200 }) }),
        response: imageProblems,
      },
    },
    (request, reply) => sendImage(deps, request, reply),
  );
}

/** A URL that may be answered, and what it asks for. */
type Asked = {
  readonly subject: UrlSubject;
  readonly admission: Admission;
  readonly recipe: Recipe;
  readonly etag: string;
  /** Whether the same URL may show something else later. */
  readonly isChangeable: boolean;
};

async function readAsked(
  deps: ApiDeps,
  request: FastifyRequest<{ Params: { organization: number; media: number; file: string } }>,
): Promise<Asked> {
  const { organization: organizationId, media: mediaId, file } = request.params;
  const tokenAndRevision = file.replace(/\.[a-z0-9]{1,5}$/, '');
  const subject = await readUrlSubject(deps, { organizationId, mediaId, tokenAndRevision });
  const rules = await deps.imageAccess.rules(organizationId);
  const [path = ''] = request.url.split('?');
  // Fastify reads a query into texts and lists of them.
  const query = request.query as ImageQuery;
  const { organization } = subject;
  const admission = admitImage({ path, query }, { organization, rules, now: deps.clock.now() });
  const given = parseRecipe(expandPreset(admission.parameters, rules.presets));
  const recipe = await withMomentOf(deps, scopeOf(organizationId), { recipe: given, mediaId });
  const watermark = await deps.images.watermarkOf(organizationId, recipe);
  const rev = String(subject.revision);
  const etag = etagOf({ orgId: organizationId, mediaId, rev, recipe, watermark, accept: request.headers.accept });
  const isChangeable = admission.parameters['p'] !== undefined || recipe.watermark !== undefined || recipe !== given;
  return { subject, admission, recipe, etag, isChangeable };
}

async function sendImage(
  deps: ApiDeps,
  request: FastifyRequest<{ Params: { organization: number; media: number; file: string } }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.headers(OPEN_HEADERS);
  const asked = await readAsked(deps, request);
  const { subject, recipe, etag } = asked;
  const isKnown = hasEtag(request.headers['if-none-match'], etag);
  if (recipe.format === 'auto') reply.header('Vary', 'Accept');
  // Before any read: whoever holds this ETag has the bytes that this URL stands for, now and for ever. What may change is
  // asked for again and again by caches, and revoking has to reach them then.
  if (isKnown && !asked.isChangeable) return reply.code(304).header('ETag', etag).send();
  const { record, isCurrent } = await deps.imageAccess.record(subject.organization.id, subject.mediaId);
  if (!record || record.urlNonce !== subject.nonce) throw gone();
  const shared = isPublic(record, deps.clock.now());
  checkOpen(record, { shared, isCurrent, admission: asked.admission });
  if (record.revision !== subject.revision) {
    return reply
      .header('Cache-Control', shared ? REDIRECT : PRIVATE)
      .redirect(presentUrl(asked, { record, shared }), 302);
  }
  if (!record.picture)
    throw new AppError('not_found', `Asset ${record.id} is ${record.status} and has no image to show.`);
  reply.header('Cache-Control', shared ? cacheControl(deps, asked, { record, isCurrent }) : PRIVATE);
  if (isKnown) return reply.code(304).header('ETag', etag).send();
  const clientGone = new AbortController();
  request.raw.once('close', () => clientGone.abort(new Error('the client has gone')));
  const { accept } = request.headers;
  const image = await deps.images.get({ asset: record.picture, recipe, accept, signal: clientGone.signal });
  return sendPicture(reply, { image, asked });
}

function sendPicture(
  reply: FastifyReply,
  { image, asked }: { readonly image: ImageAnswer; readonly asked: Asked },
): FastifyReply {
  const { downloadName } = asked.recipe;
  if (image.overMaxBytes) reply.header('X-Over-Maxbytes', 'true');
  if (downloadName !== undefined) {
    const extension = EXTENSIONS[image.contentType] ?? image.contentType.replace('image/', '');
    reply.header('Content-Disposition', dispositionOf(`${downloadName}.${extension}`, 'attachment'));
  }
  return reply
    .headers({
      ETag: asked.etag,
      // Pages of other origins see these too: images may come from a CDN.
      'Access-Control-Expose-Headers': 'X-Focus, X-Image-Size, X-Over-Maxbytes, X-Cache',
      'X-Focus': image.focus,
      'X-Cache': image.cached ? 'hit' : 'miss',
      'X-Image-Size': `${image.width}x${image.height}`,
    })
    .type(image.contentType)
    .send(image.bytes);
}

/**
 * What is not public opens with a URL that the API answered, and only while it is certain that it still may.
 * @throws AppError `media_restricted`, `unavailable`
 */
function checkOpen(
  record: ImageRecord,
  {
    shared,
    isCurrent,
    admission,
  }: { readonly shared: boolean; readonly isCurrent: boolean; readonly admission: Admission },
): void {
  if (shared) return;
  if (admission.signedBy !== 'us' || !admission.expires) throw restricted(record);
  if (isCurrent) return;
  throw new AppError('unavailable', 'The database does not answer; images that are not public wait for it.', {
    retryAfterSeconds: 2,
  });
}

/** No cache keeps a picture beyond the time at which its URL ends, or the asset ceases to be public. */
function cacheControl(
  deps: ApiDeps,
  { admission, isChangeable }: Asked,
  { record, isCurrent }: { readonly record: ImageRecord; readonly isCurrent: boolean },
): string {
  const nowMs = deps.clock.now().getTime();
  const usageEnd = record.usage === 'expired' ? record.usageAt?.getTime() : undefined;
  const ends = [admission.expires?.getTime(), usageEnd].filter((end) => end !== undefined);
  const left = Math.max(0, Math.floor((Math.min(...ends) - nowMs) / SECOND_MS));
  const { seconds, rest } = !isCurrent
    ? UNSURE
    : isChangeable
      ? CHANGEABLE
      : { seconds: YEAR_SECONDS, rest: ', immutable' };
  return left < seconds + (isChangeable ? 86_400 : 0)
    ? `public, max-age=${Math.min(left, seconds)}`
    : `public, max-age=${seconds}${rest}`;
}

/** The same image URL in the asset's present revision: signed by us where it needs that, until the same time. */
function presentUrl(
  { subject, admission }: Asked,
  { record, shared }: { readonly record: ImageRecord; readonly shared: boolean },
): string {
  const { organization } = subject;
  const path = imagePath(organization, record);
  const given = Object.fromEntries(Object.entries(admission.parameters).map(([name, value]) => [name, String(value)]));
  const isOpen = shared && admission.expires === undefined && opensUnsigned(organization.imageMode, given);
  const query = isOpen ? given : signPath(organization.signingKey, { path, query: given, expires: admission.expires });
  const search = new URLSearchParams(query).toString();
  return search === '' ? path : `${path}?${search}`;
}
