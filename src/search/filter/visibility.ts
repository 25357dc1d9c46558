import { type ActionFilter, type Filter, someActionLeaf, someLeaf } from './filter-tree.ts';

/** Which assets a filter may find at all: by default those that are processing or ready. */
export type Visibility = 'processing_or_ready' | 'all_but_bin' | 'everything';

/** The tests of `status` in a filter lift the default; the bin opens only to one that asks for it. */
export function visibilityOf(filter: Filter): Visibility {
  const testsStatus = someLeaf(filter, (leaf) => 'field' in leaf && leaf.field === 'status');
  if (!testsStatus) return 'processing_or_ready';
  const asksForBin = someLeaf(
    filter,
    (leaf) => leaf.kind === 'compare' && ['eq', 'in'].includes(leaf.comparison) && leaf.values.includes('deleted'),
  );
  return asksForBin ? 'everything' : 'all_but_bin';
}

/** Which actions a filter may find at all: a test of their status lifts the default. */
export type ActionVisibility = 'not_retracted' | 'everything';

export function actionVisibility(filter: ActionFilter): ActionVisibility {
  return someActionLeaf(filter, (leaf) => 'field' in leaf && leaf.field === 'status') ? 'everything' : 'not_retracted';
}
