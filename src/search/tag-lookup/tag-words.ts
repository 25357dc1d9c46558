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

  const visitSlots = (wordId: number, visit: (slot: number) => void): void => {
    const { cells } = postings;
    const start = postings.startOf(wordId);
    const end = start + postings.lengthOf(wordId);
    for (let at = start; at < end; at += 1) visit((cells[at] ?? 0) >>> 1);
  };

  const visitWord = (word: string, prefix: boolean, visit: (slot: number) => void): void => {
    if (!prefix && !mayBeCut(word)) {
      const id = dictionary.idOf(word);
      if (id !== undefined) visitSlots(id, visit);
      return;
    }
    for (const { order, from, to } of dictionary.rangesOf(word)) {
      for (let at = from; at < to; at += 1) visitSlots(order[at] ?? 0, visit);
    }
  };

  const idsOf = (slots: ReadonlySet<number>): readonly number[] =>
    Array.from(slots, (slot) => store.columns.ids[slot] ?? 0).toSorted((a, b) => a - b);

  const slotsWith = (word: string, prefix: boolean): ReadonlySet<number> => {
    const slots = new Set<number>();
    visitWord(word, prefix, (slot) => void slots.add(slot));
    return slots;
  };

  /** Names are folded: their words are joined by single spaces. */
  const hasPhrase = (slot: number, phrase: string): boolean =>
    (store.entryAt(slot)?.names ?? []).some((name) => {
      const words = name.length < CUT_FROM ? name : name.split(' ').map(cut).join(' ');
      return ` ${words} `.includes(phrase);
    });

  return {
    withWord: (word, { prefix }) => idsOf(slotsWith(word, prefix)),
    withPhrase(words) {
      let rarest: ReadonlySet<number> | undefined;
      for (const word of words) {
        const slots = slotsWith(word, false);
        if (!rarest || slots.size < rarest.size) rarest = slots;
      }
      const phrase = ` ${words.join(' ')} `;
      return idsOf(new Set([...(rarest ?? [])].filter((slot) => hasPhrase(slot, phrase))));
    },
    similar(word) {
      const edits = editsForgiven(word);
      if (edits === 0) return [];
      const found = new Set<string>();
      const take = (id: number): void => {
        // A word that nobody uses any more stays in its place until the next merge.
        if (postings.lengthOf(id) === 0) return;
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
