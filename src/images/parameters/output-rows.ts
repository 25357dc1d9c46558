import { integer, oneOf, parameter } from './row.ts';

export const FORMATS = ['jpeg', 'webp', 'avif', 'png'] as const;
export type ImageFormat = (typeof FORMATS)[number];
export type RequestedFormat = ImageFormat | 'auto';

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
    expects: 'an integer from 1 to 100',
    parse: integer(1, 100),
    canonical: (recipe) => (recipe.format === 'png' ? undefined : recipe.quality?.toString()),
    doc: 'Quality of JPEG, WebP and AVIF. The default depends on the format.',
  }),
] as const;
