import { ASSET_STATUSES, ORIENTATIONS, type TagType, USAGES } from '../../../library/index.ts';
import type { Comparison, Filter, ScalarValue } from '../../filter/filter-tree.ts';
import { visibilityOf } from '../../filter/visibility.ts';
import type { ResolvedClause } from '../../text/resolved-text.ts';
import { sizeOf } from '../segment/packed-sets.ts';
import type { Segment } from '../segment/segment.ts';
import { isKeyword, type KeywordField, type NumberField } from '../segment/segment-builder.ts';
import type { Workspace } from './chunk-value.ts';
import { nameNode } from './name-test.ts';
import { allNode, anyNode, anySetNode, eachNode, type Node, noneNode, SLOW_COST, type SetRef } from './node.ts';
import { numberNode, type NumberTest, numberTestOf } from './number-test.ts';
import { phraseNode } from './phrase.ts';

/** What compiling a filter needs to know beside the segment. */
export type PlanContext = {
  readonly work: Workspace;
  readonly segment: Segment;
  tagType(id: number): TagType | undefined;
  clausesOf(text: Extract<Filter, { kind: 'text' }>): readonly ResolvedClause[];
};

type Leaf<Kind extends Filter['kind']> = Extract<Filter, { kind: Kind }>;

/** The sets of tag options or collections that some document of the segment has. */
function setsOf(segment: Segment, field: string, ids: readonly number[]): SetRef[] {
  const find = field === 'collection' ? segment.collectionSet : segment.tagSet;
  return ids.flatMap((id) => {
    const set = find(id);
    return set < 0 ? [] : [{ sets: segment.sets, set }];
  });
}

function onlyNode(context: PlanContext, leaf: Leaf<'ids'>): Node {
  const { work, segment } = context;
  const { size } = segment;
  const any = anySetNode(work, setsOf(segment, leaf.field, leaf.ids), size);
  if (leaf.field === 'collection') {
    const others = Array.from(segment.collectionIds).filter((id) => !leaf.ids.includes(id));
    return allNode([any, noneNode(work, [anySetNode(work, setsOf(segment, 'collection', others), size)], size)], size);
  }
  // "and no other of this type on the asset"; for tag_options, which has no type of its own, no other player.
  const type: TagType = leaf.field === 'tag_options' ? 'player' : leaf.field;
  const { forward, forwardStarts, tagIds } = segment;
  const allowed = new Set(leaf.ids);
  const forbids = (set: number) => {
    const id = tagIds[set] ?? 0;
    return context.tagType(id) === type && !allowed.has(id);
  };
  const passes = (document: number): boolean => {
    const end = forwardStarts[document + 1] ?? 0;
    for (let at = forwardStarts[document] ?? 0; at < end; at += 1) if (forbids(forward[at] ?? 0)) return false;
    return true;
  };
  return allNode([any, eachNode(work, { size, cost: SLOW_COST, passes })], size);
}

function idsNode(context: PlanContext, leaf: Leaf<'ids'>): Node {
  const { work, segment } = context;
  const { size } = segment;
  switch (leaf.test) {
    case 'all':
      return allNode(
        leaf.ids.map((id) => anySetNode(work, setsOf(segment, leaf.field, [id]), size)),
        size,
      );
    case 'any':
      return anySetNode(work, setsOf(segment, leaf.field, leaf.ids), size);
    case 'none':
      return noneNode(work, [anySetNode(work, setsOf(segment, leaf.field, leaf.ids), size)], size);
    case 'only':
      return onlyNode(context, leaf);
  }
}

const KEYWORD_VALUES: Readonly<Record<KeywordField, readonly string[]>> = {
  media_type: ['photo', 'video'],
  status: ASSET_STATUSES,
  orientation: ORIENTATIONS,
  usage: USAGES,
};

/** Keywords are compared as text, as PostgreSQL does. */
const KEYWORD_TESTS: Readonly<Record<Comparison, (value: string, given: readonly string[]) => boolean>> = {
  eq: (value, given) => given.includes(value),
  ne: (value, given) => !given.includes(value),
  in: (value, given) => given.includes(value),
  gt: (value, [given = '']) => value > given,
  gte: (value, [given = '']) => value >= given,
  lt: (value, [given = '']) => value < given,
  lte: (value, [given = '']) => value <= given,
};

function keywordNode(context: PlanContext, field: KeywordField, values: readonly string[]): Node {
  const { work, segment } = context;
  const refs = values.flatMap((value) => {
    const set = segment.valueSet(field, value);
    return set < 0 ? [] : [{ sets: segment.sets, set }];
  });
  return anySetNode(work, refs, segment.size);
}

function toNumber(value: ScalarValue): number {
  return value instanceof Date ? value.getTime() : Number(value);
}

