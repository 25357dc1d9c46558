import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { manyRows, placesOf } from '../../../../test/support/index-rows.ts';
import { wordsOf } from '../../../base/index.ts';
import { createSegmentBuilder } from '../segment/segment-builder.ts';
import { openSegment } from '../segment/segment.ts';
import { createWorkspace, newValue, visitLows } from './chunk-value.ts';
import { nameNode } from './name-test.ts';

const work = createWorkspace();
/** What words are made of, divided by, folded away and cut at. */
const PIECES = [
  'img',
  'IMG',
  'i',
  'I',
  'g1',
  '1',
  ' ',
  '_',
  '-',
  '.',
  "'",
  '’',
  '`',
  '\u0301',
  'É',
  'ß',
  'ﬁ',
  'İ',
  'K',
  '½',
  '①',
  '𠀀',
  '²',
  '\u00ad',
  '\u200d',
  '·',
  '/',
  '&',
  'ǆ',
  'Σ',
  '京',
  'ｉ',
  'ː',
];

function found(names: readonly string[], contains: string): string[] {
  const [base] = manyRows(1, { seed: 1 });
  if (!base) throw new RangeError('expected a row');
  const builder = createSegmentBuilder();
  for (const [at, name] of names.entries()) {
    builder.add({ ...base, id: at + 1, created_at: at, name, text: placesOf([{ rank: 3, words: wordsOf(name) }]) });
  }
  const segment = openSegment(builder.finish());
  const value = newValue();
  nameNode(work, segment, contains).evaluate({ key: 0, documents: names.length }, value, 0);
  const hits: string[] = [];
  visitLows(value, { from: 0, to: names.length }, (low) => void hits.push(names[low] ?? ''));
  return hits;
}

const expected = (names: readonly string[], part: string) =>
  names.filter((name) => name.toLowerCase().includes(part.toLowerCase()));

describe('a part of a name', () => {
  test('is found wherever it is, whatever words the name is made of', () => {
    const name = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(
        fc.array(name, { minLength: 1, maxLength: 20 }),
        fc.nat(19),
        fc.nat(20),
        fc.nat(20),
        (names, at, from, length) => {
          const source = names[at % names.length] ?? '';
          const start = from % source.length;
          const part = source.slice(start, start + 1 + (length % 6));
          // Half of a letter of two units is no text that a client can send.
          if (/[\uD800-\uDFFF]/u.test(part)) return;
          expect({ part, found: found(names, part) }).toEqual({ part, found: expected(names, part) });
        },
      ),
      { numRuns: 3000, endOnFailure: true },
    );
  });

  test('is found in words so long that they are cut', () => {
    const long = 'a'.repeat(99);
    const names = [`${long}𠀀xyz`, `x ${long}bbbxyz end`, `x ${long}b end`, `x ${long} end`, `${long}bb.jpg`];
    for (const part of [
      'xyz',
      'bbbxyz end',
      ` ${long}bbb`,
      ` ${long}bbbxyz `,
      `${long}b end`,
      ` ${long} end`,
      ` ${long}b `,
      'bb.jpg',
    ]) {
      expect({ part, found: found(names, part) }).toEqual({ part, found: expected(names, part) });
    }
  });
});
