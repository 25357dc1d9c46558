import { signPath, urlToken } from '../auth/index.ts';
import { type Clock, HOUR_MS } from '../base/index.ts';
import { type Asset, type AssetFile, isPublic, type Organization } from '../library/index.ts';
import type { Publisher } from './image-access.ts';
import { opensUnsigned } from './image-admission.ts';

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
export type UrlFacts = Pick<Asset, 'id' | 'urlNonce' | 'revision' | 'usage' | 'usageAt' | 'extension'>;

/** The URLs of one asset, as they are now. */
export type AssetUrls = {
  file(file: AssetFile): string;
  /** The base image URL without parameters, and the ready-made crops. */
  images(): Record<'url' | keyof typeof READY_MADE_IMAGES, string>;
  /** The image URL with these parameters. */
  image(parameters: Readonly<Record<string, string>>): string;
};

export type MediaUrls = {
  /** The URL of a path that opens until `expires`, and only with its signature. */
  signed(organization: Organization, target: { readonly path: string; readonly expires: Date }): string;
  /** In the modes `presets` and `signed`, image URLs of public assets that would not open otherwise carry a signature without an end. */
  of(organization: Publisher, asset: UrlFacts): AssetUrls;
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

function extensionOf(asset: Pick<Asset, 'extension'>, file: AssetFile): string {
  return file.quality === 'photographer' ? asset.extension : (EXTENSIONS[file.mimeType] ?? 'bin');
}

type Query = Readonly<Record<string, string>>;

function queryText(query: Query): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? '' : `?${text.replaceAll('%2C', ',')}`;
}

const READY_MADE_TEXTS = {
  square: queryText(READY_MADE_IMAGES.square),
  portrait: queryText(READY_MADE_IMAGES.portrait),
  landscape: queryText(READY_MADE_IMAGES.landscape),
  story: queryText(READY_MADE_IMAGES.story),
} as const;

/** Builds the URLs of assets' files and images under the public address (or the CDN's). */
export function createMediaUrls(options: { readonly baseUrl: string; readonly clock: Clock }): MediaUrls {
  const { baseUrl, clock } = options;

  return {
    signed: (organization, { path, expires }) =>
      `${baseUrl}${path}${queryText(signPath(organization.signingKey, { path, query: {}, expires }))}`,
    of(organization, asset) {
      const now = clock.now();
      const expires = isPublic(asset, now) ? undefined : expiryOf(now);
      // One token is in all URLs of an asset: a search makes hundreds.
      const base = `/${organization.id}/${asset.id}/${tokenOf(organization, asset)}-${asset.revision}`;
      const path = `/img${base}.jpg`;
      const signed = (target: { readonly path: string; readonly query: Query }): string =>
        `${baseUrl}${target.path}${queryText(signPath(organization.signingKey, { ...target, expires }))}`;
      const opens = (query: Query): boolean => !expires && opensUnsigned(organization.imageMode, query);
      const image = (query: Query): string =>
        opens(query) ? `${baseUrl}${path}${queryText(query)}` : signed({ path, query });
      const crop = (name: keyof typeof READY_MADE_IMAGES): string =>
        opens(READY_MADE_IMAGES[name])
          ? `${baseUrl}${path}${READY_MADE_TEXTS[name]}`
          : signed({ path, query: READY_MADE_IMAGES[name] });
      return {
        file(file) {
          const ofFile = `/file${base}/${file.quality}.${extensionOf(asset, file)}`;
          return expires ? signed({ path: ofFile, query: {} }) : `${baseUrl}${ofFile}`;
        },
        image,
        images: () => ({
          url: image({}),
          square: crop('square'),
          portrait: crop('portrait'),
          landscape: crop('landscape'),
          story: crop('story'),
        }),
      };
    },
    goodUntilMs(asset) {
      const now = clock.now();
      // Within an hour a signed URL is the same; a public one changes only at the end of its term.
      const hour = isPublic(asset, now) ? Number.POSITIVE_INFINITY : Math.floor(now.getTime() / HOUR_MS + 1) * HOUR_MS;
      const turnMs = asset.usageAt?.getTime() ?? 0;
      return turnMs > now.getTime() ? Math.min(hour, turnMs) : hour;
    },
  };
}
