import { type Colour, colourText, overWhite, parseColour } from '../colour.ts';
import type { Recipe } from '../recipe.ts';
import { type Degrees, FLIPS, ROTATIONS, turnTexts } from '../turn.ts';
import { decimal, oneOf, parameter } from './row.ts';

/** Which faces are made unrecognisable, and how. */
export type Redaction = { readonly faces: 'all' | 'unknown'; readonly style: 'blur' | 'pixel' };

const REDACTIONS: Readonly<Record<string, Redaction>> = {
  faces: { faces: 'all', style: 'blur' },
  'faces:blur': { faces: 'all', style: 'blur' },
  'faces:pixel': { faces: 'all', style: 'pixel' },
  unknown: { faces: 'unknown', style: 'blur' },
  'unknown:blur': { faces: 'unknown', style: 'blur' },
  'unknown:pixel': { faces: 'unknown', style: 'pixel' },
};

/** Steps of 0.01 are not to be seen, and keep the number of cached pictures in bounds. */
const hundredths = (low: number, high: number) => (text: string) => {
  const value = decimal(low, high)(text);
  return value === undefined ? undefined : Number(value.toFixed(2));
};

/** White behind JPEG and nothing behind the others are there without being asked for. */
function backgroundText({ background, format }: Recipe): string | undefined {
  if (!background || background.alpha === 0) return undefined;
  const text = colourText(background);
  return format === 'jpeg' && colourText(overWhite(background)) === 'ffffff' ? undefined : text;
}

/** What is done to the picture. */
export const EFFECT_ROWS = [
  parameter({
    name: 'rot',
    aliases: [],
    expects: `one of ${ROTATIONS.join(', ')}`,
    parse: (text): Degrees | undefined => {
      const found = oneOf(ROTATIONS)(text);
      // ROTATIONS are the texts of exactly these numbers.
      return found && (Number(found) as Degrees);
    },
    canonical: (recipe) => turnTexts(recipe.turn).rot,
    doc:
      'Turns the picture clockwise by so many degrees, after it was set upright by its EXIF orientation and before all else: ' +
      'w, h, f and rect are those of the turned picture. Default 0.',
  }),
  parameter({
    name: 'flip',
    aliases: [],
    expects: `one of ${FLIPS.join(', ')}`,
    parse: oneOf(FLIPS),
    canonical: (recipe) => turnTexts(recipe.turn).flip,
    doc: 'Mirrors the picture after rot: h left to right, v top to bottom, hv both.',
  }),
  parameter({
    name: 'trim',
    aliases: [],
    expects: 'a number from 0 to 100',
    parse: hundredths(0, 100),
    canonical: (recipe) => recipe.trim?.toString(),
    doc:
      'Cuts off borders of one colour (that of the upper left corner, or transparency) before all else but rot, flip and rect. The ' +
      'value is how far a pixel may be from that colour, of 255: 0 for drawings, 10 for JPEG. Default off.',
  }),
  parameter({
    name: 'bg',
    aliases: [],
    expects: 'a colour of 3, 4, 6 or 8 hexadecimal digits (rgb, rgba, rrggbb, rrggbbaa)',
    parse: (text): Colour | undefined => parseColour(text),
    canonical: backgroundText,
    doc: 'Colour around the picture (fit=contain) and under its transparent parts. Default white for JPEG, else transparent.',
  }),
  parameter({
    name: 'blur',
    aliases: [],
    expects: 'a number from 0.3 to 100',
    parse: hundredths(0.3, 100),
    canonical: (recipe) => recipe.blurPx?.toString(),
    doc: 'Gaussian blur; the standard deviation in pixels of the answer. Default off.',
  }),
  parameter({
    name: 'sharp',
    aliases: [],
    expects: 'a number from 0.3 to 10',
    parse: hundredths(0.3, 10),
    canonical: (recipe) => recipe.sharpenPx?.toString(),
    doc: 'Sharpening; the standard deviation of its mask in pixels of the answer. 0.5 to 1 suits small pictures. Default off.',
  }),
  parameter({
    name: 'redact',
    aliases: [],
    expects: 'faces or unknown, and after it :blur or :pixel where wanted',
    parse: (text): Redaction | undefined => (Object.hasOwn(REDACTIONS, text) ? REDACTIONS[text] : undefined),
    canonical: ({ redact }) => {
      if (!redact) return undefined;
      const who = redact.faces === 'all' ? 'faces' : 'unknown';
      return redact.style === 'pixel' ? `${who}:pixel` : who;
    },
    doc:
      'Makes faces unrecognisable: faces (all that were found) or unknown (those that are linked to no player), with :blur, the ' +
      'default, or :pixel. Done before anything else.',
  }),
  parameter({
    name: 'wm',
    aliases: [],
    expects: 'the name of a watermark preset of the organization (letters, digits, - and _, at most 64)',
    parse: (text) => (/^[\w-]{1,64}$/.test(text) ? text : undefined),
    canonical: (recipe) => recipe.watermark,
    doc: 'Lays the watermark of this name over the finished picture. Default none.',
  }),
] as const;
