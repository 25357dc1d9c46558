import { createClubNames } from './club-names.ts';
import { createIntLists } from './int-lists.ts';
import { shirtNumberOf } from './query.ts';
import type { TagLookupRecord, TagLookupShirt } from './types.ts';

type Period = Pick<TagLookupShirt, 'from' | 'to'>;

/** Dates of this form are in the order of their texts. */
function isWorn(period: Period | undefined, day: string | undefined): boolean {
  if (!period || day === undefined) return true;
  return (period.from === null || period.from <= day) && (period.to === null || period.to >= day);
}

/** Who wears which number where. A row is one number at one club from one day to another: its players are judged together. */
export type Shirts = {
  /** Answers the rows that the slot was put into; `commit` must follow before the next look-up. */
  add(slot: number, shirts: TagLookupRecord['shirts']): readonly number[];
  remove(slot: number, rows: readonly number[]): void;
  commit(): void;
  /** Whether any query word is a shirt number that somebody wears. */
  mayMatch(words: readonly string[]): boolean;
  /**
   * The players for whom one query word is a shirt number of the day (without `at`: of any day) and every other word begins a word of that shirt's
   * club or of the player's own names: "10 harbour", "harbour city 10", "#10", "leao 10". May name a player twice.
   * `own` says by slot, one bit a query word, which ones begin a word of the player's names.
   */
  matches(
    words: readonly string[],
    options: { readonly own: Uint16Array; readonly at: string | undefined },
  ): readonly number[];
  readonly bytes: number;
};

export function createShirts(): Shirts {
  const clubs = createClubNames();
  const rowOf = new Map<string, number>();
  /** By row. */
  const slots = createIntLists();
  /** By row: its club. */
  const clubOf: number[] = [];
  const periodOf: Period[] = [];
  /** By shirt number: its rows. They stay when they become empty: clubs, numbers and days of transfers recur. */
  const rowsOfNumber = new Map<number, number[]>();

  const rowFor = ({ number, from, to }: TagLookupShirt, club: number): number => {
    const key = `${number} ${club} ${from} ${to}`;
    const known = rowOf.get(key);
    if (known !== undefined) return known;
    const row = clubOf.length;
    rowOf.set(key, row);
    clubOf.push(club);
    periodOf.push({ from, to });
    const rows = rowsOfNumber.get(number);
    if (rows) rows.push(row);
    else rowsOfNumber.set(number, [row]);
    return row;
  };

  const rowsFor = (word: string): readonly number[] => {
    const number = shirtNumberOf(word);
    return (number === undefined ? undefined : rowsOfNumber.get(number)) ?? [];
  };

  return {
    add(slot, shirts) {
      return shirts.map((shirt) => {
        const row = rowFor(shirt, clubs.retain(shirt.clubNames));
        slots.push(row, slot);
        return row;
      });
    },
    remove(slot, rows) {
      for (const row of rows) {
        slots.remove(row, slot);
        clubs.release(clubOf[row] ?? 0);
      }
    },
    commit: clubs.commit,
    mayMatch: (words) => words.some((word) => rowsFor(word).length > 0),
    matches(words, { own, at: day }) {
      const found: number[] = [];
      const byClub = clubs.markPrefixes(words);
      words.forEach((word, at) => {
        const wanted = ((1 << words.length) - 1) & ~(1 << at);
        for (const row of rowsFor(word)) {
          if (!isWorn(periodOf[row], day)) continue;
          const open = wanted & ~(byClub[clubOf[row] ?? 0] ?? 0);
          const start = slots.startOf(row);
          const end = start + slots.lengthOf(row);
          for (let cell = start; cell < end; cell += 1) {
            const slot = slots.cells[cell] ?? 0;
            if ((open & ~(own[slot] ?? 0)) === 0) found.push(slot);
          }
        }
      });
      return found;
    },
    get bytes() {
      return clubs.bytes + slots.bytes + rowOf.size * 150;
    },
  };
}
