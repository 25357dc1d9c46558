import type { Dictionary, WordRange } from './dictionary.ts';
import { editsAllowed, MATCH_CLASS } from './match-class.ts';

type Visit = (id: number, matchClass: number) => void;
type Search = { readonly word: string; readonly unfinished: boolean; readonly visit: Visit };

/**
 * Visits the words that are a few edits away from the query word (one added, missing or replaced letter, or two
 * neighbours swapped: the restricted Damerau-Levenshtein distance), each with its typo class; with `unfinished` also
 * the words that only begin so. Another first letter is forgiven only as the single fault.
 */
export function visitTypos(dictionary: Dictionary, search: Search): void {
  const { word } = search;
  const edits = editsAllowed(word);
  if (edits === 0) return;
  for (const range of dictionary.rangesOf(word.slice(0, 1))) walk(dictionary, range, { ...search, edits });
  visitOtherFirstLetter(dictionary, search);
}

/** Visits the words with the same first letter within so many edits, used or not. */
export function visitWithinEdits(
  dictionary: Dictionary,
  search: { readonly word: string; readonly edits: number },
  visit: (id: number) => void,
): void {
  for (const range of dictionary.rangesOf(search.word.slice(0, 1))) {
    walk(dictionary, range, { ...search, unfinished: false, visit });
  }
}

/** Replaced, added or swapped first letter. A missing one needs no look: the word is then found by its part. */
function visitOtherFirstLetter(dictionary: Dictionary, search: Search): void {
  const { word, unfinished, visit } = search;
  const first = word.slice(0, 1);
  const rest = word.slice(1);
  const judge = (id: number, text: string, wholeLength: number): void => {
    if (text.length === wholeLength) visit(id, MATCH_CLASS.typo1);
    else if (unfinished) visit(id, MATCH_CLASS.typo1Prefix);
  };
  dictionary.containing(rest, (id) => {
    const text = dictionary.textOf(id);
    if (text.startsWith(rest, 1) && !text.startsWith(first)) judge(id, text, word.length);
  });
  const swapped = word.slice(1, 2) + first + word.slice(2);
  for (const beginning of [rest, swapped]) {
    if (beginning.startsWith(first)) continue;
    for (const { order, from, to } of dictionary.rangesOf(beginning)) {
      for (let at = from; at < to; at += 1) {
        const id = order[at] ?? 0;
        judge(id, dictionary.textOf(id), beginning.length);
      }
    }
  }
}

/**
 * Walks a sorted range as if it were a trie: the distance table has one row a letter, words share the rows of their
 * common beginning, and a beginning that no continuation can save skips all its words.
 */
function walk(dictionary: Dictionary, range: WordRange, search: Search & { readonly edits: number }): void {
  const { word, unfinished, edits, visit } = search;
  const table = createDistanceTable(word, edits);
  let previous = '';
  let at = range.from;
  while (at < range.to) {
    const text = dictionary.textOf(range.order[at] ?? 0);
    let depth = sharedLength(previous, text);
    let alive = true;
    while (alive && depth < text.length) {
      depth += 1;
      alive = table.addRow(text, depth);
    }
    previous = text;
    // All words with a dead beginning share its fate, so none of them needs the rows behind it.
    const next = alive ? at + 1 : endOfBeginning(dictionary, { range, at, beginning: text.slice(0, depth) });
    const wholeDistance = alive ? table.wholeDistance(depth) : edits + 1;
    const beginningDistance = unfinished ? table.beginningDistance(depth) : edits + 1;
    const matchClass = classOf(wholeDistance, beginningDistance, edits);
    for (; at < next; at += 1) if (matchClass > 0) visit(range.order[at] ?? 0, matchClass);
  }
}

function classOf(wholeDistance: number, beginningDistance: number, edits: number): number {
  if (wholeDistance <= 1) return MATCH_CLASS.typo1;
  if (beginningDistance <= 1) return MATCH_CLASS.typo1Prefix;
  if (wholeDistance <= edits) return MATCH_CLASS.typo2;
  return beginningDistance <= edits ? MATCH_CLASS.typo2Prefix : 0;
}

type DistanceTable = {
  /** Compares the query word with the text's first `depth` letters; false when no continuation is near enough. */
  addRow(text: string, depth: number): boolean;
  wholeDistance(depth: number): number;
  /** The smallest distance between the query word and any beginning of up to `depth` letters. */
  beginningDistance(depth: number): number;
};

function createDistanceTable(word: string, edits: number): DistanceTable {
  const width = word.length + 1;
  const far = edits + 1;
  const deepest = word.length + edits + 1;
  const cells = new Uint8Array((deepest + 1) * width).fill(far);
  const nearest = new Uint8Array(deepest + 1).fill(far);
  for (let column = 0; column <= Math.min(edits, word.length); column += 1) cells[column] = column;
  return {
    addRow(text, depth) {
      const row = depth * width;
      // Only the diagonal band can stay within the allowed edits; the cells beside it keep `far`.
      const from = Math.max(0, depth - edits);
      const to = Math.min(word.length, depth + edits);
      const letter = text.charCodeAt(depth - 1);
      let smallest = far;
      for (let column = from; column <= to; column += 1) {
        let distance = column === 0 ? depth : far;
        if (column > 0) {
          const same = word.charCodeAt(column - 1) === letter;
          distance = (cells[row - width + column - 1] ?? far) + (same ? 0 : 1);
          distance = Math.min(distance, (cells[row - width + column] ?? far) + 1);
          if (column > from) distance = Math.min(distance, (cells[row + column - 1] ?? far) + 1);
          const swapped =
            depth > 1 &&
            column > 1 &&
            word.charCodeAt(column - 2) === letter &&
            word.charCodeAt(column - 1) === text.charCodeAt(depth - 2);
          if (swapped) distance = Math.min(distance, (cells[row - 2 * width + column - 2] ?? far) + 1);
        }
        cells[row + column] = Math.min(distance, far);
        smallest = Math.min(smallest, distance);
      }
      const whole = to === word.length && from <= to ? (cells[row + word.length] ?? far) : far;
      nearest[depth] = Math.min(nearest[depth - 1] ?? far, whole);
      return smallest < far;
    },
    wholeDistance: (depth) => (depth < deepest ? (cells[depth * width + width - 1] ?? far) : far),
    beginningDistance: (depth) => nearest[Math.min(depth, deepest)] ?? far,
  };
}

function sharedLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length += 1;
  return length;
}

/** The first position behind `at` whose word does not begin with `beginning`; steps double, so that far is near. */
function endOfBeginning(
  dictionary: Dictionary,
  search: { readonly range: WordRange; readonly at: number; readonly beginning: string },
): number {
  const { order, to } = search.range;
  const inside = (at: number): boolean => dictionary.textOf(order[at] ?? 0).startsWith(search.beginning);
  let low = search.at;
  let step = 1;
  while (low + step < to && inside(low + step)) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, to);
  while (low + 1 < high) {
    const middle = (low + high) >>> 1;
    if (inside(middle)) low = middle;
    else high = middle;
  }
  return high;
}
