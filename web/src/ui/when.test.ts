import { expect, test } from 'vitest';
import { formatClock, formatRelative } from './when.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');

test.each([
  ['2026-11-22T11:59:30Z', 'just now'],
  ['2026-11-22T12:00:20Z', 'in a moment'],
  ['2026-11-22T11:48:00Z', '12 minutes ago'],
  ['2026-11-22T09:00:00Z', '3 hours ago'],
  ['2026-11-21T11:00:00Z', 'yesterday'],
  ['2026-12-22T12:00:00Z', 'in 30 days'],
  ['2026-03-05T12:00:00Z', '5 Mar 2026'],
  ['2027-11-22T12:00:00Z', '22 Nov 2027'],
])('%s is %s at noon of 22 November', (time, text) => {
  expect(formatRelative(time, NOW)).toBe(text);
});

test('a time of day has its date where that is another day', () => {
  expect(formatClock('2026-11-22T13:00:00Z', NOW)).toMatch(/^\d\d:00:00$/);
  expect(formatClock('2026-11-24T13:00:00Z', NOW)).toMatch(/^24 Nov 2026, \d\d:00:00$/);
});
