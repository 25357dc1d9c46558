import { type RawBuilder, sql } from 'kysely';
import type { ActionFilter, Filter } from '../filter/filter-tree.ts';
import type { ResolvedClause } from '../text/resolved-text.ts';
import type { TextQuery } from '../text/text-query.ts';
import type { Documents } from './document-store.ts';

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

/** Whether the document's own words meet the clause. Unknown for an asset whose words were not computed yet. */
export function meetsByOwnWords(clause: ResolvedClause, documents: Documents): RawBuilder<boolean> {
  return sql`${documents.words} @@ ${tsqueryOf(clause)}::tsquery`;
}

/** Whether the document carries one of these tag options. */
export function carriesAny(ids: readonly number[], documents: Documents): RawBuilder<boolean> {
  return sql`${documents.tagIds} && ${[...ids]}::bigint[]`;
}

type TextOptions = {
  readonly documents: Documents;
  /** False instead of unknown. */
  readonly known: boolean;
};

/** Whether the document meets the clause, its negation left aside. */
export function meetsClause(clause: ResolvedClause, { documents, known }: TextOptions): RawBuilder<boolean> {
  const bare = meetsByOwnWords(clause, documents);
  // Bare where it may be: only then an index answers it.
  const own = known ? sql<boolean>`COALESCE(${bare}, false)` : bare;
  const tags = clause.kind === 'word' ? [...clause.exactTags, ...clause.looseTags] : clause.exactTags;
  return tags.length === 0 ? own : sql`(${own} OR ${carriesAny(tags, documents)})`;
}

/** All positive clauses and no negated one. */
export function meetsText(clauses: readonly ResolvedClause[], options: TextOptions): RawBuilder<boolean> {
  const tests = clauses.map((clause) =>
    clause.negated ? sql`NOT ${meetsClause(clause, { ...options, known: true })}` : meetsClause(clause, options),
  );
  return sql`(${sql.join(tests, sql` AND `)})`;
}

/** Every text that is asked of assets, those below a `none` included. */
export function textsOf(filter: Filter): readonly TextQuery[] {
  if ('filters' in filter) return filter.filters.flatMap(textsOf);
  return filter.kind === 'text' ? [filter.query] : [];
}

/** Every text of a filter of actions, those below a `none` included. */
export function textsOfActions(filter: ActionFilter): readonly TextQuery[] {
  if ('filters' in filter) return filter.filters.flatMap(textsOfActions);
  return filter.kind === 'text' ? [filter.query] : [];
}

/** Every text that a filter of assets asks of their actions. */
export function actionTextsOf(filter: Filter): readonly TextQuery[] {
  if ('filters' in filter) return filter.filters.flatMap(actionTextsOf);
  return filter.kind === 'action' ? textsOfActions(filter.filter) : [];
}

/**
 * The clauses that make a document relevant, in the order of the tree: positive ones that are not below a `none`. What is
 * asked of actions makes no asset relevant.
 */
export function scoredClauses(filter: Filter | ActionFilter, texts: ResolvedTexts): readonly ResolvedClause[] {
  if (filter.kind === 'all' || filter.kind === 'any') {
    return filter.filters.flatMap((child) => scoredClauses(child, texts));
  }
  return filter.kind === 'text' ? (texts.get(filter.query) ?? []).filter((clause) => !clause.negated) : [];
}
