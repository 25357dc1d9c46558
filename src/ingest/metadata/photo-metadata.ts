export type GpsPosition = { readonly lat: number; readonly lon: number };

export type CameraDetails = {
  readonly make?: string;
  readonly model?: string;
  readonly lens?: string;
  readonly iso?: number;
  /** F-number, such as 2.8. */
  readonly aperture?: number;
  /** Exposure time in seconds as photographers write it: `1/500`, `0.5`, `2`. */
  readonly shutter?: string;
  /** Millimetres, as engraved on the lens (not the 35 mm equivalent). */
  readonly focal_length?: number;
};

/**
 * IPTC core fields and camera data, under the names the API shows. A member is there only when the file carries it; texts
 * are trimmed, NFC, free of control characters and bounded (caption 8 KiB, others 2 KiB or less).
 */
export type PhotoDetails = {
  readonly title?: string;
  readonly headline?: string;
  readonly caption?: string;
  readonly credit?: string;
  readonly copyright?: string;
  readonly byline?: string;
  readonly byline_title?: string;
  readonly caption_writer?: string;
  readonly source?: string;
  readonly instructions?: string;
  readonly usage_terms?: string;
  readonly transmission_reference?: string;
  readonly event?: string;
  readonly location?: string;
  readonly city?: string;
  readonly state?: string;
  readonly country?: string;
  readonly country_code?: string;
  readonly alt_text?: string;
  readonly software?: string;
  readonly keywords?: readonly string[];
  readonly persons?: readonly string[];
  readonly gps?: GpsPosition;
  readonly camera?: CameraDetails;
};

/** A named face in a picture: top-left corner and size as fractions (0..1) of the oriented image. */
export type NamedRegion = {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
};

/** An EXIF orientation (TIFF 6.0 tag 274): 1 upright, 3 half turn, 6 and 8 quarter turns, the others mirrored. */
export type ExifOrientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

export type PhotoMetadata = {
  /** ExifTool's name of the format, such as JPEG, DNG or NEF; undefined when the file is not recognised. */
  readonly fileType?: string;
  readonly mimeType?: string;
  /** Pixels as stored, before `orientation` is applied. */
  readonly width?: number;
  readonly height?: number;
  readonly orientation: ExifOrientation;
  /** The instant the shutter opened. Without any known zone the camera's clock is read as UTC. */
  readonly capturedAt?: Date;
  /** Minutes east of UTC of the place and time of capture; undefined when no source tells the zone. */
  readonly capturedOffsetMinutes?: number;
  readonly details: PhotoDetails;
  readonly keywords: readonly string[];
  readonly persons: readonly string[];
  readonly regions: readonly NamedRegion[];
  /** Stars, 0 to 5. */
  readonly rating?: number;
  readonly reader: 'exiftool' | 'exifreader';
};

/** Tags as a reader found them: keys are ExifTool's `Group1:Name`, values are whatever the file holds, to be distrusted. */
export type TagBag = Readonly<Record<string, unknown>>;
