import { foldText, KIB, MINUTE_MS } from '../../base/index.ts';
import { captureTime } from './capture-time.ts';
import { maxBytesOf, photoDetails, TEXT_SOURCES, type TextField } from './details.ts';
import { assign, assignList, assignStructure } from './exiftool-arguments.ts';
import { iimText } from './iim.ts';
import { type MetadataValues, WRITTEN_FIELDS } from './metadata-values.ts';
import type { PhotoMetadata, TagBag } from './photo-metadata.ts';
import { regionArguments } from './region-arguments.ts';
import { cleanTexts, finiteNumber, firstText, structures } from './tag-values.ts';

/** What a kind of file can carry beside XMP, which all of them can. */
export type Carrier = {
  readonly iptc: boolean;
  readonly exif: boolean;
  readonly quickTime: boolean;
  /** Whether everything in the file was read at ingest, so that what the library lacks was taken away by somebody. */
  readonly clears: boolean;
};

const WHOLE = 64 * KIB;
const LIST_LIMITS = { maxItems: 2000, maxBytes: KIB };

/** The keys that players and editors of videos show; XMP has the rest. */
const QUICKTIME_KEYS: Readonly<Partial<Record<TextField, string>>> = {
  title: 'Keys:Title',
  caption: 'Keys:Description',
  copyright: 'Keys:Copyright',
  byline: 'Keys:Author',
};

/**
 * The arguments that bring a file up to date with the library: what the file says in other words is written, what it says
 * already is left as it is (a list of creators, other languages, a caption longer than we keep).
 */
export function writeArguments(
  file: { readonly tags: TagBag; readonly metadata: PhotoMetadata },
  values: MetadataValues,
  carrier: Carrier,
): readonly string[] {
  const { tags } = file;
  const args = [
    ...textArguments(tags, values, carrier),
    ...listArguments(tags, values, carrier),
    ...regionArguments(file, values),
    ...ratingArguments(file, values, carrier),
    ...timeArguments(tags, values, carrier),
    // For files that have none: metadata-writer.ts.
    assign('XMP-xmpMM:DocumentID', values.documentId),
  ];
  return carrier.iptc ? [...args, ...iptcCharset(tags, args)] : args;
}

function textArguments(tags: TagBag, values: MetadataValues, carrier: Carrier): string[] {
  const shown = photoDetails(tags, { keywords: [], persons: [] });
  return WRITTEN_FIELDS.flatMap((field) => {
    const text = values.texts[field];
    const targets = TEXT_SOURCES[field].filter(
      (tag) => (carrier.iptc || !tag.startsWith('IPTC:')) && (carrier.exif || !tag.startsWith('IFD0:')),
    );
    if (text === undefined) {
      // Not what is no caption either, such as the phrase of a camera.
      const withdrawn = carrier.clears && shown[field] !== undefined;
      return withdrawn ? targets.filter((tag) => tags[tag] !== undefined).map((tag) => `-${tag}=`) : [];
    }
    const key = carrier.quickTime ? QUICKTIME_KEYS[field] : undefined;
    return [
      ...targets.flatMap((tag) => textArgument(tags, { tag, field, text })),
      ...(key === undefined ? [] : [assign(key, text)]),
    ];
  });
}

function textArgument(
  tags: TagBag,
  { tag, field, text }: { readonly tag: string; readonly field: TextField; readonly text: string },
): string[] {
  const wanted = tag.startsWith('IPTC:') ? iimText(tag, text) : text;
  if (wanted === undefined) return tags[tag] === undefined ? [] : [`-${tag}=`];
  const same = firstText(tags, [tag], WHOLE) === wanted || firstText(tags, [tag], maxBytesOf(field)) === text;
  return same ? [] : [assign(tag, wanted)];
}