function compareNode(context: PlanContext, leaf: Leaf<'compare'>): Node {
  const { work, segment } = context;
  const { size } = segment;
  const { field } = leaf;
  if (!isKeyword(field)) {
    const test = numberTestOf(leaf.comparison, leaf.values.map(toNumber));
    return numberNode(work, segment.columns[field], { test, size });
  }
  const given = leaf.values.map(String);
  // A missing value differs from every value, and passes no other comparison.
  if (leaf.comparison === 'ne') return noneNode(work, [keywordNode(context, field, given)], size);
  const passes = KEYWORD_TESTS[leaf.comparison];
  return keywordNode(
    context,
    field,
    KEYWORD_VALUES[field].filter((value) => passes(value, given)),
  );
}

function existsNode(context: PlanContext, leaf: Leaf<'exists'>): Node {
  const { work, segment } = context;
  const { size } = segment;
  const { field, exists } = leaf;
  if (!isKeyword(field)) return numberNode(work, segment.columns[field], { test: { kind: 'exists', exists }, size });
  const present = keywordNode(context, field, KEYWORD_VALUES[field]);
  return exists ? present : noneNode(work, [present], size);
}

/** What a clause stands for in a segment: words by number, and sets of tag options. */
export type ClauseSets = {
  readonly exactWords: readonly number[];
  readonly looseWords: readonly number[];
  readonly exactTags: readonly SetRef[];
  readonly looseTags: readonly SetRef[];
};

export function clauseSets(segment: Segment, clause: ResolvedClause): ClauseSets {
  const refs = (ids: readonly number[]): SetRef[] => setsOf(segment, 'tag_options', ids);
  const exactTags = refs(clause.exactTags);
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
  return { exactWords, looseWords: [...beginning, ...typos], exactTags, looseTags: refs(clause.looseTags) };
}

/** How many documents meet a clause, where that is the size of one set. */
export function sizeOfClause(segment: Segment, clause: ResolvedClause): number | undefined {
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
export function clauseNode(context: PlanContext, clause: ResolvedClause): Node {
  const { work, segment } = context;
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

function textNode(context: PlanContext, leaf: Leaf<'text'>): Node {
  const { work, segment } = context;
  return allNode(
    context.clausesOf(leaf).map((clause) => {
      const node = clauseNode(context, clause);
      return clause.negated ? noneNode(work, [node], segment.size) : node;
    }),
    segment.size,
  );
}

/** Comparisons of the same field in one group are one interval: `gte` with `lt` is the usual pair. */
function mergeRanges(context: PlanContext, filters: readonly Filter[]): { nodes: Node[]; others: Filter[] } {
  const ranges = new Map<NumberField, { least: number; greatest: number }>();
  const others: Filter[] = [];
  for (const filter of filters) {
    if (filter.kind !== 'compare' || isKeyword(filter.field)) {
      others.push(filter);
      continue;
    }
    const test: NumberTest = numberTestOf(filter.comparison, filter.values.map(toNumber));
    if (test.kind !== 'between') {
      others.push(filter);
      continue;
    }
    const known = ranges.get(filter.field);
    ranges.set(filter.field, {
      least: Math.max(known?.least ?? Number.NEGATIVE_INFINITY, test.least),
      greatest: Math.min(known?.greatest ?? Number.POSITIVE_INFINITY, test.greatest),
    });
  }
  const { work, segment } = context;
  const nodes = [...ranges].map(([field, range]) =>
    numberNode(work, segment.columns[field], { test: { kind: 'between', ...range }, size: segment.size }),
  );
  return { nodes, others };
}

function compile(context: PlanContext, filter: Filter): Node {
  const { work, segment } = context;
  const { size } = segment;
  switch (filter.kind) {
    case 'all': {
      const { nodes, others } = mergeRanges(context, filter.filters);
      return allNode([...nodes, ...others.map((child) => compile(context, child))], size);
    }
    case 'any':
      return anyNode(
        work,
        filter.filters.map((child) => compile(context, child)),
        size,
      );
    case 'none':
      return noneNode(
        work,
        filter.filters.map((child) => compile(context, child)),
        size,
      );
    case 'ids':
      return idsNode(context, filter);
    case 'compare':
      return compareNode(context, filter);
    case 'exists':
      return existsNode(context, filter);
    case 'name':
      return nameNode(work, segment, filter.contains);
    case 'text':
      return textNode(context, filter);
  }
}

/** A filter, and what may be seen at all, as a test of one segment's documents. */
export function planFilter(context: PlanContext, filter: Filter): Node {
  const { work, segment } = context;
  const { size } = segment;
  const node = compile(context, filter);
  switch (visibilityOf(filter)) {
    case 'everything':
      return node;
    case 'all_but_bin':
      return allNode([noneNode(work, [keywordNode(context, 'status', ['deleted'])], size), node], size);
    case 'processing_or_ready':
      return allNode([keywordNode(context, 'status', ['processing', 'ready']), node], size);
  }
}
