import type { LibraryScope } from '../../auth/index.ts';
import { wordsOf } from '../../base/index.ts';
import type { Queryable } from '../../db/index.ts';
import { readLookupRows } from '../../library/index.ts';
import { type TagWords, withinEdits } from './tag-words.ts';

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

const PAGE = 10_000;

/** Reads the names of every tag option of the organization from the database. */
export async function loadTagWords(db: Queryable, scope: LibraryScope): Promise<TagWords> {
  const tags: NamedTag[] = [];
  for (let afterId = 0; ; ) {
    const rows = await readLookupRows(db, scope, { afterId, limit: PAGE });
    const last = rows.at(-1);
    for (const row of rows) {
      if (row.status !== 'merged') tags.push({ id: row.id, names: [row.label, row.fullName ?? '', ...row.aliases] });
    }
    if (!last || rows.length < PAGE) return createPlainTagWords(tags);
    afterId = last.id;
  }
}
