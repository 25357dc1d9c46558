import { CHUNK_DOCUMENTS, entryOf, LIST_MAX, MANY_POSITIONS } from '../segment/packed-sets.ts';
import type { Documents } from '../segment/documents.ts';
import { SLOT_WORDS } from '../kernels/kernels.ts';
import { countOf, setAll, setBits, setList, type Workspace } from './chunk-value.ts';
import { lowsOf } from './lows.ts';
import { allNode, anySetNode, type Node } from './node.ts';
import { visitRanks } from './ranks.ts';

/** A test whether a document has these words one after the other in one field, by all their places. */
function createPlacesTest(segment: Documents, numbers: readonly number[]): (document: number) => boolean {
  const reader = segment.newWordReader();
  const count = numbers.length;
  const positions: (readonly number[])[] = numbers.map(() => []);

  const followsFrom = (start: number): boolean => {
    for (let at = 1; at < count; at += 1) if (!positions[at]?.includes(start + at)) return false;
    return true;
  };
  return (document) => {
    segment.seekWords(reader, document);
    let missing = count;
    while (missing > 0 && reader.next()) {
      const { word } = reader;
      let found: readonly number[] | undefined;
      for (let at = 0; at < count; at += 1) {
        if (numbers[at] !== word) continue;
        found ??= reader.positions();
        positions[at] = found;
        missing -= 1;
      }
    }
    const [starts] = positions;
    return missing === 0 && starts !== undefined && starts.some(followsFrom);
  };
}

/** In the order of a chunk's documents: their positions of each word, and those that have the phrase. */
const kept = new Uint16Array(CHUNK_DOCUMENTS);

/**
 * Documents that have these words one after the other in one field; undefined when the segment lacks one of them. A phrase
 * may name a word twice. Most words occur once in a document: then their positions, which lie beside the sets, decide. The
 * places of all words of a document are read where one occurs several times.
 */
export function phraseNode(work: Workspace, segment: Documents, phrase: readonly string[]): Node | undefined {
  const { words, size } = segment;
  const numbers: number[] = [];
  for (const word of phrase) {
    const { from, to } = segment.wordRange(word, { prefix: false });
    if (from === to) return undefined;
    numbers.push(from);
  }
  const hasPhrase = createPlacesTest(segment, numbers);
  let columns = numbers.map(() => new Uint8Array(256));

  const follows = (at: number, document: number): boolean => {
    const first = columns[0]?.[at] ?? 0;
    let single = first !== MANY_POSITIONS;
    for (let word = 1; word < columns.length; word += 1) {
      const position = columns[word]?.[at] ?? 0;
      if (position === MANY_POSITIONS) single = false;
      // Two words that occur once each decide whatever the others do.
      else if (first !== MANY_POSITIONS && position !== first + word) return false;
    }
    return single || hasPhrase(document);
  };
  const test: Node = {
    estimate: size,
    cost: 2,
    restrict(chunk, value, depth) {
      const count = countOf(work, value, chunk.documents);
      if (count === 0) return;
      const lows = lowsOf(work, value, { count, documents: chunk.documents });
      if ((columns[0]?.length ?? 0) < count) columns = numbers.map(() => new Uint8Array(count * 2));
      for (const [place, word] of numbers.entries()) {
        const column = columns[place];
        const entry = entryOf(words, word, chunk.key);
        const from = words.impactPlaces?.[entry] ?? 0;
        // A document that lacks the word has no position, which follows nothing.
        column?.fill(0, 0, count);
        if (entry < 0) continue;
        visitRanks(words, { entry, documents: chunk.documents, lows }, (at, rank) => {
          if (column) column[at] = words.positions?.[from + rank] ?? 0;
        });
      }
      let found = 0;
      for (let at = 0; at < count; at += 1) {
        const low = lows[at] ?? 0;
        if (columns[0]?.[at] === 0 || !follows(at, chunk.key * CHUNK_DOCUMENTS + low)) continue;
        kept[found] = low;
        found += 1;
      }
      const level = work.level(depth);
      if (found <= LIST_MAX) {
        level.lists[0].set(kept.subarray(0, found));
        setList(value, level.lists[0], { from: 0, to: found });
        return;
      }
      work.kernels.clear(level.slot);
      work.kernels.setList(level.slot, kept, 0, found);
      setBits(value, work.kernels.words, level.slot * SLOT_WORDS);
    },
    evaluate(chunk, value, depth) {
      setAll(value);
      test.restrict(chunk, value, depth);
    },
  };
  const sets = [...new Set(numbers)].map((set) => anySetNode(work, [{ sets: words, set }], size));
  return allNode([...sets, test], size);
}
