import type { DeliveredQuality, DestinationFields } from './destination-types.ts';
import type { Rendition } from './rendition.ts';

export const DELIVERY_STATES = [
  'queued',
  'running',
  'succeeded',
  'failed',
  'exhausted',
  'cancelled',
  'skipped',
] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export type Attempt = {
  readonly started_at: string;
  readonly ended_at: string;
  readonly error_code: string | null;
  readonly error: string | null;
  /** Sent by this try. */
  readonly bytes: number;
};

/** What the target has, as it was found there. */
export type Receipt = {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly verified: 'checksum' | 'read_back' | 'accepted';
  readonly etag?: string;
  readonly version?: string;
  readonly checksum?: string;
  readonly sidecar_path?: string;
  /** False where the format is never altered, such as camera RAW. */
  readonly metadata_embedded?: boolean;
  readonly finished_at: string;
};

/** What a request says in place of its destination. */
export type DeliverySettings = Partial<Pick<DestinationFields, 'collision' | 'sidecar' | 'embedMetadata'>>;

export type Delivery = {
  readonly id: number;
  readonly destinationId: number;
  /** Names the request that made it. */
  readonly batch: string;
  readonly mediaId: number;
  /** Exactly one of quality and rendition is there. */
  readonly quality: DeliveredQuality | null;
  readonly rendition: Rendition | null;
  readonly state: DeliveryState;
  readonly path: string;
  readonly targetPath: string | null;
  readonly nonce: string;
  readonly fingerprint: string;
  readonly bytes: number;
  readonly sha256: string | null;
  readonly progress: number;
  readonly attempts: readonly Attempt[];
  readonly attemptCount: number;
  readonly nextAttemptAt: Date;
  /** As `readToken` takes it apart. */
  readonly resumeToken: string | null;
  readonly receipt: Receipt | null;
  /** Asked for by somebody who may deliver what is not free for use. */
  readonly includeRestricted: boolean;
  readonly errorCode: string | null;
  readonly errorReason: string | null;
  readonly settings: DeliverySettings | null;
  readonly createdBy: string;
  /** Of the rule that asked for it. */
  readonly ruleId: number | null;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly finishedAt: Date | null;
};

/** One that is to be stored, or shown by a dry run. */
export type PlannedDelivery = Pick<
  Delivery,
  'id' | 'mediaId' | 'quality' | 'rendition' | 'path' | 'fingerprint' | 'bytes' | 'sha256' | 'errorCode' | 'errorReason'
> & { readonly state: 'queued' | 'skipped' | 'failed' };