function listArguments(tags: TagBag, values: MetadataValues, carrier: Carrier): string[] {
  const list = (tag: string, ours: readonly string[], fit = (item: string): string | undefined => item): string[] => {
    const present = cleanTexts(tags[tag], LIST_LIMITS);
    const all = carrier.clears ? ours : [...present, ...ours];
    const wanted = cleanTexts(all.map(fit), LIST_LIMITS);
    return wanted.join('\0') === present.join('\0') ? [] : [...assignList(tag, wanted)];
  };
  const { keywords, persons } = values;
  return [
    ...list('XMP-dc:Subject', keywords),
    ...(carrier.iptc ? list('IPTC:Keywords', keywords, (item) => iimText('IPTC:Keywords', item)) : []),
    ...(carrier.quickTime && keywords.length > 0 ? [assign('Keys:Keywords', keywords.join(', '))] : []),
    ...list('XMP-iptcExt:PersonInImage', persons),
    ...(carrier.clears ? describedPersons(tags, persons) : []),
  ];
}

/** Of people described at length in the file, those stay who are still named on the asset. */
function describedPersons(tags: TagBag, persons: readonly string[]): string[] {
  const tag = 'XMP-iptcExt:PersonInImageWDetails';
  const names = new Set(persons.map(foldText));
  const before = structures(tags[tag]);
  const kept = before.filter((person) => {
    const name = firstText(person, ['PersonName'], KIB);
    return name === undefined || names.has(foldText(name));
  });
  if (kept.length === before.length) return [];
  return [kept.length === 0 ? `-${tag}=` : assignStructure(tag, kept)];
}

function ratingArguments(
  { tags, metadata }: { readonly tags: TagBag; readonly metadata: PhotoMetadata },
  { rating }: MetadataValues,
  carrier: Carrier,
): string[] {
  const targets = ['XMP-xmp:Rating', ...(carrier.exif && tags['IFD0:Rating'] !== undefined ? ['IFD0:Rating'] : [])];
  // What is no number of stars, such as Adobe's -1 for a rejected picture, is not ours.
  if (rating === null && (metadata.rating === undefined || !carrier.clears)) return [];
  return targets
    .filter((tag) => finiteNumber(tags[tag]) !== (rating ?? undefined))
    .map((tag) => (rating === null ? `-${tag}=` : assign(tag, String(rating))));
}

/** The time of capture for a file that has none of its own; what a camera wrote is never touched. */
function timeArguments(
  tags: TagBag,
  { capturedAt, capturedOffsetMinutes: offset }: MetadataValues,
  carrier: Carrier,
): string[] {
  if (capturedAt === null || captureTime(tags)) return [];
  const [date = '', time = ''] = new Date(capturedAt.getTime() + (offset ?? 0) * MINUTE_MS).toISOString().split('T');
  const day = date.replaceAll('-', ':');
  const xmp = assign('XMP-photoshop:DateCreated', `${day} ${time.slice(0, 12)}${offset === null ? '' : zone(offset)}`);
  // A time of IPTC always has a zone, so an unknown one leaves it out.
  if (!carrier.iptc || offset === null) return [xmp];
  return [xmp, assign('IPTC:DateCreated', day), assign('IPTC:TimeCreated', time.slice(0, 8) + zone(offset))];
}

function zone(minutes: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}

/**
 * IPTC becomes UTF-8, said so, as soon as anything of it is written; texts that stay and were in another character set are
 * written again. The digest tells readers that IPTC and XMP agree (MWG guidelines 2.0, section 3.3.1).
 */
function iptcCharset(tags: TagBag, args: readonly string[]): string[] {
  if (!args.some((arg) => arg.startsWith('-IPTC:'))) return [];
  const written = new Set(args.map((arg) => arg.slice(1, arg.indexOf('='))));
  const declared = tags['IPTC:CodedCharacterSet'] === 'UTF8';
  const again = Object.entries(tags).filter(
    ([tag, value]) => !declared && tag.startsWith('IPTC:') && !written.has(tag) && !/^[\0-\x7f]*$/.test(String(value)),
  );
  return [
    ...again.flatMap(([tag, value]) => assignList(tag, cleanTexts(value, LIST_LIMITS))),
    '-IPTC:CodedCharacterSet=UTF8',
    '-Photoshop:IPTCDigest=new',
  ];
}
