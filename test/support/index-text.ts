import { impactOf, looseImpact, PLACE_WEIGHTS, TAG_IMPACT } from '../../src/search/text/relevance.ts';
import { type ResolvedClause, resolveText } from '../../src/search/text/resolved-text.ts';
import { type TagWords, withinEdits } from '../../src/search/text/tag-words.ts';
import type { TextQuery } from '../../src/search/text/text-query.ts';
import type { WordPlaces } from '../../src/library/index.ts';

/** What a text means for documents in a list, assets or actions, one after the other. */
export type TextDocument = { readonly text: readonly WordPlaces[]; readonly tag_ids: readonly number[] };

const WEIGHTS = [0, PLACE_WEIGHTS.C, PLACE_WEIGHTS.B, PLACE_WEIGHTS.A];

/** A search asks for the words of all documents again and again. */
const wordsOf = new WeakMap<readonly TextDocument[], ReadonlySet<string>>();
const clausesOf = new WeakMap<readonly TextDocument[], Map<TextQuery, readonly ResolvedClause[]>>();

/** The clauses of a query, resolved among all documents. */
export function resolveIn(
  documents: readonly TextDocument[],
  query: TextQuery,
  tagWords: TagWords,
): readonly ResolvedClause[] {
  const resolved = clausesOf.get(documents) ?? new Map<TextQuery, readonly ResolvedClause[]>();
  clausesOf.set(documents, resolved);
  const known = resolved.get(query);
  if (known) return known;
  const all = wordsOf.get(documents) ?? new Set(documents.flatMap((one) => one.text.map(({ word }) => word)));
  wordsOf.set(documents, all);
  const clauses = resolveText(query, tagWords, {
    has: (word, { prefix }) => [...all].some((one) => one === word || (prefix && one.startsWith(word))),
    similar: (word) => [...all].filter((one) => withinEdits(word, one)).toSorted((a, b) => (a < b ? -1 : 1)),
  });
  resolved.set(query, clauses);
  return clauses;
}

function impactIn({ text }: TextDocument, word: string): number {
  const places = text.find((one) => one.word === word)?.places;
  if (!places) return 0;
  const length = text.reduce((sum, one) => sum + one.places.length, 0);
  return impactOf(
    places.reduce((sum, place) => sum + (WEIGHTS[place >>> 14] ?? 0), 0),
    length,
  );
}

/** The best impact with which a document meets a clause; undefined when it does not. */
export function bestOf(document: TextDocument, clause: ResolvedClause): number | undefined {
  const found: number[] = [];
  const hasTag = (id: number) => document.tag_ids.includes(id);
  if (clause.exactTags.some(hasTag)) found.push(TAG_IMPACT);
  if (clause.kind === 'phrase') {
    const positions = clause.words.map((word) =>
      (document.text.find((one) => one.word === word)?.places ?? []).map((place) => place & 0x3fff),
    );
    const follows = (start: number) => positions.every((list, at) => list.includes(start + at));
    if (positions[0]?.some(follows)) found.push(...clause.words.map((word) => impactIn(document, word)));
    return found.length === 0 ? undefined : Math.max(...found);
  }
  if (clause.looseTags.some(hasTag)) found.push(looseImpact(TAG_IMPACT));
  for (const { word } of document.text) {
    if (word === clause.word) found.push(impactIn(document, word));
    else if ((clause.prefix && word.startsWith(clause.word)) || clause.typos.includes(word)) {
      found.push(looseImpact(impactIn(document, word)));
    }
  }
  return found.length === 0 ? undefined : Math.max(...found);
}

/** Whether a document meets all positive clauses and no negated one. */
export function meets(document: TextDocument, clauses: readonly ResolvedClause[]): boolean {
  return clauses.every((clause) => (bestOf(document, clause) !== undefined) !== clause.negated);
}
