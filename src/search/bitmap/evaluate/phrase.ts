import type { Segment } from '../segment/segment.ts';

/**
 * A test whether a document has these words one after the other in one field; undefined when the segment lacks one of them.
 * A phrase may name a word twice.
 */
export function createPhraseTest(
  segment: Segment,
  words: readonly string[],
): ((document: number) => boolean) | undefined {
  const numbers: number[] = [];
  for (const word of words) {
    const { from, to } = segment.wordRange(word, { prefix: false });
    if (from === to) return undefined;
    numbers.push(from);
  }
  const reader = segment.newWordReader();
  const positions = numbers.map((): readonly number[] => []);
  return (document) => {
    segment.seekWords(reader, document);
    let missing = numbers.length;
    while (missing > 0 && reader.next()) {
      if (!numbers.includes(reader.word)) continue;
      // The class is in the top two bits; fields are a position apart, so that phrases end with them.
      const found = reader.places().map((place) => place & 0x3fff);
      for (const [at, word] of numbers.entries()) {
        if (word !== reader.word) continue;
        positions[at] = found;
        missing -= 1;
      }
    }
    if (missing > 0) return false;
    return (positions[0] ?? []).some((start) => positions.every((places, at) => places.includes(start + at)));
  };
}
