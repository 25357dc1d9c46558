import type { Segment } from '../segment/segment.ts';

/**
 * A test whether a document has these words one after the other in one field; undefined when the segment lacks one of them.
 * A phrase may name a word twice.
 */
export function createPhraseTest(
  segment: Segment,
  words: readonly string[],
): { readonly passes: (document: number) => boolean; readonly touch: (document: number) => number } | undefined {
  const numbers: number[] = [];
  for (const word of words) {
    const { from, to } = segment.wordRange(word, { prefix: false });
    if (from === to) return undefined;
    numbers.push(from);
  }
  const reader = segment.newWordReader();
  const count = numbers.length;
  const positions: (readonly number[])[] = numbers.map(() => []);

  const followsFrom = (start: number): boolean => {
    for (let at = 1; at < count; at += 1) if (!positions[at]?.includes(start + at)) return false;
    return true;
  };
  const passes = (document: number): boolean => {
    segment.seekWords(reader, document);
    let missing = count;
    while (missing > 0 && reader.next()) {
      const { word } = reader;
      let found: readonly number[] | undefined;
      for (let at = 0; at < count; at += 1) {
        if (numbers[at] !== word) continue;
        found ??= reader.positions();
        positions[at] = found;
        missing -= 1;
      }
    }
    const [starts] = positions;
    return missing === 0 && starts !== undefined && starts.some(followsFrom);
  };
  return { passes, touch: segment.touchWords };
}
