import { signPath, urlToken } from '../auth/index.ts';
import { type Clock, HOUR_MS } from '../base/index.ts';
import { type Asset, type AssetFile, isPublic, type Organization } from '../library/index.ts';

/**
 * Signed URLs of assets that are not public are good for 12 to 13 hours: enough to look at a search result. They expire at
 * a full hour, so that within an hour the same asset has the same URLs and a browser that has a picture need not load it again.
 */
const SIGNED_FOR_MS = 12 * HOUR_MS;

function expiryOf(now: Date): Date {
  return new Date(Math.ceil((now.getTime() + SIGNED_FOR_MS) / HOUR_MS) * HOUR_MS);
}

export const READY_MADE_IMAGES = {
  square: { w: '800', h: '800', f: 'auto' },
  portrait: { w: '800', h: '1000', f: 'auto' },
  landscape: { w: '1280', h: '720', f: 'auto' },
  story: { w: '1080', h: '1920', f: 'auto' },
} as const;

/** What decides an asset's image URLs. */
type UrlFacts = Pick<Asset, 'id' | 'urlNonce' | 'revision' | 'usage' | 'usageAt'>;

export type MediaUrls = {
  file(organization: Organization, asset: Asset, file: AssetFile): string;
  /** The base image URL without parameters, and the ready-made crops. */
  images(organization: Organization, asset: Asset): Record<'url' | keyof typeof READY_MADE_IMAGES, string>;
  /** The image URL with these parameters. */
  image(organization: Organization, asset: UrlFacts, parameters: Readonly<Record<string, string>>): string;
  /** How long the URLs of an asset stay what they are now, if it does not change; in ms since 1970. */
  goodUntilMs(asset: Pick<Asset, 'usage' | 'usageAt'>): number;
};

/** `https://cdn.example/img/1/42/tokn-3.jpg`: everything a URL of an asset's bytes is made of. */
export function imagePath(organization: Organization, asset: Pick<Asset, 'id' | 'urlNonce' | 'revision'>): string {
  return `/img/${organization.id}/${asset.id}/${tokenOf(organization, asset)}-${asset.revision}.jpg`;
}

function tokenOf(organization: Organization, asset: Pick<Asset, 'id' | 'urlNonce'>): string {
  return urlToken(organization.signingKey, {
    organizationId: organization.id,
    mediaId: asset.id,
    nonce: asset.urlNonce,
  });
}

const EXTENSIONS: Readonly<Record<string, string>> = { 'image/jpeg': 'jpg', 'video/mp4': 'mp4' };

function extensionOf(asset: Asset, file: AssetFile): string {
  return file.quality === 'photographer' ? asset.extension : (EXTENSIONS[file.mimeType] ?? 'bin');
}

/** Builds the URLs of assets' files and images under the public address (or the CDN's). */
export function createMediaUrls(options: { readonly baseUrl: string; readonly clock: Clock }): MediaUrls {
  const { baseUrl, clock } = options;

  const url = (
    organization: Organization,
    asset: UrlFacts,
    target: { readonly path: string; readonly query: Readonly<Record<string, string>> },
  ): string => {
    const now = clock.now();
    const query = isPublic(asset, now)
      ? target.query
      : signPath(organization.signingKey, { ...target, expires: expiryOf(now) });
    const text = new URLSearchParams(query).toString();
    return `${baseUrl}${target.path}${text === '' ? '' : `?${text.replaceAll('%2C', ',')}`}`;
  };

  return {
    file(organization, asset, file) {
      const name = `${file.quality}.${extensionOf(asset, file)}`;
      const path = `/file/${organization.id}/${asset.id}/${tokenOf(organization, asset)}-${asset.revision}/${name}`;
      return url(organization, asset, { path, query: {} });
    },
    goodUntilMs(asset) {
      const now = clock.now();
      // Within an hour a signed URL is the same; a public one changes only at the end of its term.
      const hour = isPublic(asset, now) ? Number.POSITIVE_INFINITY : Math.floor(now.getTime() / HOUR_MS + 1) * HOUR_MS;
      const turnMs = asset.usageAt?.getTime() ?? 0;
      return turnMs > now.getTime() ? Math.min(hour, turnMs) : hour;
    },
    image: (organization, asset, parameters) =>
      url(organization, asset, { path: imagePath(organization, asset), query: parameters }),
    images(organization, asset) {
      const path = imagePath(organization, asset);
      const crop = (name: keyof typeof READY_MADE_IMAGES) =>
        url(organization, asset, { path, query: READY_MADE_IMAGES[name] });
      return {
        url: url(organization, asset, { path, query: {} }),
        square: crop('square'),
        portrait: crop('portrait'),
        landscape: crop('landscape'),
        story: crop('story'),
      };
    },
  };
}
