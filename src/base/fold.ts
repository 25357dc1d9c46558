/** Letters that Unicode decomposition leaves whole, with their usual spelling in plain letters of the same script. */
const SPECIAL: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ɖ: 'd',
  ɗ: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
  ɨ: 'i',
  ħ: 'h',
  ŋ: 'n',
  ɲ: 'n',
  ŧ: 't',
  ĸ: 'k',
  ƙ: 'k',
  ɓ: 'b',
  ə: 'a',
  ɛ: 'e',
  ɔ: 'o',
  ǥ: 'g',
  ɣ: 'g',
  ƴ: 'y',
  // A final sigma is the same letter; without this a name stops matching while it is typed on.
  ς: 'σ',
  ґ: 'г',
  // Persian keyboards write yeh and kaf with letters of their own; final ta marbuta and alef maksura are often typed plain.
  ی: 'ي',
  ى: 'ي',
  ک: 'ك',
  ة: 'ه',
};
const SPECIAL_LETTERS = new RegExp(`[${Object.keys(SPECIAL).join('')}]`, 'g');

/**
 * Marks inside a word: accents, apostrophes in all their shapes (O‘zbekiston, Hawaiʻi, geresh), the Arabic lengthening
 * stroke, and invisible characters (soft hyphen, joiners, writing direction) that come along with pasted names.
 */
const DROPPED = /[\p{M}\p{Cf}'‘’‛′`´ʹʻʼʽʾʿˈ׳ـ]/gu;

/**
 * Folds text for lookup: lower case, accents removed (`Šeško` -> `sesko`), letters without decomposition spelled out
 * (`Ødegaard` -> `odegaard`), apostrophes dropped (`O'Neill` -> `oneill`), every other run of non-letters one space.
 * Folding a folded text changes nothing.
 */
export function foldText(text: string): string {
  // Most names are plain ASCII, where four of the six steps find nothing to do (measured: three times faster).
  if (isAscii(text)) {
    return text
      .toLowerCase()
      .replace(/['`]/g, '')
      .replace(/[^a-z0-9]+/g, ' ')
      .trim();
  }
  return (
    text
      // Decomposition would glue these signs to the name as letters: "Adidas™" -> "adidastm".
      .replace(/[™℠]/g, ' ')
      .normalize('NFKD')
      .toLowerCase()
      .replace(SPECIAL_LETTERS, (letter) => SPECIAL[letter] ?? letter)
      .replace(DROPPED, '')
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
  );
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}
