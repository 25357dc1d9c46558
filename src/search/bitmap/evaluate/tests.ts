import type { TagType } from '../../../library/index.ts';
import type { Comparison, ScalarValue } from '../../filter/filter-tree.ts';
import type { ResolvedClause } from '../../text/resolved-text.ts';
import type { TextQuery } from '../../text/text-query.ts';
import type { Documents } from '../segment/documents.ts';
import type { NumberColumn } from '../segment/number-column.ts';
import { sizeOf } from '../segment/packed-sets.ts';
import type { Workspace } from './chunk-value.ts';
import { allNode, anyNode, anySetNode, eachNode, type Node, noneNode, SLOW_COST, type SetRef } from './node.ts';
import { numberNode, type NumberTest, numberTestOf } from './number-test.ts';
import { phraseNode } from './phrase.ts';

/** Tests that assets and actions have in common, compiled for the documents of one segment. */

export type TextLeaf = { readonly kind: 'text'; readonly query: TextQuery };

/** What compiling a test needs to know beside the documents. */
export type TestContext = {
  readonly work: Workspace;
  readonly segment: Documents;
  tagType(id: number): TagType | undefined;
  clausesOf(text: TextLeaf): readonly ResolvedClause[];
};

/** The sets of tag options that some document has. */
function tagSetsOf(segment: Documents, ids: readonly number[]): SetRef[] {
  return ids.flatMap((id) => {
    const set = segment.tagSet(id);
    return set < 0 ? [] : [{ sets: segment.sets, set }];
  });
}

export function tagsNode({ work, segment }: TestContext, ids: readonly number[]): Node {
  return anySetNode(work, tagSetsOf(segment, ids), segment.size);
}

/** Documents with any of these values of a field. */
export function valuesNode({ work, segment }: TestContext, field: string, values: readonly (string | number)[]): Node {
  const refs = values.flatMap((value) => {
    const set = segment.valueSet(field, value);
    return set < 0 ? [] : [{ sets: segment.sets, set }];
  });
  return anySetNode(work, refs, segment.size);
}

export type IdTest = { readonly test: 'all' | 'any' | 'none' | 'only'; readonly ids: readonly number[] };

/**
 * A test of IDs.
 * @param having documents with any of some IDs
 * @param alone documents that have no other ID than these
 */
export function idsNode(
  { work, segment: { size } }: TestContext,
  { test, ids }: IdTest,
  { having, alone }: { readonly having: (ids: readonly number[]) => Node; readonly alone: () => Node },
): Node {
  switch (test) {
    case 'all':
      return allNode(
        ids.map((id) => having([id])),
        size,
      );
    case 'any':
      return having(ids);
    case 'none':
      return noneNode(work, [having(ids)], size);
    case 'only':
      return allNode([having(ids), alone()], size);
  }
}

/** Documents without a tag option of this type for which `isOther` holds: they are looked at one by one. */
export function withoutOthersNode(
  context: TestContext,
  type: TagType,
  isOther: (id: number, document: number) => boolean,
): Node {
  const { work, segment } = context;
  const { forward, forwardStarts, tagIds } = segment;
  const passes = (document: number): boolean => {
    const end = forwardStarts[document + 1] ?? 0;
    for (let at = forwardStarts[document] ?? 0; at < end; at += 1) {
      const id = tagIds[forward[at] ?? 0] ?? 0;
      if (context.tagType(id) === type && isOther(id, document)) return false;
    }
    return true;
  };
  return eachNode(work, { size: segment.size, cost: SLOW_COST, passes });
}

/** A test of tag options; "only" means no other of their type, and of `tag_options`, which have none, no other player. */
export function tagTestNode(context: TestContext, leaf: IdTest & { readonly field: TagType | 'tag_options' }): Node {
  const allowed = new Set(leaf.ids);
  return idsNode(context, leaf, {
    having: (ids) => tagsNode(context, ids),
    alone: () =>
      withoutOthersNode(context, leaf.field === 'tag_options' ? 'player' : leaf.field, (id) => !allowed.has(id)),
  });
}

