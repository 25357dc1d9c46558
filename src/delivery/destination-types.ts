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
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};
