import { KIB } from '../../base/index.ts';
import type { CameraDetails, GpsPosition, PhotoDetails, TagBag } from './photo-metadata.ts';
import { cleanTexts, firstNumber, firstText, structures } from './tag-values.ts';

export type TextField = Exclude<keyof PhotoDetails, 'keywords' | 'persons' | 'gps' | 'camera'>;

/**
 * Where each text comes from and is written to, XMP before IPTC before EXIF (IPTC Photo Metadata Standard 2024.1, mapping
 * table).
 */
export const TEXT_SOURCES: Readonly<Record<TextField, readonly string[]>> = {
  title: ['XMP-dc:Title', 'IPTC:ObjectName'],
  headline: ['XMP-photoshop:Headline', 'IPTC:Headline'],
  caption: ['XMP-dc:Description', 'IPTC:Caption-Abstract', 'IFD0:ImageDescription'],
  credit: ['XMP-photoshop:Credit', 'IPTC:Credit'],
  copyright: ['XMP-dc:Rights', 'IPTC:CopyrightNotice', 'IFD0:Copyright'],
  byline: ['XMP-dc:Creator', 'IPTC:By-line', 'IFD0:Artist'],
  byline_title: ['XMP-photoshop:AuthorsPosition', 'IPTC:By-lineTitle'],
  caption_writer: ['XMP-photoshop:CaptionWriter', 'IPTC:Writer-Editor'],
  source: ['XMP-photoshop:Source', 'IPTC:Source'],
  instructions: ['XMP-photoshop:Instructions', 'IPTC:SpecialInstructions'],
  usage_terms: ['XMP-xmpRights:UsageTerms'],
  transmission_reference: ['XMP-photoshop:TransmissionReference', 'IPTC:OriginalTransmissionReference'],
  event: ['XMP-iptcExt:Event'],
  location: ['XMP-iptcCore:Location', 'IPTC:Sub-location'],
  city: ['XMP-photoshop:City', 'IPTC:City'],
  state: ['XMP-photoshop:State', 'IPTC:Province-State'],
  country: ['XMP-photoshop:Country', 'IPTC:Country-PrimaryLocationName'],
  country_code: ['XMP-iptcCore:CountryCode', 'IPTC:Country-PrimaryLocationCode'],
  alt_text: ['XMP-iptcCore:AltTextAccessibility'],
  software: ['IFD0:Software', 'XMP-xmp:CreatorTool'],
};

/** The place fields of the IPTC Extension, which newer programs fill instead of the core ones. */
const PLACE_MEMBERS = {
  location: 'Sublocation',
  city: 'City',
  state: 'ProvinceState',
  country: 'CountryName',
} as const;

const MAX_BYTES: Partial<Record<TextField, number>> = {
  caption: 8 * KIB,
  alt_text: 2 * KIB,
  instructions: 2 * KIB,
  usage_terms: 2 * KIB,
};
const DEFAULT_MAX_BYTES = KIB;

/** How much of a field's text is read, in bytes of UTF-8. */
export function maxBytesOf(field: TextField): number {
  return MAX_BYTES[field] ?? DEFAULT_MAX_BYTES;
}

const MAX_KEYWORDS = 500;
const MAX_PERSONS = 200;
const MAX_NAME_BYTES = 256;

/** What cameras write into ImageDescription by themselves. */
const CAMERA_CAPTION =
  /^(OLYMPUS DIGITAL CAMERA|SONY DSC|DCIM.*|DIGITAL CAMERA|KONICA MINOLTA.*|MINOLTA DIGITAL CAMERA|default|untitled|SAMSUNG.*CAMERA.*)$/i;

/** The details a photo carries, each from its best source. Never throws, whatever the tags hold. */
export function photoDetails(
  tags: TagBag,
  lists: { readonly keywords: readonly string[]; readonly persons: readonly string[] },
): PhotoDetails {
  const gps = gpsPosition(tags);
  const camera = cameraDetails(tags);
  return {
    ...textFields(tags),
    ...(lists.keywords.length > 0 && { keywords: lists.keywords }),
    ...(lists.persons.length > 0 && { persons: lists.persons }),
    ...(gps && { gps }),
    ...(camera && { camera }),
  };
}