export type CompareLeaf = {
  readonly kind: 'compare';
  readonly field: string;
  readonly comparison: Comparison;
  readonly values: readonly ScalarValue[];
};

/** The column of a field that is compared as a number; undefined for one whose values have sets. */
function columnOf(segment: Documents, field: string): NumberColumn | undefined {
  // Documents of every kind have the columns of their own fields.
  return (segment.columns as Readonly<Record<string, NumberColumn | undefined>>)[field];
}

/** Texts are compared as PostgreSQL does. */
const TEXT_TESTS: Readonly<Record<Comparison, (value: string, given: readonly string[]) => boolean>> = {
  eq: (value, given) => given.includes(value),
  ne: (value, given) => !given.includes(value),
  in: (value, given) => given.includes(value),
  gt: (value, [given = '']) => value > given,
  gte: (value, [given = '']) => value >= given,
  lt: (value, [given = '']) => value < given,
  lte: (value, [given = '']) => value <= given,
};

function toNumber(value: ScalarValue): number {
  return value instanceof Date ? value.getTime() : Number(value);
}

export function compareNode(context: TestContext, leaf: CompareLeaf): Node {
  const { work, segment } = context;
  const { size } = segment;
  const { field } = leaf;
  const column = columnOf(segment, field);
  if (column) return numberNode(work, column, { test: numberTestOf(leaf.comparison, leaf.values.map(toNumber)), size });
  const given = leaf.values.map(String);
  // A missing value differs from every value, and passes no other comparison.
  if (leaf.comparison === 'ne') return noneNode(work, [valuesNode(context, field, given)], size);
  if (leaf.comparison === 'eq' || leaf.comparison === 'in') return valuesNode(context, field, given);
  const passes = TEXT_TESTS[leaf.comparison];
  const refs = segment.valuesOf(field).filter(({ value }) => passes(value, given));
  return anySetNode(
    work,
    refs.map(({ set }) => ({ sets: segment.sets, set })),
    size,
  );
}

export function existsNode(
  context: TestContext,
  { field, exists }: { readonly field: string; readonly exists: boolean },
): Node {
  const { work, segment } = context;
  const { size } = segment;
  const column = columnOf(segment, field);
  if (column) return numberNode(work, column, { test: { kind: 'exists', exists }, size });
  const sets = segment.valuesOf(field).map(({ set }) => ({ sets: segment.sets, set }));
  const present = anySetNode(work, sets, size);
  return exists ? present : noneNode(work, [present], size);
}

/** What a clause stands for in a segment: words by number, and sets of tag options. */
export type ClauseSets = {
  readonly exactWords: readonly number[];
  readonly looseWords: readonly number[];
  readonly exactTags: readonly SetRef[];
  readonly looseTags: readonly SetRef[];
};

export function clauseSets(segment: Documents, clause: ResolvedClause): ClauseSets {
  const exactTags = tagSetsOf(segment, clause.exactTags);
  const numbersOf = (word: string, prefix: boolean): number[] => {
    const { from, to } = segment.wordRange(word, { prefix });
    return Array.from({ length: to - from }, (_, at) => from + at);
  };
  if (clause.kind === 'phrase') {
    return {
      exactWords: clause.words.flatMap((word) => numbersOf(word, false)),
      looseWords: [],
      exactTags,
      looseTags: [],
    };
  }
  const exactWords = numbersOf(clause.word, false);
  const beginning = clause.prefix ? numbersOf(clause.word, true).filter((word) => !exactWords.includes(word)) : [];
  const typos = clause.typos.flatMap((word) => numbersOf(word, false));
  const looseTags = tagSetsOf(segment, clause.looseTags);
  return { exactWords, looseWords: [...beginning, ...typos], exactTags, looseTags };
}

