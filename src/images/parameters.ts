/**
 * The one table of image parameters. Adding a parameter is one row here, its field in `Recipe` (recipe.ts), and its use
 * in plan.ts or render.ts; parsing, duplicate and unknown checks, canonical text and documentation follow from the row.
 */
import { AUTO_CHAIN, type FocusChain, focusChainText, parseFocusChain } from './focus-chain.ts';
import type { Recipe } from './recipe.ts';

export const FITS = ['cover', 'contain', 'inside', 'outside', 'fill'] as const;
export type Fit = (typeof FITS)[number];

export const FORMATS = ['jpeg', 'webp', 'avif', 'png'] as const;
export type ImageFormat = (typeof FORMATS)[number];
export type RequestedFormat = ImageFormat | 'auto';

/** Longest side of an answer in pixels: WebP ends at 16,383, and 8192 x 8192 = 67 MP is above every screen and print use. */
export const MAX_SIDE_PX = 8192;

type Parameter<Name extends string, Value> = {
  readonly name: Name;
  readonly aliases: readonly string[];
  /** Completes "expected ... for <name>". */
  readonly expects: string;
  /** Undefined when the text is malformed or out of range. */
  readonly parse: (text: string) => Value | undefined;
  /** The text that stands for this parameter in the canonical recipe; undefined where it has no effect. */
  readonly canonical: (recipe: Recipe) => string | undefined;
  readonly doc: string;
};

const parameter = <const Name extends string, Value>(row: Parameter<Name, Value>): Parameter<Name, Value> => row;

const integer = (low: number, high: number) => (text: string) => {
  if (!/^\d{1,9}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= low && value <= high ? value : undefined;
};

const decimal = (low: number, high: number) => (text: string) => {
  if (!/^(?:\d{1,4}(?:\.\d{0,6})?|\.\d{1,6})$/.test(text)) return undefined;
  const value = Number(text);
  return value >= low && value <= high ? value : undefined;
};

const oneOf =
  <const Value extends string>(values: readonly Value[]) =>
  (text: string): Value | undefined =>
    values.find((value) => value === text);

/** Only a cover crop to a given width and height leaves a choice of what to keep. */
const crops = (recipe: Recipe) =>
  recipe.fit === 'cover' && recipe.widthPx !== undefined && recipe.heightPx !== undefined;

/** Every fit means the same, "keep the aspect", unless both sides are given. */
const fitMatters = (recipe: Recipe) => recipe.widthPx !== undefined && recipe.heightPx !== undefined;

export const PARAMETERS = [
  parameter({
    name: 'w',
    aliases: [],
    expects: `an integer from 1 to ${MAX_SIDE_PX}`,
    parse: integer(1, MAX_SIDE_PX),
    canonical: (recipe) => recipe.widthPx?.toString(),
    doc: 'Width in pixels. Alone, the height keeps the aspect. A picture is never enlarged.',
  }),
  parameter({
    name: 'h',
    aliases: [],
    expects: `an integer from 1 to ${MAX_SIDE_PX}`,
    parse: integer(1, MAX_SIDE_PX),
    canonical: (recipe) => recipe.heightPx?.toString(),
    doc: 'Height in pixels. Alone, the width keeps the aspect. A picture is never enlarged.',
  }),
  parameter({
    name: 'dpr',
    aliases: [],
    expects: 'a number from 0.5 to 4',
    parse: decimal(0.5, 4),
    // Folded into w and h: `w=300&dpr=2` and `w=600` are the same picture.
    canonical: () => undefined,
    doc: `Device pixels per pixel: multiplies w and h, together limited to ${MAX_SIDE_PX}. Default 1.`,
  }),
  parameter({
    name: 'fit',
    aliases: [],
    expects: `one of ${FITS.join(', ')}`,
    parse: oneOf(FITS),
    canonical: (recipe) => (fitMatters(recipe) && recipe.fit !== 'cover' ? recipe.fit : undefined),
    doc: 'How the picture fills w x h, in the words of CSS. Default cover when w and h are given, else inside.',
  }),
  parameter({
    name: 'f',
    aliases: ['g'],
    expects:
      'center, n, ne, e, se, s, sw, w, nw, face, faces, focal, attention, entropy, auto or fp:x:y (0 to 1), ' +
      'up to 8 separated by commas',
    parse: (text): FocusChain | undefined => parseFocusChain(text),
    canonical: (recipe) => {
      if (!crops(recipe)) return undefined;
      const text = focusChainText(recipe.focus);
      return text === focusChainText(AUTO_CHAIN) ? undefined : text;
    },
    doc:
      'What a cover crop keeps; of a chain the first that applies: face (most prominent), faces (as many whole faces as ' +
      'fit), focal (stored focal point), fp:x:y, attention, entropy, center, a compass point, or auto (focal, faces, ' +
      'attention, center), the default.',
  }),
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
    expects: 'an integer from 1 to 100',
    parse: integer(1, 100),
    canonical: (recipe) => (recipe.format === 'png' ? undefined : recipe.quality?.toString()),
    doc: 'Quality of JPEG, WebP and AVIF. The default depends on the format.',
  }),
] as const;

type Row = (typeof PARAMETERS)[number];

/** Parsed values by parameter name, before defaults. */
export type ParameterValues = {
  -readonly [R in Row as R['name']]?: Exclude<ReturnType<R['parse']>, undefined>;
};
