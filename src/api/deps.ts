import type { Authenticator } from '../auth/index.ts';
import type { Clock, Logger } from '../base/index.ts';
import type { Database } from '../db/index.ts';
import type { Deliveries } from '../delivery/index.ts';
import type { ImageService } from '../images/index.ts';
import type { Intake, MediaImports, MetadataEmbedder, ResumableUploads } from '../ingest/index.ts';
import type { Jobs } from '../jobs/index.ts';
import type { Rules } from '../rules/index.ts';
import type { ActionSearch, Freshness, MatchedActions, MediaSearch, TagLookup } from '../search/index.ts';
import type { ObjectStorage } from '../storage/index.ts';
import type { Webhooks } from '../webhooks/index.ts';
import type { ImageAccess, Publishers } from './image-access.ts';
import type { MediaUrls } from './media-urls.ts';
import type { Metrics } from './metrics.ts';
import type { SearchDocuments } from './search-documents.ts';
import type { UsageCounter } from './usage-counter.ts';

/** Everything the routes use; `app.ts` puts it together. */
export type ApiDeps = {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly authenticator: Authenticator;
  readonly organizations: Publishers;
  readonly imageAccess: Pick<ImageAccess, 'rules' | 'record'>;
  readonly mediaSearch: MediaSearch;
  readonly actionSearch: ActionSearch;
  readonly matchedActions: MatchedActions;
  readonly freshness: Freshness;
  readonly documents: SearchDocuments;
  readonly tagLookup: TagLookup;
  readonly images: ImageService;
  readonly storage: ObjectStorage;
  readonly intake: Intake;
  readonly uploads: ResumableUploads;
  readonly mediaImports: MediaImports;
  readonly metadataEmbedder: MetadataEmbedder;
  readonly deliveries: Deliveries;
  readonly webhooks: Webhooks;
  readonly rules: Rules;
  readonly jobs: Jobs;
  readonly urls: MediaUrls;
  readonly metrics: Metrics;
  readonly usage: UsageCounter;
  readonly settings: {
    readonly publicUrl: string;
    readonly mediaUrl: string;
    /** Where the built browser UI lies; it may be missing. */
    readonly webFolder: string;
    readonly trustProxy: readonly string[];
    readonly maxUploadBytes: number;
    readonly temporaryFolder: string;
    readonly version: string;
  };
};
