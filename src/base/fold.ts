/** Letters that Unicode decomposition leaves whole, with their usual Latin spelling. */
const SPECIAL: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
  ŋ: 'n',
  ŧ: 't',
  ĸ: 'k',
};

/**
 * Folds text for lookup: lower case, accents removed (`Šeško` -> `sesko`), letters without decomposition spelled out
 * (`Ødegaard` -> `odegaard`), apostrophes dropped (`O'Neill` -> `oneill`), every other run of non-letters one space.
 */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[ßæœøđðłþıħŋŧĸ]/g, (letter) => SPECIAL[letter] ?? letter)
    .replace(/[\p{M}'’ʼ`´]/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
