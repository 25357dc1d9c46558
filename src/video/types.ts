/** A rational rate such as 30000/1001; a decimal would drift by a frame within minutes. */
export type FrameRate = { readonly num: number; readonly den: number };

/** How samples are to be read; a member is absent when the file does not say. */
export type VideoColor = {
  readonly pixelFormat: string;
  readonly bitDepth: number;
  readonly space?: string;
  readonly transfer?: string;
  readonly primaries?: string;
  readonly range?: string;
  /** PQ (SMPTE ST 2084) or HLG (ARIB STD-B67). */
  readonly isHdr: boolean;
};

export type AudioTrack = { readonly streamIndex: number; readonly codec: string; readonly channels: number };

/** What is known of a video file without decoding it. Sizes are in pixels as a viewer sees them. */
export type VideoProbe = {
  readonly durationMs: number;
  /** After rotation and with square pixels. */
  readonly width: number;
  readonly height: number;
  /** Clockwise turn, in degrees, that `width` and `height` have undergone. */
  readonly rotation: 0 | 90 | 180 | 270;
  readonly frameRate: FrameRate;
  readonly hasVariableFrameRate: boolean;
  readonly isInterlaced: boolean;
  readonly videoCodec: string;
  readonly videoStreamIndex: number;
  /** Start of the picture after the start of the file, in ms (may be fractional); positions count from the latter. */
  readonly videoOffsetMs: number;
  /** Codec of the first audio track. */
  readonly audioCodec?: string;
  readonly hasAudio: boolean;
  readonly audioTracks: readonly AudioTrack[];
  readonly containerFormat: 'mov' | 'mp4' | 'mxf' | 'matroska' | 'mpegts' | 'avi';
  /** The camera's own time where the file has one. */
  readonly createdAt?: Date;
  /** SMPTE timecode of the first frame, `hh:mm:ss:ff`, with `;` before the frames for drop frame. */
  readonly startTimecode?: string;
  /** Bits per second over all streams. */
  readonly bitRate?: number;
  readonly color: VideoColor;
};

export type ProxyProgress = {
  /** 0 to 1. */
  readonly ratio: number;
  /** Position reached, ms from the start. */
  readonly positionMs: number;
};

export type VideoProxy = {
  readonly width: number;
  readonly height: number;
  readonly durationMs: number;
  readonly bytes: number;
  readonly frameRate: FrameRate;
  /** The source ends or fails before the duration that it states; the proxy has what could be decoded. */
  readonly truncated: boolean;
};

export type VideoStill = { readonly width: number; readonly height: number; readonly bytes: number };

/** A part of the picture, in pixels as a viewer sees them. */
export type PictureWindow = {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
};

export type VideoClip = {
  /** `copy`: the coded frames of the source, untouched; `encode`: decoded and coded anew. */
  readonly method: 'copy' | 'encode';
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  readonly durationMs: number;
  readonly bytes: number;
  readonly frameRate: FrameRate;
  readonly hasAudio: boolean;
  /** When the first frame begins in the source, in ms from its start; may be fractional. */
  readonly inMs: number;
  /** When the last frame ends in the source. */
  readonly outMs: number;
};

export type VideoReel = Omit<VideoClip, 'method' | 'inMs' | 'outMs'> & {
  /** Where each segment begins in the reel, in ms; may be fractional. */
  readonly startsMs: readonly number[];
};
