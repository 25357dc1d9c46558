import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDictionary, type Dictionary } from './dictionary.ts';

function wordsWith(dictionary: Dictionary, options: { prefix: string; inUse: ReadonlySet<string> }): string[] {
  const found = dictionary
    .rangesOf(options.prefix)
    .map(({ order, from, to }) => [...order.subarray(from, to)].map(dictionary.textOf));
  for (const words of found) expect(words).toEqual(words.toSorted());
  return found
    .flat()
    .filter((word) => options.inUse.has(word))
    .toSorted();
}

describe('dictionary', () => {
  test('finds exactly the words in use by beginning and by part while they come, go and come back', () => {
    const word = fc.array(fc.constantFrom('a', 'b', 'c', '京'), { minLength: 1, maxLength: 5 }).map((l) => l.join(''));
    const step = fc.record({ add: fc.array(word, { maxLength: 6 }), drop: fc.array(fc.nat(20), { maxLength: 6 }) });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), word, (steps, part) => {
        const dictionary = createDictionary({ recentWords: 4 });
        const uses: string[] = [];
        for (const { add, drop } of steps) {
          for (const text of add) {
            dictionary.retain(text);
            uses.push(text);
          }
          for (const at of drop) {
            const [text] = uses.splice(at, 1);
            const id = text === undefined ? undefined : dictionary.idOf(text);
            if (id !== undefined) dictionary.release(id);
          }
          dictionary.commit();
          const inUse = new Set(uses);
          const expected = [...inUse].filter((text) => text.startsWith(part)).toSorted();
          expect(wordsWith(dictionary, { prefix: part, inUse })).toEqual(expected);
          if (part.length === 1 && part !== '京') continue;
          const containing: string[] = [];
          dictionary.containing(part, (id) => containing.push(dictionary.textOf(id)));
          expect(containing.toSorted()).toEqual([...inUse].filter((text) => text.includes(part)).toSorted());
        }
      }),
      { numRuns: 500 },
    );
  });
});
