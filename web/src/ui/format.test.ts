import { expect, test } from 'vitest';
import { formatBytes, formatDuration, formatShortCount, plural } from './format.ts';

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1.0 kB'],
  [9_960, '10.0 kB'],
  [99_960, '100 kB'],
  [999_960, '1.0 MB'],
  [11_968_213, '12.0 MB'],
  [433_532_000, '434 MB'],
  [3_210_000_000, '3.2 GB'],
  [2_500_000_000_000, '2.5 TB'],
  [4_500_000_000_000_000, '4.5 PB'],
  [4_500_000_000_000_000_000, '4500 PB'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test('a duration has hours only where there are some', () => {
  expect([12_400, 61_000, 3_725_000].map(formatDuration)).toEqual(['0:12', '1:01', '1:02:05']);
});

test('a count is short from ten thousand on, and names one thing as one', () => {
  expect([9999, 12_345].map(formatShortCount)).toEqual(['9,999', '12.3K']);
  expect([plural(1, 'asset'), plural(1200, 'asset'), plural(0, 'try', 'tries')]).toEqual([
    '1 asset',
    '1,200 assets',
    '0 tries',
  ]);
});