function textFields(tags: TagBag): Partial<Record<TextField, string>> {
  const fields: Partial<Record<TextField, string>> = {};
  // Object.keys widens to string; the table's type says its keys are exactly the text fields.
  for (const field of Object.keys(TEXT_SOURCES) as TextField[]) {
    const text = firstText(tags, TEXT_SOURCES[field], maxBytesOf(field));
    if (text !== undefined && !(field === 'caption' && CAMERA_CAPTION.test(text))) fields[field] = text;
  }
  const places = [...structures(tags['XMP-iptcExt:LocationShown']), ...structures(tags['XMP-iptcExt:LocationCreated'])];
  for (const [field, member] of Object.entries(PLACE_MEMBERS)) {
    // Object.entries loses the literal keys of PLACE_MEMBERS, all of which are text fields.
    const key = field as keyof typeof PLACE_MEMBERS;
    const text = places
      .map((place) => firstText(place, [member], DEFAULT_MAX_BYTES))
      .find((name) => name !== undefined);
    if (fields[key] === undefined && text !== undefined) fields[key] = text;
  }
  return fields;
}

const KEYWORD_LIMITS = { maxItems: MAX_KEYWORDS, maxBytes: MAX_NAME_BYTES };
/** IPTC cuts a keyword at 64 bytes, which may fall into a character of up to 4. */
const CUT_KEYWORD_BYTES = 60;

/**
 * Keywords of XMP and IPTC together: a program that keeps only one of them up to date must not lose the other's. Those that
 * IPTC had to cut are the same keywords.
 */
export function photoKeywords(tags: TagBag): readonly string[] {
  const whole = cleanTexts(tags['XMP-dc:Subject'], KEYWORD_LIMITS);
  const isCut = (keyword: string) =>
    Buffer.byteLength(keyword) > CUT_KEYWORD_BYTES && whole.some((one) => one.startsWith(keyword));
  const short = cleanTexts(tags['IPTC:Keywords'], KEYWORD_LIMITS).filter((keyword) => !isCut(keyword));
  return cleanTexts([...whole, ...short], KEYWORD_LIMITS);
}

/** Who is in the picture: IPTC Extension names, then those of the face regions. */
export function photoPersons(tags: TagBag, regionNames: readonly string[]): readonly string[] {
  const named = structures(tags['XMP-iptcExt:PersonInImageWDetails']).map((person) =>
    firstText(person, ['PersonName'], MAX_NAME_BYTES),
  );
  const all = [tags['XMP-iptcExt:PersonInImage'], named, regionNames].flat();
  return cleanTexts(all, { maxItems: MAX_PERSONS, maxBytes: MAX_NAME_BYTES });
}

function gpsPosition(tags: TagBag): GpsPosition | undefined {
  const lat = firstNumber(tags, ['Composite:GPSLatitude']);
  const lon = firstNumber(tags, ['Composite:GPSLongitude']);
  if (lat === undefined || lon === undefined || Math.abs(lat) > 90 || Math.abs(lon) > 180) return undefined;
  // A receiver without a fix writes zeros; nobody plays in the Gulf of Guinea.
  if (lat === 0 && lon === 0) return undefined;
  const round = (degrees: number) => Math.round(degrees * 1e7) / 1e7;
  return { lat: round(lat), lon: round(lon) };
}

function cameraDetails(tags: TagBag): CameraDetails | undefined {
  const make = firstText(tags, ['IFD0:Make', 'XMP-tiff:Make'], 128);
  const model = firstText(tags, ['IFD0:Model', 'XMP-tiff:Model'], 128);
  const lens = firstText(tags, ['ExifIFD:LensModel', 'XMP-exifEX:LensModel', 'XMP-aux:Lens', 'Composite:LensID'], 128);
  const iso = positive(tags, ['ExifIFD:ISO', 'XMP-exif:ISO']);
  const aperture = positive(tags, ['ExifIFD:FNumber', 'XMP-exif:FNumber']);
  const seconds = positive(tags, ['ExifIFD:ExposureTime', 'XMP-exif:ExposureTime']);
  const focalLength = positive(tags, ['ExifIFD:FocalLength', 'XMP-exif:FocalLength']);
  const camera: CameraDetails = {
    ...(make !== undefined && { make }),
    ...(model !== undefined && { model }),
    ...(lens !== undefined && { lens }),
    ...(iso !== undefined && { iso: Math.round(iso) }),
    ...(aperture !== undefined && { aperture: Math.round(aperture * 10) / 10 }),
    ...(seconds !== undefined && { shutter: shutterText(seconds) }),
    ...(focalLength !== undefined && { focal_length: Math.round(focalLength * 10) / 10 }),
  };
  return Object.keys(camera).length > 0 ? camera : undefined;
}

function positive(tags: TagBag, names: readonly string[]): number | undefined {
  const number = firstNumber(tags, names);
  return number !== undefined && number > 0 && number < 1e7 ? number : undefined;
}

/** Below a third of a second photographers speak of fractions. */
function shutterText(seconds: number): string {
  return seconds < 0.3 ? `1/${Math.round(1 / seconds)}` : String(Math.round(seconds * 10) / 10);
}
