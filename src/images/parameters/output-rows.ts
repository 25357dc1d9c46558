import type { Recipe } from '../recipe.ts';
import { integer, oneOf, parameter } from './row.ts';

export const FORMATS = ['jpeg', 'webp', 'avif', 'png'] as const;
export type ImageFormat = (typeof FORMATS)[number];
export type RequestedFormat = ImageFormat | 'auto';

const METADATA_POLICIES = ['none', 'copyright', 'all'] as const;
/** What the answer says of itself: nothing, the credit line, or what the original says but for the place. */
export type MetadataPolicy = (typeof METADATA_POLICIES)[number];

/** Less than 1 kB holds no picture beside its credit line; more than 100 MB no answer has. */
const MIN_MAX_BYTES = 1_000;
const MAX_MAX_BYTES = 100_000_000;

/** Names longer than this are cut by file systems (255 bytes, of which an extension and UTF-8 need their part). */
const MAX_NAME_LENGTH = 80;

/** A file name without folders, control characters and signs that Windows refuses; undefined when nothing is left. */
function parseFileName(text: string): string | undefined {
  const name = text
    .normalize('NFC')
    // oxlint-disable-next-line no-control-regex -- removing them is the point; the second range holds marks that turn the direction of text
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g, '')
    .replace(/[\\/:*?"<>|]+/g, '_')
    .replace(/^[\s.]+|[\s.]+$/g, '')
    .replace(/\.(?:jpe?g|webp|avif|png|gif)$/i, '');
  const cut = Array.from(name).slice(0, MAX_NAME_LENGTH).join('').trim();
  return cut === '' ? undefined : cut;
}

/** Only WebP carries more than one frame, and faces are known in the first one only. */
const canMove = ({ format, redact }: Recipe) => (format === 'auto' || format === 'webp') && !redact;

/** What kind of file the answer is. */
export const OUTPUT_ROWS = [
  parameter({
    name: 'fmt',
    aliases: ['output'],
    expects: 'one of auto, jpeg (or jpg), webp, avif, png',
    parse: (text): RequestedFormat | undefined => (text === 'jpg' ? 'jpeg' : oneOf(['auto', ...FORMATS])(text)),
    canonical: (recipe) => (recipe.format === 'auto' ? undefined : recipe.format),
    doc: 'File format. Default auto: AVIF or WebP where the Accept header names it, else JPEG (PNG for transparency).',
  }),
  parameter({
    name: 'q',
    aliases: [],
    expects: 'an integer from 1 to 100, or auto',
    parse: (text): number | 'auto' | undefined => (text === 'auto' ? text : integer(1, 100)(text)),
    canonical: (recipe) => (recipe.format === 'png' ? undefined : recipe.quality?.toString()),
    doc: 'Quality of JPEG, WebP and AVIF. Default auto: JPEG 80, WebP 79, AVIF 50.',
  }),
  parameter({
    name: 'maxbytes',
    aliases: [],
    expects: `an integer from ${MIN_MAX_BYTES} to ${MAX_MAX_BYTES}`,
    parse: integer(MIN_MAX_BYTES, MAX_MAX_BYTES),
    canonical: (recipe) => recipe.maxBytes?.toString(),
    doc: 'Most bytes of the answer: quality, then size, is lowered until it fits, in at most 6 attempts.',
  }),
  parameter({
    name: 'anim',
    aliases: [],
    expects: '0 or 1',
    parse: oneOf(['0', '1']),
    canonical: (recipe) => (recipe.animated && canMove(recipe) ? '1' : undefined),
    doc: '1 keeps an animation (GIF, WebP) moving, as WebP, where the answer can be one. Default 0: its first frame.',
  }),
  parameter({
    name: 'meta',
    aliases: [],
    expects: `one of ${METADATA_POLICIES.join(', ')}`,
    parse: oneOf(METADATA_POLICIES),
    canonical: (recipe) => (recipe.metadata === 'copyright' ? undefined : recipe.metadata),
    doc:
      'Metadata in the answer: copyright (creator and rights of the asset), none, or all (EXIF, IPTC and XMP of the original, ' +
      'never the place, previews or maker notes). Default copyright; with redact, all means copyright.',
  }),
  parameter({
    name: 'dl',
    aliases: [],
    expects: 'a file name',
    parse: parseFileName,
    // The same picture under any name.
    canonical: () => undefined,
    doc: `Makes browsers save the answer under this name (at most ${MAX_NAME_LENGTH} characters); the extension follows the format.`,
  }),
] as const;
