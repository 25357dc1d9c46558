import { wordsOf } from '../../src/base/index.ts';
import { type TagWords, withinEdits } from '../../src/search/text/tag-words.ts';
import type { TagName } from './names.ts';

/** The words of the generated tag options in memory; in the service the tag lookup gives them. */
export function createTagWords(tags: readonly (TagName & { readonly id: number })[]): TagWords {
  const idsByWord = new Map<string, number[]>();
  const names = tags.map(({ id, label, fullName, aliases }) => ({
    id,
    words: [label, ...(fullName === null ? [] : [fullName]), ...aliases].map(wordsOf),
  }));
  for (const { id, words } of names) {
    for (const word of new Set(words.flat())) {
      const ids = idsByWord.get(word);
      if (ids) ids.push(id);
      else idsByWord.set(word, [id]);
    }
  }
  const vocabulary = [...idsByWord.keys()].toSorted();
  const firstFrom = (word: string): number => {
    let low = 0;
    let high = vocabulary.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((vocabulary[middle] ?? '') < word) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    withWord(word, { prefix }) {
      if (!prefix) return idsByWord.get(word) ?? [];
      const ids = new Set<number>();
      for (let at = firstFrom(word); vocabulary[at]?.startsWith(word) === true; at += 1) {
        for (const id of idsByWord.get(vocabulary[at] ?? '') ?? []) ids.add(id);
      }
      return [...ids].toSorted((a, b) => a - b);
    },
    withPhrase(phrase) {
      const [first, ...rest] = phrase;
      return (idsByWord.get(first ?? '') ?? []).filter((id) =>
        names[id - 1]?.words.some((words) =>
          words.some((word, at) => word === first && rest.every((next, offset) => words[at + 1 + offset] === next)),
        ),
      );
    },
    similar: (word) => vocabulary.filter((other) => withinEdits(word, other)),
  };
}
