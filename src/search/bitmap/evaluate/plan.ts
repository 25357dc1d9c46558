import type { ActionFilter, Filter } from '../../filter/filter-tree.ts';
import { visibilityOf } from '../../filter/visibility.ts';
import type { Segment } from '../segment/segment.ts';
import { detailNode, detailNumberTest } from './detail-test.ts';
import { fewAssetsNode } from './few-assets.ts';
import { nameNode } from './name-test.ts';
import { allNode, anySetNode, type Node, noneNode } from './node.ts';
import {
  compareNode,
  compareTestOf,
  existsNode,
  groupNode,
  idsNode,
  tagTestNode,
  type TestContext,
  textNode,
  valuesNode,
} from './tests.ts';

/** What compiling a filter of assets needs to know beside the segment. */
export type PlanContext = TestContext & {
  readonly segment: Segment;
  /** Assets with an action that meets a filter: `prepareActions` comes before planning. */
  actionNode(filter: ActionFilter): Node;
};

type Leaf<Kind extends Filter['kind']> = Extract<Filter, { kind: Kind }>;

function collectionsNode(context: PlanContext, leaf: Leaf<'ids'>): Node {
  const { work, segment } = context;
  const { sets, size } = segment;
  return idsNode(context, leaf, {
    having: (ids) => valuesNode(context, 'collection', ids),
    alone() {
      const others = segment.valuesOf('collection').filter(({ value }) => !leaf.ids.includes(Number(value)));
      const refs = others.map(({ set }) => ({ sets, set }));
      return noneNode(work, [anySetNode(work, refs, size)], size);
    },
  });
}

/** A filter as a test of one segment's documents, whatever their status. */
export function compileFilter(context: PlanContext, filter: Filter): Node {
  const { segment } = context;
  switch (filter.kind) {
    case 'all':
    case 'any':
    case 'none':
      return groupNode(context, filter, {
        compile: (child) => compileFilter(context, child),
        numberTest: (child) =>
          child.kind === 'detail' ? detailNumberTest(segment, child) : compareTestOf(segment, child),
      });
    case 'ids': {
      const { field } = filter;
      return field === 'collection' ? collectionsNode(context, filter) : tagTestNode(context, { ...filter, field });
    }
    case 'compare':
      return compareNode(context, filter);
    case 'exists':
      return existsNode(context, filter);
    case 'name':
      return nameNode(context.work, context.segment, filter.contains);
    case 'text':
      return textNode(context, filter);
    case 'assets':
      return fewAssetsNode(context.work, segment, filter.ids);
    case 'detail':
      return detailNode(context, filter);
    case 'action':
      return context.actionNode(filter.filter);
  }
}

/** What a filter may find at all. */
export function visibilityNode(context: PlanContext, filter: Filter): Node {
  const { work, segment } = context;
  const { size } = segment;
  switch (visibilityOf(filter)) {
    case 'everything':
      return allNode([], size);
    case 'all_but_bin':
      return noneNode(work, [valuesNode(context, 'status', ['deleted'])], size);
    case 'processing_or_ready':
      return valuesNode(context, 'status', ['processing', 'ready']);
  }
}

/** A filter, and what may be seen at all, as a test of one segment's documents. */
export function planFilter(context: PlanContext, filter: Filter): Node {
  return allNode([visibilityNode(context, filter), compileFilter(context, filter)], context.segment.size);
}
