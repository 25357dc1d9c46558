import type { TagType } from '../../library/index.ts';
import { type ActionFilter, asksForActions, type Filter } from '../filter/filter-tree.ts';
import { type OwnWords, type ResolvedClause, resolveText } from '../text/resolved-text.ts';
import type { TagWords } from '../text/tag-words.ts';
import { type ActionContext, planActions } from './evaluate/action-plan.ts';
import { type ActionParents, findParents, parentsNode, parentsOfFewNode } from './evaluate/action-parents.ts';
import type { Workspace } from './evaluate/chunk-value.ts';
import { allNode, anySetNode, type Node } from './evaluate/node.ts';
import { createOwnWords } from './evaluate/own-words.ts';
import { compileFilter, type PlanContext, visibilityNode } from './evaluate/plan.ts';
import type { TextLeaf } from './evaluate/tests.ts';
import { isStale, type SegmentView } from './evaluate/view.ts';

/** One state of a library: segments, none of which changes, and what is stale in each. */
export type IndexView = {
  readonly segments: readonly SegmentView[];
  /** Assets, those in the bin included. */
  readonly size: number;
  readonly tagType: (id: number) => TagType | undefined;
};

/** A segment as one search sees it. */
export type SegmentContext = {
  readonly view: SegmentView;
  readonly assets: PlanContext;
  /** Undefined when no asset has an action. */
  readonly actions: ActionContext | undefined;
  /**
   * Finds what a filter asks of actions, so that the filter can be planned; another one's is forgotten.
   * @param sortedBy of whose matches the first in each asset will be asked
   */
  prepare(filter: Filter, sortedBy?: ActionFilter): Generator<void, void>;
  /** Assets with an action that meets a prepared filter which is sorted by. */
  parentsOf(filter: ActionFilter): ActionParents | undefined;
};

type Clauses = (leaf: TextLeaf) => readonly ResolvedClause[];

/** Texts resolved among some words, each once. */
function createClauses(tagWords: TagWords, own: OwnWords<boolean, readonly string[]>): Clauses {
  const clauses = new Map<TextLeaf, readonly ResolvedClause[]>();
  return (leaf) => {
    const known = clauses.get(leaf) ?? resolveText(leaf.query, tagWords, own);
    clauses.set(leaf, known);
    return known;
  };
}

/** Up to so many actions are looked at without a pause. */
const FEW_ACTIONS = 65_536;

function actionFiltersOf(filter: Filter): ActionFilter[] {
  if (filter.kind === 'action') return [filter.filter];
  return 'filters' in filter ? filter.filters.flatMap(actionFiltersOf) : [];
}

/** How many assets the tests that ask nothing of actions leave, at most. */
function leftByOthers(assets: PlanContext, filter: Filter): number {
  const { size } = assets.segment;
  if (filter.kind !== 'all') return size;
  const others = filter.filters.filter((child) => !asksForActions(child));
  const nodes = others.map((child) => compileFilter(assets, child));
  return allNode([visibilityNode(assets, filter), ...nodes], size).estimate;
}

function createSegmentContext(
  work: Workspace,
  view: SegmentView,
  options: { readonly tagType: IndexView['tagType']; readonly ofAssets: Clauses; readonly ofActions: Clauses },
): SegmentContext {
  const { segment } = view;
  const { tagType } = options;
  const nodes = new Map<ActionFilter, Node>();
  const parents = new Map<ActionFilter, ActionParents>();
  const none = anySetNode(work, [], segment.size);
  const assets: PlanContext = {
    work,
    segment,
    tagType,
    clausesOf: options.ofAssets,
    actionNode: (filter) => nodes.get(filter) ?? none,
  };
  const actions: ActionContext | undefined = segment.actions && {
    work,
    segment: segment.actions,
    tagType,
    clausesOf: options.ofActions,
    assetDocument: segment.documentOf,
  };
  return {
    view,
    assets,
    actions,
    *prepare(filter, sortedBy) {
      nodes.clear();
      const asked = actions ? new Set([...actionFiltersOf(filter), ...(sortedBy ? [sortedBy] : [])]) : [];
      if (!actions || !segment.actions) return;
      for (const one of asked) {
        const known = parents.get(one);
        const node = planActions(actions, one);
        const left = leftByOthers(assets, filter) * segment.actions.longest;
        if (!known && one !== sortedBy && left <= Math.min(FEW_ACTIONS, node.estimate)) {
          nodes.set(one, parentsOfFewNode(work, segment.actions, { node, size: segment.size }));
          continue;
        }
        const found = known ?? (yield* findParents(work, segment.actions, { node, withFirsts: one === sortedBy }));
        parents.set(one, found);
        nodes.set(one, parentsNode(work, found));
      }
    },
    parentsOf: (filter) => parents.get(filter),
  };
}

/** The segments of a view for one search; texts mean the same in all of them. */
export function createContexts(work: Workspace, view: IndexView, tagWords: TagWords): readonly SegmentContext[] {
  const { segments, tagType } = view;
  const ofAssets = createClauses(
    tagWords,
    createOwnWords(
      segments.map(({ segment, stale }) => ({
        documents: segment,
        isLive: stale && ((document) => !isStale(stale, document)),
      })),
    ),
  );
  const ofActions = createClauses(
    tagWords,
    createOwnWords(
      segments.flatMap(({ segment: { actions }, stale }) =>
        actions
          ? [{ documents: actions, isLive: stale && ((document) => !isStale(stale, actions.parents[document] ?? 0)) }]
          : [],
      ),
    ),
  );
  return segments.map((one) => createSegmentContext(work, one, { tagType, ofAssets, ofActions }));
}
