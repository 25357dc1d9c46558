import { type LookupQuery, shirtNumberOf } from './query.ts';
import type { Entry, Store } from './store.ts';

/**
 * Visits the players for whom one query word is a current shirt number and every other word begins a word of that
 * shirt's club or of the player's own names: "10 harbour", "harbour city 10", "#10", "leao 10".
 */
export function matchShirts(store: Store, query: LookupQuery, visit: (slot: number) => void): void {
  const tried = new Set<string>();
  query.words.forEach((word, at) => {
    const number = shirtNumberOf(word);
    if (number === undefined || tried.has(word)) return;
    tried.add(word);
    matchNumber(store, { number, others: query.words.toSpliced(at, 1), visit });
  });
}

function matchNumber(
  store: Store,
  search: { readonly number: number; readonly others: readonly string[]; readonly visit: (slot: number) => void },
): void {
  const { number, others } = search;
  const { shirtSlots, clubs } = store;
  // Thousands of players share a number, but few clubs: what each club's names leave unanswered is kept.
  const unanswered = new Map<number, readonly string[]>();
  const unansweredBy = (club: number): readonly string[] => {
    const known = unanswered.get(club);
    if (known) return known;
    const words = clubs.wordsOf(club);
    const open = others.filter((other) => !words.some((word) => word.startsWith(other)));
    unanswered.set(club, open);
    return open;
  };
  const start = shirtSlots.startOf(number);
  for (const slot of shirtSlots.cells.subarray(start, start + shirtSlots.lengthOf(number))) {
    const entry = store.entryAt(slot);
    const matches = entry?.shirts.some(
      (shirt) => shirt.number === number && unansweredBy(shirt.club).every((word) => beginsWordOf(entry, word)),
    );
    if (matches) search.visit(slot);
  }
}

function beginsWordOf(entry: Entry, word: string): boolean {
  return entry.names.some((name) => name.startsWith(word) || name.includes(` ${word}`));
}
