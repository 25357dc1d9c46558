import { ASSET_STATUSES, ORIENTATIONS, type TagType, USAGES } from '../../library/index.ts';
import type { Comparison, Filter, ScalarValue } from '../filter/filter-tree.ts';
import { visibilityOf } from '../filter/visibility.ts';
import { KEYWORD_FIELDS, type KeywordField } from './asset-row.ts';
import type { IndexReader } from './library-index.ts';
import { createIdSet, fromSorted, type IdSet, intersect, subtract, unite } from './sets/index.ts';

const NOTHING: IdSet = createIdSet();

type Leaf<Kind extends Filter['kind']> = Extract<Filter, { kind: Kind }>;

/** How much work a test is, roughly: sets are combined before values are read one by one. */
function costOf(filter: Filter): number {
  switch (filter.kind) {
    case 'ids':
      return filter.test === 'only' ? 3 : 0;
    case 'compare':
      return isKeyword(filter.field) ? 1 : 4;
    case 'exists':
      return 4;
    case 'name':
      return 5;
    default:
      return 2;
  }
}

function isKeyword(field: string): field is KeywordField {
  return (KEYWORD_FIELDS as readonly string[]).includes(field);
}

/** Documents of `within` whose value passes. */
function scan(within: IdSet, passes: (document: number) => boolean): IdSet {
  const kept = new Uint32Array(within.size);
  let count = 0;
  within.forEach((document) => {
    if (!passes(document)) return;
    kept[count] = document;
    count += 1;
  });
  return fromSorted(kept.subarray(0, count));
}

function postingsOf(leaf: Leaf<'ids'>, index: IndexReader): IdSet[] {
  const read = leaf.field === 'collection' ? index.collection : index.tag;
  return leaf.ids.map((id) => read(id) ?? NOTHING);
}

function evaluateIds(leaf: Leaf<'ids'>, index: IndexReader, within: IdSet): IdSet {
  const sets = postingsOf(leaf, index);
  switch (leaf.test) {
    case 'all':
      return intersect([within, ...sets]);
    case 'any':
      return intersect([within, unite(sets)]);
    case 'none':
      return subtract(within, unite(sets));
    case 'only': {
      const candidates = intersect([within, unite(sets)]);
      const allowed = new Set(leaf.ids);
      if (leaf.field === 'collection') {
        return scan(candidates, (document) => index.collectionsOf(document).every((id) => allowed.has(id)));
      }
      // "and no other of this type on the asset"; for tag_options, which has no type of its own, no other player.
      const type: TagType = leaf.field === 'tag_options' ? 'player' : leaf.field;
      return scan(candidates, (document) =>
        index.tagsOf(document).every((id) => allowed.has(id) || index.tagType(id) !== type),
      );
    }
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

function toNumber(value: ScalarValue): number {
  return value instanceof Date ? value.getTime() : Number(value);
}

function evaluateCompare(leaf: Leaf<'compare'>, index: IndexReader, within: IdSet): IdSet {
  const { field } = leaf;
  if (isKeyword(field)) {
    const given = leaf.values.map(String);
    const passes = KEYWORD_TESTS[leaf.comparison];
    const sets = KEYWORD_VALUES[field]
      .filter((value) => passes(value, given))
      .map((value) => index.keyword(field, value) ?? NOTHING);
    // A missing value differs from every value, and passes no other comparison.
    return leaf.comparison === 'ne'
      ? subtract(within, unite(given.map((value) => index.keyword(field, value) ?? NOTHING)))
      : intersect([within, unite(sets)]);
  }
  const wanted = leaf.values.map(toNumber);
  const first = wanted[0] ?? Number.NaN;
  const values = index.columns.values(field);
  const read = (document: number) => values[document] ?? Number.NaN;
  // NaN stands for no value: every comparison with it is false, and it differs from every value.
  switch (leaf.comparison) {
    case 'eq':
      return scan(within, (document) => read(document) === first);
    case 'ne':
      return scan(within, (document) => read(document) !== first);
    case 'in':
      return scan(within, (document) => wanted.includes(read(document)));
    case 'gt':
      return scan(within, (document) => read(document) > first);
    case 'gte':
      return scan(within, (document) => read(document) >= first);
    case 'lt':
      return scan(within, (document) => read(document) < first);
    case 'lte':
      return scan(within, (document) => read(document) <= first);
  }
}

function evaluateWithin(filter: Filter, index: IndexReader, within: IdSet): IdSet {
  switch (filter.kind) {
    case 'all': {
      let kept = within;
      for (const child of filter.filters.toSorted((a, b) => costOf(a) - costOf(b))) {
        if (kept.size === 0) break;
        kept = evaluateWithin(child, index, kept);
      }
      return kept;
    }
    case 'any':
      return unite(filter.filters.map((child) => evaluateWithin(child, index, within)));
    case 'none':
      return subtract(within, unite(filter.filters.map((child) => evaluateWithin(child, index, within))));
    case 'ids':
      return evaluateIds(filter, index, within);
    case 'compare':
      return evaluateCompare(filter, index, within);
    case 'exists': {
      const { field, exists } = filter;
      if (!isKeyword(field)) {
        return scan(within, (document) => Number.isNaN(index.columns.number(field, document)) !== exists);
      }
      const present = unite(ORIENTATIONS.map((value) => index.keyword(field, value) ?? NOTHING));
      // Of the keyword fields only orientation can be missing.
      if (field !== 'orientation') return exists ? within : NOTHING;
      return exists ? intersect([within, present]) : subtract(within, present);
    }
    case 'name': {
      const part = filter.contains.toLowerCase();
      return scan(within, (document) => index.columns.name(document).toLowerCase().includes(part));
    }
  }
}

function visible(filter: Filter, index: IndexReader): IdSet {
  switch (visibilityOf(filter)) {
    case 'everything':
      return index.all;
    case 'all_but_bin':
      return subtract(index.all, index.keyword('status', 'deleted') ?? NOTHING);
    case 'processing_or_ready':
      return unite(['processing', 'ready'].map((status) => index.keyword('status', status) ?? NOTHING));
  }
}

/** The documents that a filter matches, exactly. */
export function evaluate(filter: Filter, index: IndexReader): IdSet {
  return evaluateWithin(filter, index, visible(filter, index));
}
