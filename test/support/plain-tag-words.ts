import { wordsOf } from '../../src/base/index.ts';
import { type TagWords, withinEdits } from '../../src/search/text/tag-words.ts';

export type NamedTag = { readonly id: number; readonly names: readonly string[] };

/** Words of tag options without an index: every question reads all of them. What tests compare the index with. */
export function createPlainTagWords(tags: readonly NamedTag[]): TagWords {
  const read = tags.map(({ id, names }) => ({ id, names: names.map(wordsOf) })).toSorted((a, b) => a.id - b.id);
  const idsWhere = (matches: (words: readonly string[]) => boolean) =>
    read.filter(({ names }) => names.some(matches)).map(({ id }) => id);
  const follows = (words: readonly string[], phrase: readonly string[], at: number) =>
    phrase.every((word, offset) => words[at + offset] === word);
  return {
    withWord: (word, { prefix }) =>
      idsWhere((words) => words.some((one) => (prefix ? one.startsWith(word) : one === word))),
    withPhrase: (phrase) => idsWhere((words) => words.some((_, at) => follows(words, phrase, at))),
    similar: (word) =>
      [...new Set(read.flatMap(({ names }) => names.flat()))].filter((other) => withinEdits(word, other)).toSorted(),
  };
}
