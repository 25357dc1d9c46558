import { foldText } from '../../base/index.ts';
import { createDictionary } from './dictionary.ts';
import { createIntLists } from './int-lists.ts';
import { markPostings } from './marks.ts';

/** The names of clubs, folded once and shared: thousands of players carry the same few hundred clubs. */
export type ClubNames = {
  /** The number of this set of names; counts one more use. `commit` must follow before the next look-up. */
  retain(names: readonly string[]): number;
  release(club: number): void;
  commit(): void;
  /** By club: bit n is set when one of its words begins with the nth prefix (up to 16). Valid until the next call. */
  markPrefixes(prefixes: readonly string[]): Uint16Array;
  readonly bytes: number;
};

export function createClubNames(): ClubNames {
  type Club = { readonly key: string; readonly wordIds: readonly number[]; uses: number };
  const clubs: (Club | undefined)[] = [];
  const clubOf = new Map<string, number>();
  const free: number[] = [];
  const dictionary = createDictionary();
  /** By word id. */
  const postings = createIntLists();
  let marks = new Uint16Array(64);

  return {
    retain(names) {
      const key = names.join('\n');
      const known = clubOf.get(key);
      const club = known === undefined ? undefined : clubs[known];
      if (known !== undefined && club) {
        club.uses += 1;
        return known;
      }
      const number = free.pop() ?? clubs.length;
      const words = new Set(names.flatMap((name) => foldText(name).split(' ')));
      words.delete('');
      const wordIds = [...words].map(dictionary.retain);
      for (const id of wordIds) postings.push(id, number);
      clubs[number] = { key, wordIds, uses: 1 };
      clubOf.set(key, number);
      return number;
    },
    release(number) {
      const club = clubs[number];
      if (!club) return;
      club.uses -= 1;
      if (club.uses > 0) return;
      for (const id of club.wordIds) {
        postings.remove(id, number);
        dictionary.release(id);
      }
      clubOf.delete(club.key);
      clubs[number] = undefined;
      free.push(number);
    },
    commit: dictionary.commit,
    markPrefixes(prefixes) {
      if (marks.length < clubs.length) marks = new Uint16Array(Math.ceil(clubs.length * 1.5));
      marks.fill(0);
      prefixes.forEach((prefix, bit) => {
        for (const range of dictionary.rangesOf(prefix)) markPostings(range, { postings, marks, shift: 0, bit });
      });
      return marks;
    },
    get bytes() {
      return clubOf.size * 400 + dictionary.bytes + postings.bytes;
    },
  };
}
