/**
 * The one table of image parameters, by theme. Adding a parameter is one row in the file of its theme, its field in
 * `Recipe` (../recipe.ts), and its use in ../plan.ts or ../render/; parsing, duplicate and unknown checks, canonical text and
 * documentation follow from the row.
 */
import { FOCUS_PARAMETERS } from './focus.ts';
import { OUTPUT_PARAMETERS } from './output.ts';
import { SIZE_PARAMETERS } from './size.ts';

export { FORMATS, type ImageFormat, type RequestedFormat } from './output.ts';
export { type Fit, MAX_SIDE_PX } from './size.ts';

/** Every parameter of an image URL, in the order of the documentation. */
export const PARAMETERS = [...SIZE_PARAMETERS, ...FOCUS_PARAMETERS, ...OUTPUT_PARAMETERS] as const;

type Row = (typeof PARAMETERS)[number];

/** Parsed values by parameter name, before defaults. */
export type ParameterValues = {
  -readonly [R in Row as R['name']]?: Exclude<ReturnType<R['parse']>, undefined>;
};
