import { type ActionFilter, type ActionIdField } from '../../filter/filter-tree.ts';
import { actionVisibility } from '../../filter/visibility.ts';
import { entryOf } from '../segment/packed-sets.ts';
import type { ActionDocuments } from '../segment/segment-actions.ts';
import { CHUNK_DOCUMENTS } from '../segment/packed-sets.ts';
import { actionsOfFewNode } from './asset-set.ts';
import { hasLow, newValue, setEntry } from './chunk-value.ts';
import { allNode, type Node, noneNode } from './node.ts';
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
  withoutOthersNode,
} from './tests.ts';

/** What compiling a filter of actions needs to know beside the actions. */
export type ActionContext = TestContext & {
  readonly segment: ActionDocuments;
  /** The document of an asset in the segment, -1 without one. */
  assetDocument(id: number): number;
};

type Leaf<Kind extends ActionFilter['kind']> = Extract<ActionFilter, { kind: Kind }>;

/** Players who count in some roles only. */
function rolesNode(context: ActionContext, leaf: Leaf<'ids'>, roles: readonly string[]): Node {
  const { segment } = context;
  const { sets, size } = segment;
  const named = (id: number) => roles.map((role) => `${id}:${role}`);
  const allowed = new Set(leaf.ids);
  const one = newValue();
  const hasRole = (id: number, document: number): boolean =>
    named(id).some((value) => {
      const set = segment.valueSet('player_role', value);
      const key = Math.floor(document / CHUNK_DOCUMENTS);
      const documents = Math.min(CHUNK_DOCUMENTS, size - key * CHUNK_DOCUMENTS);
      if (set < 0) return false;
      setEntry(one, sets, { entry: entryOf(sets, set, key), documents });
      return hasLow(one, document % CHUNK_DOCUMENTS);
    });
  return idsNode(context, leaf, {
    having: (ids) => valuesNode(context, 'player_role', ids.flatMap(named)),
    alone: () => withoutOthersNode(context, 'player', (id, document) => !allowed.has(id) && hasRole(id, document)),
  });
}

/** Of `type` and `media` an action has one each: it has no other beside it. */
function singleIdNode(context: ActionContext, leaf: Leaf<'ids'>, having: (ids: readonly number[]) => Node): Node {
  return idsNode(context, leaf, { having, alone: () => allNode([], context.segment.size) });
}

const isSingle = (field: ActionIdField): field is 'type' | 'media' => field === 'type' || field === 'media';

function idsTestNode(context: ActionContext, leaf: Leaf<'ids'>): Node {
  const { field } = leaf;
  if (!isSingle(field)) {
    if (field === 'player' && leaf.roles) return rolesNode(context, leaf, leaf.roles);
    return tagTestNode(context, { ...leaf, field });
  }
  if (field === 'type') return singleIdNode(context, leaf, (ids) => valuesNode(context, 'type', ids));
  return singleIdNode(context, leaf, (ids) => {
    const found = new Set(ids.map((id) => context.assetDocument(id)).filter((document) => document >= 0));
    return actionsOfFewNode(
      context.work,
      context.segment,
      [...found].toSorted((a, b) => a - b),
    );
  });
}

function compile(context: ActionContext, filter: ActionFilter): Node {
  switch (filter.kind) {
    case 'all':
    case 'any':
    case 'none':
      return groupNode(context, filter, {
        compile: (child) => compile(context, child),
        numberTest: (child) => compareTestOf(context.segment, child),
      });
    case 'ids':
      return idsTestNode(context, filter);
    case 'compare':
      return compareNode(context, filter);
    case 'exists':
      return existsNode(context, filter);
    case 'text':
      return textNode(context, filter);
  }
}

/** A filter of actions, and which of them may be seen at all, as a test of a segment's actions. */
export function planActions(context: ActionContext, filter: ActionFilter): Node {
  const { work, segment } = context;
  const { size } = segment;
  const node = compile(context, filter);
  if (actionVisibility(filter) === 'everything') return node;
  return allNode([noneNode(work, [valuesNode(context, 'status', ['retracted'])], size), node], size);
}
