import { open } from 'node:fs/promises';
import ExifReader from 'exifreader';
import { MIB } from '../../base/index.ts';
import { detectFileType } from '../file-type.ts';
import type { TagBag } from './photo-metadata.ts';
import { structure } from './tag-values.ts';

/** Metadata sits at the start of a JPEG, but anywhere in TIFF and HEIC files; beyond this only the head is searched. */
const MAX_READ_BYTES = 64 * MIB;

/** Names that ExifReader spells in its own way, as ExifTool's. */
const IPTC_NAMES: Readonly<Record<string, string>> = {
  'Object Name': 'ObjectName',
  'Caption/Abstract': 'Caption-Abstract',
  'Copyright Notice': 'CopyrightNotice',
  'By-line Title': 'By-lineTitle',
  'Writer/Editor': 'Writer-Editor',
  'Special Instructions': 'SpecialInstructions',
  'Original Transmission Reference': 'OriginalTransmissionReference',
  'Sub-location': 'Sub-location',
  'Province/State': 'Province-State',
  'Country/Primary Location Name': 'Country-PrimaryLocationName',
  'Country/Primary Location Code': 'Country-PrimaryLocationCode',
  'Date Created': 'DateCreated',
  'Time Created': 'TimeCreated',
};
const EXIF_NAMES: Readonly<Record<string, string>> = {
  DateTime: 'ModifyDate',
  DateTimeDigitized: 'CreateDate',
  ISOSpeedRatings: 'ISO',
};
const IFD0_NAMES = new Set([
  'ImageDescription',
  'Artist',
  'Copyright',
  'Software',
  'Make',
  'Model',
  'ModifyDate',
  'Rating',
]);
/** ExifReader drops the namespace of XMP names; each of these is unambiguous among the tags that are used. */
const XMP_NAMES: Readonly<Record<string, string>> = {
  title: 'XMP-dc:Title',
  description: 'XMP-dc:Description',
  rights: 'XMP-dc:Rights',
  creator: 'XMP-dc:Creator',
  subject: 'XMP-dc:Subject',
  Headline: 'XMP-photoshop:Headline',
  Credit: 'XMP-photoshop:Credit',
  Source: 'XMP-photoshop:Source',
  Instructions: 'XMP-photoshop:Instructions',
  AuthorsPosition: 'XMP-photoshop:AuthorsPosition',
  CaptionWriter: 'XMP-photoshop:CaptionWriter',
  TransmissionReference: 'XMP-photoshop:TransmissionReference',
  City: 'XMP-photoshop:City',
  State: 'XMP-photoshop:State',
  Country: 'XMP-photoshop:Country',
  DateCreated: 'XMP-photoshop:DateCreated',
  UsageTerms: 'XMP-xmpRights:UsageTerms',
  Location: 'XMP-iptcCore:Location',
  CountryCode: 'XMP-iptcCore:CountryCode',
  AltTextAccessibility: 'XMP-iptcCore:AltTextAccessibility',
  Event: 'XMP-iptcExt:Event',
  PersonInImage: 'XMP-iptcExt:PersonInImage',
  Rating: 'XMP-xmp:Rating',
  CreatorTool: 'XMP-xmp:CreatorTool',
  CreateDate: 'XMP-xmp:CreateDate',
  Lens: 'XMP-aux:Lens',
};

/**
 * The tags of a file through ExifReader, under ExifTool's names. It knows no RAW format and no maker notes, and a damaged
 * segment costs that segment only.
 */
