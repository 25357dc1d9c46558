import { createIntLists } from './int-lists.ts';
import { isIdeograph } from './match-class.ts';

const UNIT = 0x1_0000;

/** Which words hold which runs of one (ideographs), two and three UTF-16 units: the way to substrings. */
export type Grams = {
  add(word: string, id: number): void;
  remove(word: string, id: number): void;
  /** The ids of all words that may contain `part`: certain for up to two units, to be checked from three on. */
  candidates(part: string): Uint32Array;
  readonly bytes: number;
};

export function createGrams(): Grams {
  const rowOf = new Map<number, number>();
  const words = createIntLists();

  const each = (word: string, visit: (key: number) => void): void => {
    let before = -1;
    let last = -1;
    for (let at = 0; at < word.length; at += 1) {
      const unit = word.charCodeAt(at);
      if (isIdeograph(unit)) visit(unit);
      // Keys of one, two and three units never meet: no letter of a word has the code 0.
      if (last >= 0) visit(last * UNIT + unit);
      if (before >= 0) visit((before * UNIT + last) * UNIT + unit);
      before = last;
      last = unit;
    }
  };

  return {
    add(word, id) {
      each(word, (key) => {
        let row = rowOf.get(key);
        if (row === undefined) {
          row = rowOf.size;
          rowOf.set(key, row);
        }
        // A gram that stands twice in one word ("anana") is listed once; its word was the last to be added.
        const length = words.lengthOf(row);
        if (length === 0 || words.cells[words.startOf(row) + length - 1] !== id) words.push(row, id);
      });
    },
    remove(word, id) {
      each(word, (key) => {
        const row = rowOf.get(key);
        if (row !== undefined) words.remove(row, id);
      });
    },
    candidates(part) {
      let best = -1;
      let bestLength = Number.POSITIVE_INFINITY;
      const wanted = Math.min(part.length, 3);
      for (let at = 0; at + wanted <= part.length; at += 1) {
        let key = 0;
        for (let unit = 0; unit < wanted; unit += 1) key = key * UNIT + part.charCodeAt(at + unit);
        const row = rowOf.get(key);
        if (row === undefined) return new Uint32Array(0);
        const length = words.lengthOf(row);
        if (length < bestLength) {
          best = row;
          bestLength = length;
        }
      }
      if (best < 0) return new Uint32Array(0);
      const start = words.startOf(best);
      return words.cells.subarray(start, start + bestLength);
    },
    get bytes() {
      return words.bytes + rowOf.size * 40;
    },
  };
}
