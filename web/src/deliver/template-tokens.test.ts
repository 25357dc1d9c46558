import { expect, test } from 'vitest';
import { insertAt } from './template-tokens.ts';

test.each([
  ['ab', '{x}', { start: 1, end: 1 }, 'a{x}b', 4],
  ['ab', '{x}', { start: 0, end: 2 }, '{x}', 3],
  ['', '{x}', { start: 9, end: 9 }, '{x}', 3],
])('into %j comes %j at %o', (text, piece, selected, expected, caret) => {
  expect(insertAt(text, piece, selected)).toEqual({ text: expected, caret });
});
