import { wordsOf } from '../../base/index.ts';
import { editsForgiven, type TagWords, withinEdits } from '../text/tag-words.ts';
import type { Store } from './store.ts';
import { visitWithinEdits } from './typos.ts';

/** Shorter words are never cut, and need no look at what `wordsOf` keeps. */
const CUT_FROM = 64;

/** The dictionary holds words whole; queries and texts have them cut to the length that `wordsOf` keeps. */
function cut(word: string): string {
  return word.length < CUT_FROM ? word : (wordsOf(word)[0] ?? word);
}
/** Whether a query word may be the beginning of a longer one that was cut. */
function mayBeCut(word: string): boolean {
  return word.length >= CUT_FROM && cut(`${word}x`) === word;
}
/** The words of a lookup index, each answer from its present state. */
export function createStoredTagWords(store: Store): TagWords {
  const { dictionary, postings } = store;

  const inUse = (wordId: number): boolean => postings.lengthOf(wordId) > 0;

  /** Ids of the dictionary's words that a query's word stands for. */
  const wordIdsOf = (word: string, prefix: boolean): readonly number[] => {
    if (!prefix && !mayBeCut(word)) {
      const id = dictionary.idOf(word);
      return id === undefined ? [] : [id];
    }
    return dictionary.rangesOf(word).flatMap(({ order, from, to }) => [...order.subarray(from, to)]);
  };

  const usesOf = (wordIds: readonly number[]): number => wordIds.reduce((sum, id) => sum + postings.lengthOf(id), 0);

  /** Slots of everything that has one of the words; some more than once. */
  const slotsOf = (wordIds: readonly number[]): Uint32Array => {
    const slots = new Uint32Array(usesOf(wordIds));
    const { cells } = postings;
    let count = 0;
    for (const id of wordIds) {
      const start = postings.startOf(id);
      const end = start + postings.lengthOf(id);
      for (let at = start; at < end; at += 1) slots[count++] = (cells[at] ?? 0) >>> 1;
    }
    return slots;
  };

  const idsOf = (slots: Uint32Array): readonly number[] => {
    // A beginning of one letter has 30,000 of them: typed arrays sort numbers without calling a function for each pair.
    const sorted = Float64Array.from(slots, (slot) => store.columns.ids[slot] ?? 0).sort();
    const ids: number[] = [];
    for (const id of sorted) if (id !== ids.at(-1)) ids.push(id);
    return ids;
  };

  /** Names are folded: their words are joined by single spaces. */
  const hasPhrase = (slot: number, phrase: string): boolean =>
    (store.entryAt(slot)?.names ?? []).some((name) => {
      const words = name.length < CUT_FROM ? name : name.split(' ').map(cut).join(' ');
      return ` ${words} `.includes(phrase);
    });

  return {
    withWord: (word, { prefix }) => idsOf(slotsOf(wordIdsOf(word, prefix))),
    withPhrase(words) {
      const candidates = words.map((word) => wordIdsOf(word, false)).toSorted((a, b) => usesOf(a) - usesOf(b));
      const phrase = ` ${words.join(' ')} `;
      return idsOf(slotsOf(candidates[0] ?? []).filter((slot) => hasPhrase(slot, phrase)));
    },
    similar(word) {
      const edits = editsForgiven(word);
      if (edits === 0) return [];
      const found = new Set<string>();
      const take = (id: number): void => {
        // A word that nobody uses any more stays in its place until the next merge.
        if (!inUse(id)) return;
        const own = cut(dictionary.textOf(id));
        if (withinEdits(word, own)) found.add(own);
      };
      if (word.length < CUT_FROM) visitWithinEdits(dictionary, { word, edits }, take);
      else {
        for (const { order, from, to } of dictionary.rangesOf(word.slice(0, 1))) {
          for (let at = from; at < to; at += 1) take(order[at] ?? 0);
        }
      }
      return [...found].toSorted();
    },
  };
}