/** How many documents meet a clause, where that is the size of one set. */
export function sizeOfClause(segment: Documents, clause: ResolvedClause): number | undefined {
  const sets = clauseSets(segment, clause);
  const refs = [
    ...[...sets.exactWords, ...sets.looseWords].map((set): SetRef => ({ sets: segment.words, set })),
    ...sets.exactTags,
    ...sets.looseTags,
  ];
  const [only] = refs;
  if (clause.kind !== 'word' || refs.length > 1) return undefined;
  return only ? sizeOf(only.sets, only.set) : 0;
}

/** The test of one clause, whether it is negated or not. */
export function clauseNode({ work, segment }: TestContext, clause: ResolvedClause): Node {
  const { size, words } = segment;
  const sets = clauseSets(segment, clause);
  const tags = [...sets.exactTags, ...sets.looseTags];
  const ref = (word: number): SetRef => ({ sets: words, set: word });
  if (clause.kind === 'word') {
    return anySetNode(work, [...[...sets.exactWords, ...sets.looseWords].map(ref), ...tags], size);
  }
  const ofTags = anySetNode(work, tags, size);
  const phrase = phraseNode(work, segment, clause.words);
  return phrase ? anyNode(work, [phrase, ofTags], size) : ofTags;
}

export function textNode(context: TestContext, leaf: TextLeaf): Node {
  const { work, segment } = context;
  return allNode(
    context.clausesOf(leaf).map((clause) => {
      const node = clauseNode(context, clause);
      return clause.negated ? noneNode(work, [node], segment.size) : node;
    }),
    segment.size,
  );
}

/** A test of a column. */
export type ColumnTest = { readonly column: NumberColumn; readonly test: NumberTest };

/** The column and test of a comparison of numbers; undefined of every other test. */
export function compareTestOf(segment: Documents, filter: { readonly kind: string }): ColumnTest | undefined {
  if (filter.kind !== 'compare') return undefined;
  // The kind says it, in the filters of assets and of actions alike.
  const { field, comparison, values } = filter as CompareLeaf;
  const column = columnOf(segment, field);
  return column && { column, test: numberTestOf(comparison, values.map(toNumber)) };
}

/** Comparisons of the same field in one group are one interval: `gte` with `lt` is the usual pair. */
function mergeRanges<Test>(
  { work, segment }: TestContext,
  filters: readonly Test[],
  numberTest: (test: Test) => ColumnTest | undefined,
): { nodes: Node[]; others: Test[] } {
  const ranges = new Map<NumberColumn, { least: number; greatest: number }>();
  const others: Test[] = [];
  for (const filter of filters) {
    const found = numberTest(filter);
    if (found?.test.kind !== 'between') {
      others.push(filter);
      continue;
    }
    const { column, test } = found;
    const known = ranges.get(column);
    ranges.set(column, {
      least: Math.max(known?.least ?? Number.NEGATIVE_INFINITY, test.least),
      greatest: Math.min(known?.greatest ?? Number.POSITIVE_INFINITY, test.greatest),
    });
  }
  const nodes = [...ranges].map(([column, range]) =>
    numberNode(work, column, { test: { kind: 'between', ...range }, size: segment.size }),
  );
  return { nodes, others };
}

/** A group of tests, each of which `compile` compiles; `numberTest`: where it is one of a column. */
export function groupNode<Test>(
  context: TestContext,
  group: { readonly kind: 'all' | 'any' | 'none'; readonly filters: readonly Test[] },
  {
    compile,
    numberTest,
  }: {
    readonly compile: (test: Test) => Node;
    readonly numberTest: (test: Test) => ColumnTest | undefined;
  },
): Node {
  const { work, segment } = context;
  const { size } = segment;
  switch (group.kind) {
    case 'all': {
      const { nodes, others } = mergeRanges(context, group.filters, numberTest);
      return allNode([...nodes, ...others.map(compile)], size);
    }
    case 'any':
      return anyNode(work, group.filters.map(compile), size);
    case 'none':
      return noneNode(work, group.filters.map(compile), size);
  }
}
