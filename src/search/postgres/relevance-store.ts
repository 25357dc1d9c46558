import { type RawBuilder, sql } from 'kysely';
import type { LibraryScope } from '../../auth/index.ts';
import { looseImpact, PLACE_WEIGHTS, TAG_IMPACT, weightOf } from '../text/relevance.ts';
import type { ResolvedClause } from '../text/resolved-text.ts';
import type { Documents } from './document-store.ts';
import type { RunStatement } from './snapshot-store.ts';
import { carriesAny, meetsByOwnWords, meetsClause } from './text-store.ts';

type Expression = RawBuilder<number>;

/** The clauses' weights by how many of all the organization's documents meet each, whatever their status. */
export async function loadWeights(
  run: RunStatement,
  scope: LibraryScope,
  asked: { readonly documents: Documents; readonly clauses: readonly ResolvedClause[] },
): Promise<readonly number[]> {
  const { documents, clauses } = asked;
  if (clauses.length === 0) return [];
  const ofOrganization = sql`FROM ${documents.wordsFrom} WHERE ${documents.organizationId} = ${scope.organizationId}`;
  const counts = clauses.map(
    (clause) => sql`(SELECT count(*) ${ofOrganization} AND ${meetsClause(clause, { documents, known: false })})`,
  );
  const rows = await run(sql<{ size: number; counts: readonly number[] }>`
    SELECT (SELECT count(*) ${ofOrganization}) AS size, ARRAY[${sql.join(counts)}] AS counts`);
  const [found] = rows;
  return found ? found.counts.map((count) => weightOf(count, found.size)) : [];
}

const literal = (number: number) => sql.raw(String(number));

// Of a word `w` of the document's text, as unnest(tsvector) answers it.
const FREQUENCY = sql`(cardinality(w.positions) * ${literal(PLACE_WEIGHTS.C)}
  + cardinality(array_positions(w.weights, 'A')) * ${literal(PLACE_WEIGHTS.A - PLACE_WEIGHTS.C)}
  + cardinality(array_positions(w.weights, 'B')) * ${literal(PLACE_WEIGHTS.B - PLACE_WEIGHTS.C)})`;

/**
 * The impact of the best of the words for which `isMeant`, as `impactOf` computes it; unknown when there is none. More
 * occurrences never have less impact in the same text, so the best one is that of the most.
 */
function bestImpact(isMeant: RawBuilder<boolean>): Expression {
  const most = sql`max(${FREQUENCY}) FILTER (WHERE ${isMeant})`;
  return sql`(255000::bigint * ${most} / (1000 * ${most} + 300 + 37 * sum(cardinality(w.positions))))::bigint`;
}

const texts = (words: readonly string[]) => sql`${[...words]}::text[]`;

function impacts(clause: ResolvedClause, documents: Documents): readonly Expression[] {
  const byTag = (ids: readonly number[], impact: number): readonly Expression[] =>
    ids.length === 0 ? [] : [sql`CASE WHEN ${carriesAny(ids, documents)} THEN ${literal(impact)} END`];
  if (clause.kind === 'phrase') {
    const own: Expression = sql`CASE WHEN ${meetsByOwnWords(clause, documents)}
      THEN ${bestImpact(sql`w.lexeme = ANY (${texts(clause.words)})`)} END`;
    return [own, ...byTag(clause.exactTags, TAG_IMPACT)];
  }
  const exact = bestImpact(sql`w.lexeme = ${clause.word}`);
  const loose: RawBuilder<boolean>[] = [];
  if (clause.prefix) loose.push(sql`starts_with(w.lexeme, ${clause.word})`);
  if (clause.typos.length > 0) loose.push(sql`w.lexeme = ANY (${texts(clause.typos)})`);
  return [
    exact,
    // looseImpact
    ...(loose.length === 0 ? [] : [sql<number>`${bestImpact(sql`(${sql.join(loose, sql` OR `)})`)} >> 1`]),
    ...byTag(clause.exactTags, TAG_IMPACT),
    ...byTag(clause.looseTags, looseImpact(TAG_IMPACT)),
  ];
}

/** A sum as a balanced tree: one long chain of additions would exceed PostgreSQL's stack. */
function sumOf(terms: readonly Expression[]): Expression {
  const [first] = terms;
  if (!first) return sql`0`;
  if (terms.length === 1) return first;
  const half = terms.length >> 1;
  return sql`(${sumOf(terms.slice(0, half))} + ${sumOf(terms.slice(half))})`;
}

/** PostgreSQL compares every aggregate of a query with every other: 2,900 clauses in one took it 15 s to plan. */
const CLAUSES_PER_SCAN = 100;

/** The score of the document, as relevance.ts defines it. */
export function scoreOf(
  documents: Documents,
  { clauses, weights }: { readonly clauses: readonly ResolvedClause[]; readonly weights: readonly number[] },
): Expression {
  if (clauses.length === 0) return sql`0::bigint`;
  const terms = clauses.map(
    (clause, at): Expression =>
      sql`${weights[at] ?? 1}::bigint * COALESCE(GREATEST(${sql.join(impacts(clause, documents))}), 0)`,
  );
  const parts: Expression[] = [];
  for (let at = 0; at < terms.length; at += CLAUSES_PER_SCAN) {
    parts.push(sql`(SELECT ${sumOf(terms.slice(at, at + CLAUSES_PER_SCAN))} FROM unnest(${documents.words}) AS w)`);
  }
  return sumOf(parts);
}
