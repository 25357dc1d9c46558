/**
 * The one table of image parameters, by theme. Adding a parameter is one row in the file of its theme, its field in
 * `Recipe` (../recipe.ts), and its use in ../plan.ts or ../render/; parsing, duplicate and unknown checks, canonical text and
 * documentation follow from the row.
 */
import { EFFECT_ROWS } from './effect-rows.ts';
import { FOCUS_ROWS } from './focus-rows.ts';
import { MOMENT_ROWS } from './moment-rows.ts';
import { OUTPUT_ROWS } from './output-rows.ts';
import { SIZE_ROWS } from './size-rows.ts';

export type { Redaction } from './effect-rows.ts';
export { FORMATS, type ImageFormat, type MetadataPolicy, type RequestedFormat } from './output-rows.ts';
export { type Fit, MAX_SIDE_PX } from './size-rows.ts';

/** Every parameter of an image URL, in the order of the documentation. */
export const PARAMETERS = [...SIZE_ROWS, ...MOMENT_ROWS, ...FOCUS_ROWS, ...EFFECT_ROWS, ...OUTPUT_ROWS] as const;

type Row = (typeof PARAMETERS)[number];

/** Parsed values by parameter name, before defaults. */
export type ParameterValues = {
  -readonly [R in Row as R['name']]?: Exclude<ReturnType<R['parse']>, undefined>;
};
