import { sql } from 'kysely';
import type { LibraryScope } from '../../auth/index.ts';
import type { OwnWords } from '../text/resolved-text.ts';
import { editsForgiven, withinEdits } from '../text/tag-words.ts';
import type { Documents } from './document-store.ts';
import type { RunStatement } from './snapshot-store.ts';
import { quoteWord } from './text-store.ts';

/** The words that begin with the same UTF-16 unit, as bounds in byte order: from `least`, below `beyond`. */
function sameFirstUnit(word: string): { readonly least: string; readonly beyond: string } {
  const unit = word.charCodeAt(0);
  const isSurrogate = unit >= 0xd800 && unit <= 0xdbff;
  // The first unit of a pair stands for 1,024 characters.
  const first = isSurrogate ? 0x10000 + (unit - 0xd800) * 0x400 : unit;
  const beyond = first + (isSurrogate ? 0x400 : 1);
  return { least: String.fromCodePoint(first), beyond: String.fromCodePoint(Math.min(beyond, 0x10ffff)) };
}

/** Statements share one connection, which runs one at a time. */
function inTurn(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
}

function remembering<T>(known: Map<string, Promise<T>>, key: string, find: () => Promise<T>): Promise<T> {
  const found = known.get(key) ?? find();
  known.set(key, found);
  return found;
}

/**
 * The organization's own words as its assets, or its actions in videos, have them now. Every question is asked once,
 * whatever the filters repeat.
 */
export function createOwnWords(
  run: RunStatement,
  scope: LibraryScope,
  documents: Documents,
): OwnWords<Promise<boolean>, Promise<readonly string[]>> {
  const turn = inTurn();
  const presence = new Map<string, Promise<boolean>>();
  const similarities = new Map<string, Promise<readonly string[]>>();

  const has = async (query: string): Promise<boolean> => {
    const rows = await run(sql<{ found: boolean }>`SELECT EXISTS (SELECT FROM ${documents.wordsFrom}
      WHERE ${documents.organizationId} = ${scope.organizationId} AND ${documents.words} @@ ${query}::tsquery) AS found`);
    return rows[0]?.found === true;
  };

  const similar = async (word: string): Promise<readonly string[]> => {
    const edits = editsForgiven(word);
    if (edits === 0) return [];
    const { least, beyond } = sameFirstUnit(word);
    const longest = word.length + edits;
    // A UTF-16 unit is one to three bytes of UTF-8, and a character one or two units.
    const near = await run(sql<{ word: string }>`SELECT word FROM search_word
      WHERE organization_id = ${scope.organizationId} AND word >= ${least} AND word < ${beyond}
        AND octet_length(word) BETWEEN ${word.length - edits} AND ${3 * longest} AND char_length(word) <= ${longest}`);
    const candidates = near.map((row) => row.word).filter((other) => withinEdits(word, other));
    if (candidates.length === 0) return [];
    // The table has the words of both, and keeps them after the last document with them is gone.
    const present = await run(sql<{ word: string }>`SELECT word FROM unnest(${candidates}::text[]) AS word
      WHERE EXISTS (SELECT FROM ${documents.wordsFrom} WHERE ${documents.organizationId} = ${scope.organizationId}
        AND ${documents.words} @@ ('''' || word || '''')::tsquery)`);
    return present.map((row) => row.word).toSorted();
  };

  return {
    has(word, { prefix }) {
      const query = quoteWord(word, { prefix });
      return remembering(presence, query, () => turn(() => has(query)));
    },
    similar: (word) => remembering(similarities, word, () => turn(() => similar(word))),
  };
}
