import type { DetailTest, TestedField } from '../../filter/detail-test.ts';
import type { Segment } from '../segment/segment.ts';
import type { DetailMark, SegmentDetails } from '../segment/segment-details.ts';
import type { Workspace } from './chunk-value.ts';
import { allNode, anySetNode, eachNode, type Node, noneNode, SLOW_COST } from './node.ts';
import { numberNode, numberTestOf } from './number-test.ts';
import type { ColumnTest } from './tests.ts';

type Context = { readonly work: Workspace; readonly segment: Segment };
export type DetailLeaf = { readonly kind: 'detail'; readonly detail: TestedField; readonly test: DetailTest };

/** So many distinct texts of a field are searched for a part before the documents: about a millisecond. */
const FEW_VALUES = 4096;

const MARKS: readonly DetailMark[] = ['text', 'long', 'list'];

const isNumber = ({ type }: TestedField): boolean => type === 'number' || type === 'date';

/** Documents in any of the sets, of which some may not be there (-1). */
function setsNode({ work, segment }: Context, numbers: readonly number[]): Node {
  const sets = segment.details?.sets;
  const refs = sets ? numbers.filter((set) => set >= 0).map((set) => ({ sets, set })) : [];
  return anySetNode(work, refs, segment.size);
}

function textsNode(context: Context, field: number, texts: readonly string[]): Node {
  const { details } = context.segment;
  return setsNode(
    context,
    texts.map((text) => details?.valueSet(field, text) ?? -1),
  );
}

/** Documents with anything in a field. */
function presentNode(context: Context, field: number): Node {
  const { details } = context.segment;
  return setsNode(
    context,
    MARKS.map((mark) => details?.markSet(field, mark) ?? -1),
  );
}

/** A part of many distinct texts: each is looked at when the first document with it is. */
function containsEachNode(
  context: Context,
  details: SegmentDetails,
  options: { readonly field: number; readonly holds: (set: number) => boolean },
): Node {
  const { work, segment } = context;
  const { forward, forwardStarts } = details;
  const { field, holds } = options;
  const { from, to } = details.valueRange(field);
  const UNKNOWN = 2;
  const known = new Uint8Array(to - from).fill(UNKNOWN);
  const passes = (document: number): boolean => {
    const end = forwardStarts[document + 1] ?? 0;
    for (let at = forwardStarts[document] ?? 0; at < end; at += 1) {
      const set = forward[at] ?? 0;
      if (set < from || set >= to) continue;
      if (known[set - from] === UNKNOWN) known[set - from] = Number(holds(set));
      if (known[set - from] === 1) return true;
    }
    return false;
  };
  const each = eachNode(work, { size: segment.size, cost: SLOW_COST, passes });
  return allNode([presentNode(context, field), each], segment.size);
}

/** Upper and lower case alike, as `nameNode`. A text that is too long to be kept is not found. */
function containsNode(context: Context, field: number, contains: string): Node {
  const { details } = context.segment;
  if (!details) return setsNode(context, []);
  const holds = details.partFinder(field, contains);
  const { from, to } = details.valueRange(field);
  if (to - from > FEW_VALUES) return containsEachNode(context, details, { field, holds });
  return setsNode(context, Array.from({ length: to - from }, (_, at) => from + at).filter(holds));
}

/** The column and test of a field that is compared as a number; undefined of one whose texts are, or that nothing has. */
export function detailNumberTest(segment: Segment, { detail, test }: DetailLeaf): ColumnTest | undefined {
  const column = isNumber(detail) ? segment.details?.column(detail.id) : undefined;
  if (!column) return undefined;
  if (test.kind === 'exists') return { column, test };
  if (test.kind !== 'compare') return undefined;
  const values = test.values.map((value) => (value instanceof Date ? value.getTime() : Number(value)));
  return { column, test: numberTestOf(test.comparison, values) };
}

/** A test of a field of the organization's own: a missing value differs from every value and passes no other test. */
export function detailNode(context: Context, leaf: DetailLeaf): Node {
  const { work, segment } = context;
  const { size } = segment;
  const { detail, test } = leaf;
  const { id } = detail;
  const number = detailNumberTest(segment, leaf);
  if (number) return numberNode(work, number.column, { test: number.test, size });
  switch (test.kind) {
    case 'exists': {
      const present = presentNode(context, id);
      return test.exists ? present : noneNode(work, [present], size);
    }
    case 'compare': {
      // Without a column nothing has a number.
      const equal = isNumber(detail) ? setsNode(context, []) : textsNode(context, id, test.values.map(String));
      return test.comparison === 'ne' ? noneNode(work, [equal], size) : equal;
    }
    case 'contains':
      return containsNode(context, id, test.text);
    case 'all':
      return allNode(
        test.texts.map((text) => textsNode(context, id, [text])),
        size,
      );
    case 'any':
      return textsNode(context, id, test.texts);
    case 'none':
      return noneNode(work, [textsNode(context, id, test.texts)], size);
  }
}
