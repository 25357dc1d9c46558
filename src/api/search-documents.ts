import type { LibraryScope } from '../auth/index.ts';
import type { Clock, Logger } from '../base/index.ts';
import type { Database } from '../db/index.ts';
import { findAssets } from '../library/index.ts';
import { type CachedDocument, createDocumentCache, type DocumentCache, type Freshness } from '../search/index.ts';
import type { Publishers } from './image-access.ts';
import type { MediaUrls, UrlFacts } from './media-urls.ts';
import { presentMedia } from './present/media.ts';
import { organizationOf } from './present/organization.ts';

/** An asset as its JSON, and what further URLs of it are made of. */
export type SearchDocument = CachedDocument & {
  /** UTF-8, with a comma in front, as it stands in a list; `images` is its last member. */
  readonly json: Buffer;
  readonly hasImages: boolean;
  readonly asset: UrlFacts;
};
export type SearchDocuments = DocumentCache<SearchDocument>;

/** In memory of its own: `Buffer.from` puts short texts into blocks that would stay as long as any text in them. */
function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/** The documents of search results, kept as text: reading 50 of them and making their URLs is most of a search's work. */
export function createSearchDocuments(options: {
  readonly db: Database;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly freshness: Freshness;
  readonly organizations: Publishers;
  readonly urls: MediaUrls;
  /** About 3.5 KiB an asset. */
  readonly maxBytes: number;
}): SearchDocuments {
  const { db, clock, organizations, urls } = options;
  const read = async (scope: LibraryScope, ids: readonly number[]): Promise<readonly SearchDocument[]> => {
    const organization = await organizationOf({ organizations }, scope);
    const assets = await findAssets(db, scope, ids);
    return assets.map((asset) => {
      const goodUntilMs = urls.goodUntilMs(asset);
      const { images, ...media } = presentMedia(asset, { organization, urls });
      const json = ownBytes(`,${JSON.stringify({ ...media, images })}`);
      const { id, urlNonce, revision, usage, usageAt, extension } = asset;
      return {
        id,
        bytes: json.length,
        goodUntilMs,
        json,
        hasImages: images !== null,
        asset: { id, urlNonce, revision, usage, usageAt, extension },
      };
    });
  };
  return createDocumentCache({ ...options, read, nowMs: () => clock.now().getTime() });
}
