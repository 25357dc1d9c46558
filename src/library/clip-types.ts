export const CLIP_STATES = ['queued', 'running', 'ready', 'failed', 'cancelled'] as const;
export type ClipState = (typeof CLIP_STATES)[number];
export const CLIP_ASPECTS = ['original', '16:9', '1:1', '9:16'] as const;
export type ClipAspect = (typeof CLIP_ASPECTS)[number];

/** A cut of one video, in ms from its start, half open. */
export type ClipSegment = {
  readonly mediaId: number;
  readonly inMs: number;
  readonly outMs: number;
  /** The moment that it is about: shown in the poster, and where faces are looked for. */
  readonly eventMs: number;
  readonly actionId: number | null;
};

/** What was asked for. */
export type ClipRequest = {
  readonly segments: readonly ClipSegment[];
  readonly aspect: ClipAspect;
  /** At most this many lines; null: as the source. */
  readonly height: number | null;
  /** `download`: a file behind a signed URL; `asset`: a new video of the library. */
  readonly output: 'download' | 'asset';
};

/** What was made. */
export type ClipFacts = {
  readonly width: number;
  readonly height: number;
  readonly durationMs: number;
  readonly frames: number;
  readonly bytes: number;
  readonly sha256: string;
  /** Whether the coded frames of the source were copied. */
  readonly method: 'copy' | 'encode';
  /** Exact to the frame; `atMs`: where the segment begins in the clip. */
  readonly segments: readonly { readonly inMs: number; readonly outMs: number; readonly atMs: number }[];
};

export type Clip = {
  readonly id: number;
  readonly kind: 'clip' | 'reel';
  readonly state: ClipState;
  /** 0 to 1. */
  readonly progress: number;
  readonly name: string;
  readonly request: ClipRequest;
  readonly videoKey: string | null;
  readonly posterKey: string | null;
  readonly facts: ClipFacts | null;
  readonly failureCode: string | null;
  readonly failureReason: string | null;
  readonly assetId: number | null;
  readonly urlNonce: string;
  readonly createdBy: string;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly expiresAt: Date | null;
};
