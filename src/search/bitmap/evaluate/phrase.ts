import type { Segment } from '../segment/segment.ts';

/**
 * A test whether a document has these words one after the other in one field; undefined when the segment lacks one of them.
 * A phrase may name a word twice.
 */
export function createPhraseTest(segment: Segment, words: readonly string[]): ((document: number) => boolean) | undefined {
  const numbers: number[] = [];
  for (const word of words) {
    const { from, to } = segment.wordRange(word, { prefix: false });
    if (from === to) return undefined;
    numbers.push(from);
  }
  const reader = segment.newWordReader();
  return (document) => {
    const positions = new Map<number, ReadonlySet<number>>();
    segment.seekWords(reader, document);
    while (reader.next()) {
      if (!numbers.includes(reader.word)) continue;
      // The class is in the top two bits; fields are a position apart, so that phrases end with them.
      positions.set(reader.word, new Set(reader.places.map((place) => place & 0x3fff)));
    }
    const starts = positions.get(numbers[0] ?? -1) ?? new Set<number>();
    return [...starts].some((start) => numbers.every((word, at) => positions.get(word)?.has(start + at)));
  };
}
