import type { FastifyRequest } from 'fastify';
import { isOwnSignature, scopeOf, verifyPath, verifyUrlToken } from '../../auth/index.ts';
import { AppError } from '../../base/index.ts';
import { type Asset, findAsset, isPublic } from '../../library/index.ts';
import type { ApiDeps } from '../deps.ts';
import type { Publisher } from '../image-access.ts';

export const gone = () => new AppError('not_found', 'There is no such file; its URL may have been revoked.');

export type UrlSubject = {
  readonly organization: Publisher;
  readonly mediaId: number;
  readonly nonce: string;
  readonly revision: number;
};

/**
 * What a file or image URL names, when its token is genuine. Costs no query beyond the organization, which is remembered.
 * @throws AppError `not_found`
 */
export async function readUrlSubject(
  deps: Pick<ApiDeps, 'organizations'>,
  url: { readonly organizationId: number; readonly mediaId: number; readonly tokenAndRevision: string },
): Promise<UrlSubject> {
  const found = /^([0-9A-Za-z_-]+)-(\d{1,9})$/.exec(url.tokenAndRevision);
  const organization = await deps.organizations.find(url.organizationId);
  if (!found?.[1] || !organization) throw gone();
  const subject = { organizationId: organization.id, mediaId: url.mediaId, token: found[1] };
  const nonce = verifyUrlToken(organization.signingKey, subject);
  if (nonce === undefined) throw gone();
  return { organization, mediaId: url.mediaId, nonce, revision: Number(found[2]) };
}

/** What is said of an asset that is not public, to who has no signature of ours. */
export function restricted({ usage }: Pick<Asset, 'usage'>): AppError {
  const why = usage === 'limited' ? 'limited in its use' : usage;
  return new AppError(
    'media_restricted',
    `This asset is ${why}: its URLs open only as the API answers them, with a signature of its own (exp, s).`,
  );
}

/**
 * The asset behind a genuine file URL, and whether a shared cache may keep it.
 * @throws AppError `not_found` (deleted, revoked), `media_restricted` (embargoed, expired or limited without a valid
 *   signature), `url_expired`
 */
export async function openUrlSubject(
  deps: ApiDeps,
  subject: UrlSubject,
  request: FastifyRequest,
): Promise<{ readonly asset: Asset; readonly isPublic: boolean }> {
  const asset = await findAsset(deps.db, scopeOf(subject.organization.id), subject.mediaId);
  if (!asset || asset.status === 'deleted' || asset.urlNonce !== subject.nonce) throw gone();
  const now = deps.clock.now();
  if (isPublic(asset, now)) return { asset, isPublic: true };
  const { signingKey } = subject.organization;
  const [path = ''] = request.url.split('?');
  const query = Object.fromEntries(
    Object.entries(request.query as Record<string, unknown>).map(([name, value]) => [name, String(value)]),
  );
  if (verifyPath(signingKey, { path, query, now })) return { asset, isPublic: false };
  // One without an end is for public images, and never opens what is not public.
  if (query['exp'] === undefined || !isOwnSignature(signingKey, { path, query })) throw restricted(asset);
  throw new AppError('url_expired', 'The time that this URL was good for is over: take a fresh one from the API.');
}

/** Access from any page, and no sniffing or scripting whatever the bytes are. */
export const OPEN_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Timing-Allow-Origin': '*',
  'Content-Security-Policy': "default-src 'none'; sandbox",
} as const;

/** Whether `If-None-Match` names this ETag (RFC 9110, 13.1.2: a list, compared weakly, since proxies that compress weaken it). */
export function hasEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  const held = ifNoneMatch?.split(',').map((one) => one.trim().replace(/^W\//, ''));
  return held?.includes(etag) ?? false;
}
