import type { Circuit } from '../base/index.ts';
import type { DeliveryWindow } from './delivery-window.ts';
import type { ImageRendition } from './rendition.ts';

export const COLLISIONS = ['overwrite', 'skip_same', 'suffix', 'fail'] as const;
export type Collision = (typeof COLLISIONS)[number];
export const SIDECARS = ['none', 'json', 'xmp'] as const;
export type Sidecar = (typeof SIDECARS)[number];
export const DELIVERED_QUALITIES = ['photographer', 'compressed', 'thumbnail'] as const;
export type DeliveredQuality = (typeof DELIVERED_QUALITIES)[number];
export const DESTINATION_STATUSES = ['unverified', 'ok', 'failed'] as const;

export type DestinationFields = {
  readonly name: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly pathTemplate: string;
  readonly collision: Collision;
  readonly qualities: readonly DeliveredQuality[];
  readonly sidecar: Sidecar;
  /** The present metadata is written into the copies that are delivered. */
  readonly embedMetadata: boolean;
  /** Files at a time, 1..16. */
  readonly concurrency: number;
  /** Bytes a second of all its deliveries together. */
  readonly bandwidthLimit: number | null;
  /** Null: deliveries start at any time. */
  readonly window: DeliveryWindow | null;
  /** Nothing starts until somebody says so. */
  readonly paused: boolean;
  /** What is delivered in place of `qualities` when a request names neither. */
  readonly rendition: ImageRendition | null;
};

export type Destination = DestinationFields & {
  readonly id: number;
  readonly kind: string;
  readonly secrets: Buffer | null;
  readonly secretKeyId: string | null;
  readonly status: (typeof DESTINATION_STATUSES)[number];
  readonly failureCode: string | null;
  readonly failureReason: string | null;
  readonly lastVerifiedAt: Date | null;
  /** Counts changes of config and secrets. */
  readonly targetRevision: number;
  readonly circuit: Circuit['state'];
  readonly circuitFaults: number;
  readonly circuitOpenings: number;
  readonly circuitRetryAt: Date | null;
  /** Tries that failed since one arrived. */
  readonly consecutiveFailures: number;
  readonly lastErrorAt: Date | null;
  readonly lastErrorCode: string | null;
  readonly lastErrorReason: string | null;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};
