import { describe, expect, test } from 'vitest';
import { searchVector } from './search-text.ts';

const vectorOf = (name: string, details: Readonly<Record<string, unknown>> = {}) => searchVector(name, details).vector;
const placesOf = (vector: string): number[] => [...vector.matchAll(/(\d+)[ABC]/g)].map((match) => Number(match[1]));

describe('words of an asset', () => {
  test('a name gives folded words of the highest class, in their places', () => {
    expect(vectorOf("Šeško's goal, 2nd goal.JPG")).toBe("'seskos':1A 'goal':2A,4A '2nd':3A 'jpg':5A");
    expect(vectorOf('ØDEGAARD.jpg')).toBe("'odegaard':1A 'jpg':2A");
  });

  test('nothing but signs gives no words', () => {
    expect(searchVector('???', { caption: '  ' })).toEqual({ vector: '', words: [] });
  });

  test('headline counts as the name, caption, keywords and persons less, every other text least', () => {
    expect(
      vectorOf('a', {
        credit: 'f',
        caption: 'c',
        persons: ['e'],
        headline: 'b',
        keywords: ['d'],
        camera: { make: 'g' },
      }),
    ).toBe("'a':1A 'b':3A 'c':5B 'd':7B 'e':9B 'g':11C 'f':13C");
  });

  test('texts in nested lists and objects are found, numbers and names of fields are not', () => {
    const details = { club: { people: [{ name: 'Ana', shirt: 7 }, ['Bo', null, true]] }, keywords: [{ text: 'deep' }] };
    expect(vectorOf('x', details)).toBe("'x':1A 'deep':3B 'ana':5C 'bo':7C");
  });

  test('no phrase reaches from one text into the next: a place between them is free', () => {
    const vector = vectorOf('first goal', { keywords: ['left', '!', 'foot shot'], caption: 'second half' });
    expect(vector).toBe("'first':1A 'goal':2A 'second':4B 'half':5B 'left':7B 'foot':9B 'shot':10B");
  });

  test('the order in which details were written changes nothing', () => {
    const one = { zone: 'z', byline: { last: 'l', first: 'f' }, keywords: ['k'] };
    const other = { keywords: ['k'], byline: { first: 'f', last: 'l' }, zone: 'z' };
    expect(vectorOf('n', one)).toBe(vectorOf('n', other));
  });

  test('fields with the names of object members are ordinary ones', () => {
    const details = JSON.parse('{"__proto__": "one", "constructor": "two", "toString": "three"}');
    expect(searchVector('n', details).words.toSorted()).toEqual(['n', 'one', 'three', 'two']);
  });

  test('words beyond 2,000 are left out, those of the least telling fields first', () => {
    const many = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}${n}`).join(' ');
    const { words, vector } = searchVector('name', { a_note: many('c', 1500), caption: many('b', 1500) });
    expect(words).toHaveLength(2000);
    expect(words.filter((word) => word.startsWith('b'))).toHaveLength(1500);
    expect(Math.max(...placesOf(vector))).toBe(2002);
  });

  test('one word keeps at most 255 places', () => {
    const { words, vector } = searchVector('x', { caption: 'goal '.repeat(400), note: 'end' });
    expect(words).toEqual(['x', 'goal', 'end']);
    expect(placesOf(vector)).toHaveLength(257);
    expect(vector).toContain("'end':404C");
  });

  test('the last place is one that PostgreSQL can hold, whatever the texts', () => {
    const { vector } = searchVector('x', { keywords: Array.from({ length: 5000 }, (_, n) => `k${n}`) });
    expect(Math.max(...placesOf(vector))).toBeLessThan(16_383);
  });

  test('details nested 5,000 levels deep are read', () => {
    let details: unknown = 'bottom';
    for (let level = 0; level < 5000; level += 1) details = level % 2 ? { x: details } : [details];
    expect(searchVector('top', { details }).words).toEqual(['top', 'bottom']);
  });
});
