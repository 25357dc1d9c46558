import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { wordsOf } from '../../base/index.ts';
import { createPlainTagWords } from '../../../test/support/plain-tag-words.ts';
import { createTagLookupIndex } from './index.ts';
import type { TagLookupRecord } from './types.ts';

/** Words that share beginnings, lie a few edits apart, change in folding, or are longer than a word is kept. */
const long = 'Donaudampfschiff'.repeat(7);
const syllable = fc.constantFrom(
  'har',
  'bour',
  'Leão',
  'raf',
  'ael',
  'šeško',
  'øde',
  'gaard',
  '北京',
  'Кир',
  '𠀀',
  '7',
  "O'",
);
const word = fc.oneof(
  { weight: 12, arbitrary: fc.array(syllable, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(long, `${long}x`, long.slice(0, 99), long.slice(0, 100), long.slice(0, 101)),
  },
);
const name = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
const record: fc.Arbitrary<TagLookupRecord> = fc.record({
  id: fc.integer({ min: 1, max: 30 }),
  type: fc.constantFrom('player', 'club', 'tag'),
  category: fc.constant(null),
  label: name,
  fullName: fc.option(name),
  aliases: fc.array(name, { maxLength: 2 }),
  mediaCount: fc.constant(0),
  status: fc.constantFrom('active', 'active', 'deactivated', 'merged'),
  shirts: fc.constant([]),
});
const change = fc.record({
  put: fc.array(record, { maxLength: 20 }),
  drop: fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 6 }),
});

/** A word of the library, or one with a letter taken out, added, replaced, swapped, or cut off at the end. */
function questionOver(words: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom('none', ...words), fc.nat(110), fc.nat(6))
    .map(([text, at, edit]) => {
      if (edit === 0) return text.slice(0, at + 1);
      if (edit === 1) return text.slice(0, at) + text.slice(at + 1);
      if (edit === 2) return `${text.slice(0, at)}q${text.slice(at)}`;
      if (edit === 3) return `${text.slice(0, at)}q${text.slice(at + 1)}`;
      if (edit === 4)
        return text.slice(0, at) + text.slice(at + 1, at + 2) + text.slice(at, at + 1) + text.slice(at + 2);
      return text;
    })
    .map((text) => wordsOf(text)[0] ?? 'none');
}

test('the words of the index answer as words read one by one do, after any history of changes', () => {
  let answered = 0;
  const scenario = fc.array(change, { minLength: 1, maxLength: 4 }).chain((changes) => {
    const names = changes.flatMap(({ put }) => put.flatMap((one) => [one.label, one.fullName ?? '', ...one.aliases]));
    const words = names.flatMap(wordsOf);
    const phrase = fc
      .tuple(fc.constantFrom('none', ...names), fc.nat(2))
      .map(([text, from]) => wordsOf(text).slice(from));
    return fc.tuple(
      fc.constant(changes),
      fc.array(questionOver(words), { minLength: 1, maxLength: 12 }),
      fc.array(phrase, { maxLength: 4 }),
    );
  });
  fc.assert(
    fc.property(scenario, ([changes, questions, phrases]) => {
      const index = createTagLookupIndex();
      const library = new Map<number, TagLookupRecord>();
      for (const { put, drop } of changes) {
        index.upsert(put);
        index.remove(drop);
        for (const entry of put) library.set(entry.id, entry);
        for (const id of drop) library.delete(id);
      }
      const named = [...library.values()].filter(({ status }) => status !== 'merged');
      const plain = createPlainTagWords(
        named.map((one) => ({ id: one.id, names: [one.label, one.fullName ?? '', ...one.aliases] })),
      );
      for (const question of questions) {
        for (const prefix of [false, true]) {
          const found = index.words.withWord(question, { prefix });
          expect(found).toEqual(plain.withWord(question, { prefix }));
          answered += found.length;
        }
        const similar = index.words.similar(question);
        expect(similar).toEqual(plain.similar(question));
        answered += similar.length;
      }
      for (const phrase of phrases.filter((words) => words.length > 1)) {
        expect(index.words.withPhrase(phrase)).toEqual(plain.withPhrase(phrase));
      }
    }),
    { numRuns: 800 },
  );
  expect(answered).toBeGreaterThan(1000);
});
