import type { Recipe } from '../recipe.ts';
import { decimal, integer, oneOf, parameter } from './parameter.ts';

const FITS = ['cover', 'contain', 'inside', 'outside', 'fill'] as const;
export type Fit = (typeof FITS)[number];

/** Longest side of an answer in pixels: WebP ends at 16,383, and 8192 x 8192 = 67 MP is above every screen and print use. */
export const MAX_SIDE_PX = 8192;

/** Every fit means the same, "keep the aspect", unless both sides are given. */
const fitMatters = (recipe: Recipe) => recipe.widthPx !== undefined && recipe.heightPx !== undefined;

/** How large the answer is, and how the picture fills it. */
export const SIZE_PARAMETERS = [
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
] as const;
