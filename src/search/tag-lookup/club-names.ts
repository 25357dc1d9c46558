import { foldText } from '../../base/index.ts';

/** The names of clubs, folded once and shared: thousands of players carry the same few hundred clubs. */
export type ClubNames = {
  /** The number of this set of names; counts one more use. */
  retain(names: readonly string[]): number;
  release(set: number): void;
  wordsOf(set: number): readonly string[];
  readonly bytes: number;
};

export function createClubNames(): ClubNames {
  type Club = { readonly key: string; readonly words: readonly string[]; uses: number };
  const clubs: (Club | undefined)[] = [];
  const setOf = new Map<string, number>();
  const free: number[] = [];
  return {
    retain(names) {
      const key = names.join('\n');
      const known = setOf.get(key);
      const club = known === undefined ? undefined : clubs[known];
      if (known !== undefined && club) {
        club.uses += 1;
        return known;
      }
      const set = free.pop() ?? clubs.length;
      const words = new Set(names.flatMap((name) => foldText(name).split(' ')));
      words.delete('');
      clubs[set] = { key, words: [...words], uses: 1 };
      setOf.set(key, set);
      return set;
    },
    release(set) {
      const club = clubs[set];
      if (!club) return;
      club.uses -= 1;
      if (club.uses > 0) return;
      setOf.delete(club.key);
      clubs[set] = undefined;
      free.push(set);
    },
    wordsOf: (set) => clubs[set]?.words ?? [],
    get bytes() {
      return setOf.size * 500;
    },
  };
}