export async function readExifreaderTags(path: string): Promise<TagBag> {
  const data = await readHead(path);
  const detected = detectFileType(data);
  const sections = loadSections(data);
  const exif = exifTags(structure(sections['exif']) ?? {});
  const rawType = detected?.maybeRaw ? rawFileType(exif) : undefined;
  const fileTags: Record<string, unknown> = detected
    ? { 'File:FileType': rawType ?? detected.format.toUpperCase(), 'File:MIMEType': detected.mimeType }
    : {};
  return {
    ...fileTags,
    ...(rawType === undefined && imageSize(sections, exif)),
    ...exif,
    ...gpsTags(structure(sections['gps']) ?? {}),
    ...iptcTags(structure(sections['iptc']) ?? {}),
    ...xmpTags(structure(sections['xmp']) ?? {}),
  };
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const data = Buffer.alloc(Math.min(size, MAX_READ_BYTES));
    const { bytesRead } = await file.read(data, 0, data.length, 0);
    return data.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function loadSections(data: Buffer): TagBag {
  try {
    // oxlint-disable-next-line import/no-named-as-default-member -- the named export exists in its types only
    return structure(ExifReader.load(data, { expanded: true, async: false })) ?? {};
  } catch {
    // Formats without metadata and damaged headers end here alike; the photo itself may still be fine.
    return {};
  }
}

/**
 * Which camera RAW a TIFF structure is: DNG names its camera in a tag of its own, the makers' formats hang the sensor data
 * below the first picture (tag 330, SubIFDs, which ExifReader calls A100DataOffset).
 */
function rawFileType(exif: TagBag): string | undefined {
  if (exif['ExifIFD:UniqueCameraModel'] !== undefined) return 'DNG';
  if (exif['ExifIFD:A100DataOffset'] === undefined) return undefined;
  const make = String(exif['IFD0:Make']).toUpperCase();
  if (make.startsWith('NIKON')) return 'NEF';
  if (make.startsWith('SONY')) return 'ARW';
  return make.startsWith('PENTAX') || make.startsWith('RICOH') ? 'PEF' : undefined;
}

function imageSize(sections: TagBag, exif: TagBag): Record<string, unknown> {
  for (const section of ['file', 'png', 'pngFile', 'riff', 'gif']) {
    const tags = structure(sections[section]);
    const width = tagNumber(tags?.['Image Width'] ?? tags?.['ImageWidth']);
    const height = tagNumber(tags?.['Image Height'] ?? tags?.['ImageHeight']);
    if (width !== undefined && height !== undefined) return { 'Composite:ImageSize': `${width} ${height}` };
  }
  // A TIFF states its size among its tags; a wrong type there is refused where the text is parsed.
  const [width, height] = [exif['ExifIFD:ImageWidth'], exif['ExifIFD:ImageLength']];
  if (typeof width === 'number' && typeof height === 'number') return { 'Composite:ImageSize': `${width} ${height}` };
  return {};
}

function exifTags(section: TagBag): Record<string, unknown> {
  const tags: Record<string, unknown> = {};
  for (const [reader, tag] of Object.entries(section)) {
    const name = EXIF_NAMES[reader] ?? reader;
    const group = name === 'Orientation' || IFD0_NAMES.has(name) ? 'IFD0' : 'ExifIFD';
    tags[`${group}:${name}`] = exifValue(structure(tag)?.['value']);
  }
  const stamp = tags['ExifIFD:GPSTimeStamp'];
  if (Array.isArray(stamp))
    tags['GPS:GPSTimeStamp'] = stamp.map((part) => String(Math.floor(Number(part))).padStart(2, '0')).join(':');
  tags['GPS:GPSDateStamp'] = tags['ExifIFD:GPSDateStamp'];
  return tags;
}

/** ASCII comes as a list of one text, a rational as [numerator, denominator], several rationals as a list of those. */
function exifValue(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  if (value.length === 1) return value[0];
  if (value.length === 2 && value.every((part) => typeof part === 'number')) return Number(value[0]) / Number(value[1]);
  return value.map(exifValue);
}

function gpsTags(section: TagBag): Record<string, unknown> {
  return { 'Composite:GPSLatitude': section['Latitude'], 'Composite:GPSLongitude': section['Longitude'] };
}

function iptcTags(section: TagBag): Record<string, unknown> {
  const tags: Record<string, unknown> = {};
  for (const [reader, tag] of Object.entries(section)) {
    const texts = [tag].flat().map((one) => structure(one)?.['description']);
    tags[`IPTC:${IPTC_NAMES[reader] ?? reader}`] = texts.length === 1 ? texts[0] : texts;
  }
  return tags;
}

function xmpTags(section: TagBag): Record<string, unknown> {
  const tags: Record<string, unknown> = {};
  for (const [reader, tag] of Object.entries(section)) {
    const name = XMP_NAMES[reader];
    if (name !== undefined) tags[name] = xmpTexts(tag);
  }
  const regions = xmpStructure(section['Regions']);
  if (regions) tags['XMP-mwg-rs:RegionInfo'] = regions;
  return tags;
}

/** A list's texts; of a language alternative the default, else the first. */
function xmpTexts(tag: unknown): unknown {
  const value = structure(tag)?.['value'];
  if (!Array.isArray(value)) return value;
  const language = (item: unknown) => structure(structure(item)?.['attributes'])?.['lang'];
  const texts = value.map((item: unknown) => structure(item)?.['value']);
  if (!value.some((item) => language(item) !== undefined)) return texts;
  const preferred = value.findIndex((item) => language(item) === 'x-default');
  return texts[Math.max(0, preferred)];
}

/** ExifReader keeps structures as tags of tags; ExifTool's shape has plain members with a capital letter. */
function xmpStructure(tag: unknown): Record<string, unknown> | undefined {
  const members = structure(structure(tag)?.['value']) ?? structure(tag);
  if (!members) return undefined;
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name.charAt(0).toUpperCase() + name.slice(1), xmpMember(member)]),
  );
}

function xmpMember(member: unknown): unknown {
  const value = structure(member)?.['value'];
  if (Array.isArray(value)) return value.map((item: unknown) => xmpStructure(item));
  return structure(value) ? xmpStructure(member) : (value ?? xmpStructure(member));
}

function tagNumber(tag: unknown): number | undefined {
  const value = structure(tag)?.['value'];
  return typeof value === 'number' ? value : undefined;
}
