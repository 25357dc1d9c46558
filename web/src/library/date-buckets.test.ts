import { expect, test } from 'vitest';
import { barsOf, barsWithin, nextOf, startOf, unitFor } from './date-buckets.ts';

const bucket = (date: string, count = 1) => ({ value: `${date}T00:00:00.000Z`, count });

test('bars have no gaps, over the ends of years and Februaries', () => {
  const bars = barsOf([bucket('2025-12-01', 3), bucket('2026-02-01', 5), bucket('2026-03-01', 1)], 'month');
  expect(bars).toEqual([
    { from: '2025-12-01', before: '2026-01-01', count: 3 },
    { from: '2026-01-01', before: '2026-02-01', count: 0 },
    { from: '2026-02-01', before: '2026-03-01', count: 5 },
    { from: '2026-03-01', before: '2026-04-01', count: 1 },
  ]);
  expect(barsOf([bucket('2024-02-28'), bucket('2024-03-01')], 'day').map(({ from }) => from)).toEqual([
    '2024-02-28',
    '2024-02-29',
    '2024-03-01',
  ]);
  expect(barsOf([], 'day')).toEqual([]);
});

test('months add up to years', () => {
  expect(barsOf([bucket('2001-02-01', 2), bucket('2001-11-01', 3), bucket('2003-01-01', 1)], 'year')).toEqual([
    { from: '2001-01-01', before: '2002-01-01', count: 5 },
    { from: '2002-01-01', before: '2003-01-01', count: 0 },
    { from: '2003-01-01', before: '2004-01-01', count: 1 },
  ]);
});

test('a short library is shown by day, a long one by year', () => {
  expect(unitFor([bucket('2026-06-01'), bucket('2026-07-01')])).toBe('day');
  expect(unitFor([bucket('2026-03-01'), bucket('2026-07-01')])).toBe('week');
  expect(unitFor([bucket('2019-03-01'), bucket('2026-07-01')])).toBe('month');
  expect(unitFor([bucket('1978-03-01'), bucket('2026-07-01')])).toBe('year');
  expect(unitFor([])).toBe('month');
});

test('a range of dates takes the bars that it touches', () => {
  const bars = barsOf([bucket('2026-01-01'), bucket('2026-06-01')], 'month');
  expect(barsWithin(bars, { from: undefined, before: undefined })).toEqual({ first: 0, last: 5 });
  expect(barsWithin(bars, { from: '2026-02-15', before: '2026-04-01' })).toEqual({ first: 1, last: 2 });
  expect(barsWithin(bars, { from: '2030-01-01', before: '2031-01-01' })).toEqual({ first: 5, last: 5 });
  expect(barsWithin(bars, { from: '2001-01-01', before: '2002-01-01' })).toEqual({ first: 0, last: 0 });
});

test('units begin where they begin', () => {
  expect([
    startOf('year', '2026-07-25'),
    startOf('month', '2026-07-25'),
    startOf('day', '2026-07-25T18:00:00Z'),
  ]).toEqual(['2026-01-01', '2026-07-01', '2026-07-25']);
  expect(['2026-03-09', '2026-03-15', '2026-03-16'].map((date) => startOf('week', date))).toEqual([
    '2026-03-09',
    '2026-03-09',
    '2026-03-16',
  ]);
  expect(nextOf('week', '2026-12-28')).toBe('2027-01-04');
  expect(nextOf('month', '2026-12-01')).toBe('2027-01-01');
});
