import { type RawBuilder, sql } from 'kysely';
import type { Filter } from '../filter/filter-tree.ts';
import type { ResolvedClause } from '../text/resolved-text.ts';
import type { TextQuery } from '../text/text-query.ts';

/** What every text of a search's filters stands for. */
export type ResolvedTexts = ReadonlyMap<TextQuery, readonly ResolvedClause[]>;

/** A word in a tsquery. Words are letters and digits only, so nothing in them needs an escape. */
export function quoteWord(word: string, { prefix }: { readonly prefix: boolean }): string {
  return prefix ? `'${word}':*` : `'${word}'`;
}

function tsqueryOf(clause: ResolvedClause): string {
  const exactly = (word: string) => quoteWord(word, { prefix: false });
  if (clause.kind === 'phrase') return clause.words.map(exactly).join(' <-> ');
  return [quoteWord(clause.word, clause), ...clause.typos.map(exactly)].join(' | ');
}

/** Whether the asset's own words meet the clause. Unknown for an asset whose words were not computed yet. */
export function meetsByOwnWords(clause: ResolvedClause): RawBuilder<boolean> {
  return sql`a.search_text @@ ${tsqueryOf(clause)}::tsquery`;
}

/** Whether the asset carries one of these tag options. */
export function carriesAny(ids: readonly number[]): RawBuilder<boolean> {
  return sql`a.tag_ids && ${[...ids]}::bigint[]`;
}

/** Whether the asset meets the clause, its negation left aside; with `known`, false instead of unknown. */
export function meetsClause(clause: ResolvedClause, { known }: { readonly known: boolean }): RawBuilder<boolean> {
  const bare = meetsByOwnWords(clause);
  // Bare where it may be: only then an index answers it.
  const own = known ? sql<boolean>`COALESCE(${bare}, false)` : bare;
  const tags = clause.kind === 'word' ? [...clause.exactTags, ...clause.looseTags] : clause.exactTags;
  return tags.length === 0 ? own : sql`(${own} OR ${carriesAny(tags)})`;
}

/** All positive clauses and no negated one. */
export function meetsText(
  clauses: readonly ResolvedClause[],
  { known }: { readonly known: boolean },
): RawBuilder<boolean> {
  const tests = clauses.map((clause) =>
    clause.negated ? sql`NOT ${meetsClause(clause, { known: true })}` : meetsClause(clause, { known }),
  );
  return sql`(${sql.join(tests, sql` AND `)})`;
}

/** Every text in the tree, those below a `none` included. */
export function textsOf(filter: Filter): readonly TextQuery[] {
  if ('filters' in filter) return filter.filters.flatMap(textsOf);
  return filter.kind === 'text' ? [filter.query] : [];
}

/** The clauses that make an asset relevant, in the order of the tree: positive ones that are not below a `none`. */
export function scoredClauses(filter: Filter, texts: ResolvedTexts): readonly ResolvedClause[] {
  if (filter.kind === 'none') return [];
  if ('filters' in filter) return filter.filters.flatMap((child) => scoredClauses(child, texts));
  return filter.kind === 'text' ? (texts.get(filter.query) ?? []).filter((clause) => !clause.negated) : [];
}
