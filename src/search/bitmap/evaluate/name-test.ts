import { foldText } from '../../../base/index.ts';
import type { Segment } from '../segment/segment.ts';
import type { Workspace } from './chunk-value.ts';
import { allNode, anyNode, anySetNode, eachNode, type Node, SLOW_COST } from './node.ts';

/** A word as long as the longest that is kept, or one less where half a letter was left out, may have been cut there. */
const CUT_WORD_LETTERS = 99;

/** A run of letters and digits in a part of a name, and whether the part shows where its word begins and ends. */
type Run = { readonly word: string; readonly begins: boolean; readonly ends: boolean };

/** The runs of a part in plain ASCII; others may fold to something else beside their neighbours in a name. */
function runsOf(part: string): readonly Run[] {
  if (!/^[\x20-\x7e]*$/.test(part) || /['`]/.test(part)) return [];
  return [...part.matchAll(/[a-z0-9]+/g)].map((match) => ({
    word: foldText(match[0]),
    begins: match.index > 0,
    ends: match.index + match[0].length < part.length,
  }));
}

const longWords = new WeakMap<Segment, readonly number[]>();

function longWordsOf(segment: Segment): readonly number[] {
  const known = longWords.get(segment);
  if (known) return known;
  const { starts } = segment.wordTable;
  const found: number[] = [];
  for (let word = 0; word < segment.words.count; word += 1) {
    if ((starts[word + 1] ?? 0) - (starts[word] ?? 0) >= CUT_WORD_LETTERS) found.push(word);
  }
  longWords.set(segment, found);
  return found;
}

/** The word whose text holds the byte at `place`. */
function wordAt(starts: Uint32Array, place: number, { from, to }: { from: number; to: number }): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle + 1] ?? 0) <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Words that hold a text, wherever. */
function wordsWith(segment: Segment, text: string): readonly number[] {
  const { starts, bytes } = segment.wordTable;
  const { count } = segment.words;
  const needle = Buffer.from(text);
  const found: number[] = [];
  for (let word = 0; word < count; ) {
    const place = bytes.indexOf(needle, starts[word] ?? 0);
    if (place < 0) break;
    word = wordAt(starts, place, { from: word, to: count });
    // One that lies across two words is in neither.
    if (place + needle.length <= (starts[word + 1] ?? 0)) found.push(word);
    word += 1;
  }
  return found;
}

/** Words that a name with the run has one of. */
function wordsOfRun(segment: Segment, { word, begins, ends }: Run): readonly number[] {
  if (!begins) return [...new Set([...wordsWith(segment, word), ...longWordsOf(segment)])];
  const { from, to } = segment.wordRange(word, { prefix: !ends });
  return Array.from({ length: to - from }, (_, at) => from + at);
}

/** Assets whose file name has a part, upper and lower case alike: found by their words, then looked at. */
export function nameNode(work: Workspace, segment: Segment, contains: string): Node {
  const { size, words } = segment;
  const part = contains.toLowerCase();
  const each = eachNode(work, {
    size,
    cost: SLOW_COST,
    passes: (document) => segment.name(document).toLowerCase().includes(part),
    touch: segment.touchName,
  });
  const runs = runsOf(part).filter(({ word }) => word.length < CUT_WORD_LETTERS);
  if (runs.length === 0) return each;
  const ofRuns = runs.map((run) =>
    anySetNode(
      work,
      wordsOfRun(segment, run).map((set) => ({ sets: words, set })),
      size,
    ),
  );
  const withRuns = allNode(ofRuns, size);
  if (segment.wordless === 0) return allNode([withRuns, each], size);
  // An asset that another node of an older version wrote has a name, but no words until they are filled in.
  const wordless = eachNode(work, { size, cost: 1, passes: (document) => !segment.hasWords(document) });
  return allNode([anyNode(work, [withRuns, wordless], size), each], size);
}
