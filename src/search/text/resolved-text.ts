import type { TagWords } from './tag-words.ts';
import type { TextClause, TextQuery } from './text-query.ts';

/** A clause with everything it stands for: the asset's own words, and tag options whose presence meets it as well. */
export type ResolvedClause =
  | {
      readonly kind: 'word';
      readonly negated: boolean;
      readonly word: string;
      readonly prefix: boolean;
      /** Words of assets that are meant instead, when nothing in the library has the word itself. */
      readonly typos: readonly string[];
      /** Tag options that have the word. */
      readonly exactTags: readonly number[];
      /** Tag options that have a word which begins so, or one of the words that are meant instead; no exact ones. */
      readonly looseTags: readonly number[];
    }
  | {
      readonly kind: 'phrase';
      readonly negated: boolean;
      readonly words: readonly string[];
      /** Tag options of which one name has the phrase. */
      readonly exactTags: readonly number[];
    };

/** What an engine knows of the words of its assets' own texts (those in the bin included). */
export type OwnWords<
  Answer extends boolean | Promise<boolean>,
  Words extends readonly string[] | Promise<readonly string[]>,
> = {
  /** Whether some asset has the word; with `prefix`, a word that begins so. */
  has(word: string, options: { readonly prefix: boolean }): Answer;
  /** The words of assets for which `withinEdits` holds, ascending by code unit. */
  similar(word: string): Words;
};

type WordClause = Extract<TextClause, { kind: 'word' }>;

function known(clause: WordClause, tags: TagWords): ResolvedClause {
  const exactTags = tags.withWord(clause.word, { prefix: false });
  const exact = new Set(exactTags);
  const looseTags = clause.prefix ? tags.withWord(clause.word, { prefix: true }).filter((id) => !exact.has(id)) : [];
  return { ...clause, typos: [], exactTags, looseTags };
}

function forgiven(clause: WordClause, tags: TagWords, typos: readonly string[]): ResolvedClause {
  const ids = new Set(tags.similar(clause.word).flatMap((word) => tags.withWord(word, { prefix: false })));
  return { ...clause, typos, exactTags: [], looseTags: [...ids].toSorted((a, b) => a - b) };
}

/** Typing errors are forgiven only in a positive word that neither an asset nor a tag option has (nor begins with). */
function mayBeTypo(clause: WordClause, resolved: ResolvedClause): boolean {
  return (
    !clause.negated && resolved.kind === 'word' && resolved.exactTags.length === 0 && resolved.looseTags.length === 0
  );
}

/** Resolves a query against words in memory. */
export function resolveText(
  query: TextQuery,
  tags: TagWords,
  own: OwnWords<boolean, readonly string[]>,
): readonly ResolvedClause[] {
  return query.clauses.map((clause) => {
    if (clause.kind === 'phrase') return { ...clause, exactTags: tags.withPhrase(clause.words) };
    const resolved = known(clause, tags);
    if (!mayBeTypo(clause, resolved) || own.has(clause.word, { prefix: clause.prefix })) return resolved;
    return forgiven(clause, tags, own.similar(clause.word));
  });
}

/** Resolves a query against words in a database. */
export async function loadResolvedText(
  query: TextQuery,
  tags: TagWords,
  own: OwnWords<Promise<boolean>, Promise<readonly string[]>>,
): Promise<readonly ResolvedClause[]> {
  return Promise.all(
    query.clauses.map(async (clause): Promise<ResolvedClause> => {
      if (clause.kind === 'phrase') return { ...clause, exactTags: tags.withPhrase(clause.words) };
      const resolved = known(clause, tags);
      if (!mayBeTypo(clause, resolved) || (await own.has(clause.word, { prefix: clause.prefix }))) return resolved;
      return forgiven(clause, tags, await own.similar(clause.word));
    }),
  );
}
