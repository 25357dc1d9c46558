import { describe, expect, test } from 'vitest';
import { wordsOf } from '../base/index.ts';
import { findSpans, markedHtml, placedWords } from './highlight.ts';
import { parseTextQuery } from './text/text-query.ts';

const TEXTS = [
  "Šeško's 2nd goal — Smith-Jones (left), O'Neill & ØDEGAARD",
  'Adidas™ ½ kg ㎏ ① ﷺ 北京 ЁЛКА',
  'e\u0301te\u0301 so\u00adft ',
  'IMG_0042.JPG',
  '',
  '😀goal😀',
];

const positive = (query: string) => (parseTextQuery(query)?.clauses ?? []).filter((clause) => !clause.negated);
const shown = (text: string, query: string, maxLetters = 200) =>
  markedHtml(text, findSpans([text], positive(query))[0] ?? [], maxLetters);

test('the placed words of a text are its folded words', () => {
  for (const text of TEXTS) {
    const placed = placedWords(text);
    expect(placed.map(({ word }) => word)).toEqual(wordsOf(text));
    for (const { start, end, word } of placed) expect(wordsOf(text.slice(start, end))).toContain(word);
  }
});

describe('a word is marked', () => {
  test.each([
    ['Benjamin Šeško scores', 'sesko ', 'Benjamin <mark>Šeško</mark> scores'],
    ['Goals and goalkeepers', 'goal', '<mark>Goals</mark> and <mark>goalkeepers</mark>'],
    ['Goals and goalkeepers', 'goals ', '<mark>Goals</mark> and goalkeepers'],
    ["O'Neill’s shot", 'oneills', '<mark>O&#39;Neill’s</mark> shot'],
    ['the left foot, the foot', '"left foot"', 'the <mark>left foot</mark>, the foot'],
    ['Left-foot shot', '"left foot"', '<mark>Left-foot</mark> shot'],
    ['a celebraton', 'celebration ', 'a <mark>celebraton</mark>'],
    ['a celebration, a celebraton', 'celebration ', 'a <mark>celebration</mark>, a celebraton'],
    ['IMG_0042.JPG', '0042 ', 'IMG_<mark>0042</mark>.JPG'],
  ])('in %j for %j', (text, query, html) => {
    expect(shown(text, query)).toBe(html);
  });

  test('only where it is', () => {
    expect(shown('Corner kick', 'goal')).toBeUndefined();
    expect(shown('Corner kick', '-corner goal')).toBeUndefined();
  });

  test('by a typing error only when no text of the asset has the word itself', () => {
    const spans = findSpans(['celebraton', 'celebration'], positive('celebration '));
    expect(spans.map(({ length }) => length)).toEqual([0, 1]);
  });
});

test('everything but the marks is escaped', () => {
  expect(shown('<b>goal</b> & "more"', 'goal ')).toBe('&lt;b&gt;<mark>goal</mark>&lt;/b&gt; &amp; &quot;more&quot;');
});

describe('a long text', () => {
  const long = `${'before '.repeat(60)}the winner ${'after '.repeat(60)}`.trim();

  test('is cut between words around the first hit', () => {
    const html = shown(long, 'winner ') ?? '';
    expect(html).toMatch(/^…(before )+the <mark>winner<\/mark>( after)+…$/);
    expect(html.length).toBeLessThanOrEqual(200 + '……<mark></mark>'.length);
    expect(html.length).toBeGreaterThan(150);
  });

  test('keeps its beginning or end when the hit is there', () => {
    expect(shown(long, 'before ')?.startsWith('<mark>before</mark>')).toBe(true);
    expect(shown(`${'before '.repeat(60)}end`, 'end ')?.endsWith('before <mark>end</mark>')).toBe(true);
  });

  test('is never cut inside a character or before the hit ends', () => {
    const emoji = `${'😀'.repeat(150)} goal ${'😀'.repeat(150)}`;
    for (const maxLetters of [4, 5, 40, 41, 42, 43]) {
      const html = shown(emoji, 'goal ', maxLetters) ?? '';
      expect(html).toContain('<mark>goal</mark>');
      expect(html).not.toMatch(/\p{Surrogate}/u);
    }
  });
});
