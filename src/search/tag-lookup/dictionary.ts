import { createGrams, type Grams } from './grams.ts';

/** New words wait in a small sorted list of this many; a full one is merged into the large one in linear time. */
const RECENT_WORDS = 1024;

/** Word ids in the order of their texts, from `from` up to before `to`. */
export type WordRange = { readonly order: Uint32Array; readonly from: number; readonly to: number };

/** All distinct words in use, counted, sorted, and found by beginning or by part. Ids of unused words come back. */
export type Dictionary = {
  idOf(word: string): number | undefined;
  textOf(id: number): string;
  /** Counts one more use; `commit` must follow before the next look-up. */
  retain(word: string): number;
  release(id: number): void;
  /** Puts the new words into order. */
  commit(): void;
  /** The words that begin with `prefix`, in two sorted ranges. May hold words that are no longer in use. */
  rangesOf(prefix: string): readonly WordRange[];
  /** Ids of words that hold `part`, wherever. */
  containing(part: string, visit: (id: number) => void): void;
  readonly bytes: number;
};

export function createDictionary(
  options: { readonly recentWords: number } = { recentWords: RECENT_WORDS },
): Dictionary {
  const { recentWords } = options;
  const ids = new Map<string, number>();
  const texts: string[] = [];
  const uses: number[] = [];
  const freeIds: number[] = [];
  const grams: Grams = createGrams();
  let main = new Uint32Array(0);
  const recent = new Uint32Array(recentWords);
  let recentCount = 0;
  let unordered: number[] = [];
  let unusedCount = 0;
  let letterCount = 0;

  const textOf = (id: number): string => texts[id] ?? '';
  const ascending = (a: number, b: number): number => (textOf(a) < textOf(b) ? -1 : 1);

  /** The first position in `order` whose word is not before `text`; with `past`, also not beginning with it. */
  const bound = (order: Uint32Array, options: { count: number; text: string; past: boolean }): number => {
    let low = 0;
    let high = options.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const word = textOf(order[middle] ?? 0);
      if (word < options.text || (options.past && word.startsWith(options.text))) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  const forget = (id: number): void => {
    ids.delete(textOf(id));
    letterCount -= textOf(id).length;
    texts[id] = '';
    freeIds.push(id);
  };

  /** One sorted list out of the main one, the recent one and `added`, without the words that nobody uses. */
  const merge = (added: readonly number[]): void => {
    const newer = [...recent.subarray(0, recentCount), ...added].sort(ascending);
    const merged = new Uint32Array(main.length + newer.length);
    let count = 0;
    let at = 0;
    const take = (id: number): void => {
      if ((uses[id] ?? 0) > 0) merged[count++] = id;
      else forget(id);
    };
    for (const id of newer) {
      const to = bound(main, { count: main.length, text: textOf(id), past: false });
      while (at < to) take(main[at++] ?? 0);
      take(id);
    }
    while (at < main.length) take(main[at++] ?? 0);
    main = merged.slice(0, count);
    recentCount = 0;
    unusedCount = 0;
  };

  return {
    idOf: (word) => ids.get(word),
    textOf,
    retain(word) {
      const known = ids.get(word);
      if (known !== undefined) {
        const count = uses[known] ?? 0;
        if (count === 0) {
          unusedCount -= 1;
          grams.add(word, known);
        }
        uses[known] = count + 1;
        return known;
      }
      const id = freeIds.pop() ?? texts.length;
      ids.set(word, id);
      texts[id] = word;
      uses[id] = 1;
      letterCount += word.length;
      unordered.push(id);
      grams.add(word, id);
      return id;
    },
    release(id) {
      const left = (uses[id] ?? 0) - 1;
      uses[id] = left;
      if (left > 0) return;
      // The word keeps its id and its place until the next merge: it often comes back within the same change.
      grams.remove(textOf(id), id);
      unusedCount += 1;
    },
    commit() {
      const added = unordered;
      unordered = [];
      if (recentCount + added.length > recentWords || unusedCount > recentWords) {
        merge(added);
        return;
      }
      for (const id of added) {
        const at = bound(recent, { count: recentCount, text: textOf(id), past: false });
        recent.copyWithin(at + 1, at, recentCount);
        recent[at] = id;
        recentCount += 1;
      }
    },
    rangesOf(prefix) {
      const range = (order: Uint32Array, count: number): WordRange => ({
        order,
        from: bound(order, { count, text: prefix, past: false }),
        to: bound(order, { count, text: prefix, past: true }),
      });
      return [range(main, main.length), range(recent, recentCount)];
    },
    containing(part, visit) {
      const certain = part.length <= 2;
      for (const id of grams.candidates(part)) {
        if (certain || textOf(id).includes(part)) visit(id);
      }
    },
    get bytes() {
      // A Map entry with its string header is about 80 bytes, a use count and a text reference 8 each.
      return grams.bytes + main.byteLength + recent.byteLength + letterCount + texts.length * 96;
    },
  };
}
