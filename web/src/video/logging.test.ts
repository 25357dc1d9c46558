import { describe, expect, test } from 'vitest';
import { draftOf, markIn, markOut, NO_MARKS } from './action-draft.ts';
import { DEFAULT_HOTKEYS, problemOf, readHotkeys, RESERVED_KEYS, withHotkey, withoutHotkey } from './hotkeys.ts';

describe('hotkeys', () => {
  test('the usual ones are different keys, and none moves the video', () => {
    expect(new Set(DEFAULT_HOTKEYS.map(({ key }) => key)).size).toBe(DEFAULT_HOTKEYS.length);
    for (const { key } of DEFAULT_HOTKEYS) expect(RESERVED_KEYS.has(key), key).toBe(false);
  });

  test.each([
    ['J', 'reserved'],
    ['g', 'taken'],
    ['F5', 'not one key'],
    ['w', undefined],
  ] as const)('%s for a throw-in: %s', (key, problem) => {
    expect(problemOf(DEFAULT_HOTKEYS, { key, type: 'throw_in' })).toBe(problem);
  });

  test('a type has one key', () => {
    const moved = withHotkey(DEFAULT_HOTKEYS, { key: 'W', type: 'goal', label: 'Goal' });
    expect(moved.filter(({ type }) => type === 'goal')).toEqual([{ key: 'w', type: 'goal', label: 'Goal' }]);
    expect(withoutHotkey(moved, 'goal')).toHaveLength(DEFAULT_HOTKEYS.length - 1);
  });

  test.each([
    null,
    'no json',
    '{}',
    '[{"key":"jj","type":"a","label":"A"}]',
    '[{"key":"j","type":"a","label":"A"}]',
    '[1]',
  ])('what cannot be read (%s) is the usual ones', (stored) => {
    expect(readHotkeys(stored)).toBe(DEFAULT_HOTKEYS);
  });

  test('what was stored is read again', () => {
    const own = [{ key: 'w', type: 'wall', label: 'Wall' }];
    expect(readHotkeys(JSON.stringify(own))).toEqual(own);
    expect(readHotkeys('[]')).toEqual([]);
  });
});

describe('logging', () => {
  test('without marks it is a moment', () => {
    expect(draftOf('goal', { playheadMs: 5000, marks: NO_MARKS })).toEqual({ type: 'goal', event_ms: 5000 });
  });

  test('from the in mark to the playhead', () => {
    const marks = markIn(NO_MARKS, 3000);
    expect(draftOf('goal', { playheadMs: 5000, marks })).toEqual({
      type: 'goal',
      start_ms: 3000,
      end_ms: 5000,
      event_ms: 3000,
    });
    expect(draftOf('goal', { playheadMs: 2000, marks })).toEqual({ type: 'goal', event_ms: 2000 });
  });

  test('from mark to mark, with the moment where the playhead is', () => {
    const marks = markOut(markIn(NO_MARKS, 3000), 9000);
    expect(draftOf('goal', { playheadMs: 5000, marks })).toMatchObject({
      start_ms: 3000,
      end_ms: 9000,
      event_ms: 5000,
    });
    expect(draftOf('goal', { playheadMs: 12_000, marks })).toMatchObject({ end_ms: 9000, event_ms: 3000 });
  });

  test('marks that cross drop the older one', () => {
    expect(markIn({ inMs: null, outMs: 4000 }, 5000)).toEqual({ inMs: 5000, outMs: null });
    expect(markOut({ inMs: 5000, outMs: null }, 4000)).toEqual({ inMs: null, outMs: 4000 });
  });
});
