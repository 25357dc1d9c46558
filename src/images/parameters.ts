/**
 * The one table of image parameters. Adding a parameter is one row here or in parameters/, its field in `Recipe`
 * (recipe.ts), and its use in plan.ts or render.ts; parsing, duplicate and unknown checks, canonical text and documentation
 * follow from the row.
 */
import { FOCUS_ROWS } from './parameters/focus-rows.ts';
import { integer, oneOf, parameter } from './parameters/row.ts';
import { SIZE_ROWS } from './parameters/size-rows.ts';

export const FORMATS = ['jpeg', 'webp', 'avif', 'png'] as const;
export type ImageFormat = (typeof FORMATS)[number];
export type RequestedFormat = ImageFormat | 'auto';

export const PARAMETERS = [
  ...SIZE_ROWS,
  ...FOCUS_ROWS,
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
