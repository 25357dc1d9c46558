import type { ExifTool } from 'exiftool-vendored';
import type { TagBag } from './photo-metadata.ts';

/**
 * What ExifTool is asked for; naming the tags keeps maker notes, previews and edit histories out of the answer. `#` asks for
 * the number instead of its wording (`Orientation` 6, not "Rotate 90 CW").
 */
const WANTED = {
  File: 'FileType MIMEType',
  Composite: 'ImageSize# LensID GPSLatitude# GPSLongitude#',
  IFD0: 'Orientation# ImageDescription Artist Copyright Software Make Model ModifyDate Rating',
  'XMP-dc': 'all',
  'XMP-photoshop': 'all',
  'XMP-iptcCore': 'all',
  'XMP-iptcExt': 'all',
  'XMP-xmpRights': 'all',
  IPTC: 'all',
  'XMP-mwg-rs': 'RegionInfo',
  'XMP-MP': 'RegionInfoMP',
  'XMP-xmp': 'Rating CreatorTool CreateDate',
  ExifIFD:
    'DateTimeOriginal CreateDate SubSecTimeOriginal OffsetTimeOriginal OffsetTimeDigitized OffsetTime LensModel ISO# FNumber# ExposureTime# FocalLength#',
  GPS: 'GPSDateStamp GPSTimeStamp',
  'XMP-tiff': 'Make Model',
  'XMP-exif': 'DateTimeOriginal DateTimeDigitized ISO# FNumber# ExposureTime# FocalLength#',
  'XMP-aux': 'Lens',
  'XMP-exifEX': 'LensModel',
};
const WANTED_ARGS = Object.entries(WANTED).flatMap(([group, names]) =>
  names.split(' ').map((name) => `-${group}:${name}`),
);

/** `-fast` stops before the trailer of a JPEG, so a large file is not read to its end. */
const readArgs = (iptcCharset: string) => [
  '-charset',
  `iptc=${iptcCharset}`,
  '-struct',
  '-G1',
  '-fast',
  ...WANTED_ARGS,
];

/**
 * The tags of a file through ExifTool. IPTC without a declared character set is read as UTF-8; where that gives broken letters
 * the file predates UTF-8 and is read again as Windows Latin.
 */
export async function readExiftoolTags(exiftool: ExifTool, path: string): Promise<TagBag> {
  const tags = await readRaw(exiftool, path, 'utf8');
  return hasBrokenIptc(tags) ? readRaw(exiftool, path, 'latin') : tags;
}

async function readRaw(exiftool: ExifTool, path: string, iptcCharset: string): Promise<TagBag> {
  const tags: object = await exiftool.readRaw(path, { readArgs: readArgs(iptcCharset) });
  // ExifTool's JSON is an object of string keys; every value is checked where it is used.
  return tags as TagBag;
}

function hasBrokenIptc(tags: TagBag): boolean {
  return Object.entries(tags).some(
    ([name, value]) => name.startsWith('IPTC:') && [value].flat().some((text) => String(text).includes('\ufffd')),
  );
}
