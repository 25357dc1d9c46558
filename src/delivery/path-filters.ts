import { cutText } from './safe-name.ts';

export type Filter = {
  readonly argument?: { readonly expected: string; isGood(text: string): boolean };
  apply(texts: readonly string[], argument: string): readonly string[];
};

/** Letters that no accent can be taken off. */
const LATIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'Th',
  ı: 'i',
  ħ: 'h',
  Ħ: 'H',
};

/** Plain ASCII: accents are taken off, what has no ASCII is left out. */
function toAscii(text: string): string {
  return text
    .replaceAll(/[^\0-\x7f]/gu, (letter) => LATIN[letter] ?? letter)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[\u2010-\u2015]/gu, '-')
    .replaceAll(/[^\x20-\x7e]/gu, '');
}

const slug = (text: string): string =>
  toAscii(text)
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^0-9a-z]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');

const each =
  (change: (text: string, argument: string) => string): Filter['apply'] =>
  (texts, argument) =>
    texts.map((text) => change(text, argument)).filter((text) => text !== '');
const isLength = (text: string) => /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= 250;

/** Every filter by its name; they are applied from left to right. */
export const FILTERS: Readonly<Record<string, Filter>> = {
  slug: { apply: each(slug) },
  ascii: { apply: each(toAscii) },
  lower: { apply: each((text) => text.toLowerCase()) },
  upper: { apply: each((text) => text.toUpperCase()) },
  first: { apply: (texts) => texts.slice(0, 1) },
  join: {
    argument: { expected: 'at most 5 characters to put between', isGood: (text) => text.length <= 5 },
    apply: (texts, between) => (texts.length === 0 ? [] : [texts.join(between)]),
  },
  truncate: {
    argument: { expected: 'a number of bytes from 1 to 250', isGood: isLength },
    apply: each((text, bytes) => cutText(text, Number(bytes)).trimEnd()),
  },
  default: {
    argument: { expected: 'text', isGood: (text) => text.trim() !== '' },
    apply: (texts, fallback) => (texts.some((text) => text.trim() !== '') ? texts : [fallback]),
  },
};
