import { describe, expect, test } from 'vitest';
import { assetRows, liveAssets, periodOf, scaleEnd, spansOf, spanText, storageRows } from './usage-figures.ts';

test('assets are counted by state, and those in the bin apart', () => {
  const assets = [
    { media_type: 'photo', status: 'deleted', count: 2 },
    { media_type: 'photo', status: 'ready', count: 82 },
    { media_type: 'video', status: 'ready', count: 3 },
  ];
  expect(assetRows(assets)).toEqual([
    { status: 'ready', label: 'Ready', photos: 82, videos: 3, total: 85, share: 1 },
    { status: 'deleted', label: 'In the bin', photos: 2, videos: 0, total: 2, share: 2 / 85 },
  ]);
  expect(liveAssets(assets)).toBe(85);
});

test('storage has the greatest first, each compared with it', () => {
  const storage = [
    { quality: 'poster', files: 3, bytes: 25 },
    { quality: 'photographer', files: 9, bytes: 100 },
  ];
  expect(storageRows(storage)).toEqual([
    { quality: 'photographer', files: 9, bytes: 100, label: 'Originals', share: 1 },
    { quality: 'poster', files: 3, bytes: 25, label: 'Video posters', share: 0.25 },
  ]);
});

describe('the days of a period', () => {
  const days = [
    { day: '2026-11-19', requests: 5, searches: 2 },
    { day: '2026-11-22', requests: 9, searches: 1 },
  ];

  test('have those on which nothing was asked, the oldest first', () => {
    expect(spansOf(days, 4, '2026-11-22')).toEqual([
      { from: '2026-11-19', to: '2026-11-19', requests: 5, searches: 2 },
      { from: '2026-11-20', to: '2026-11-20', requests: 0, searches: 0 },
      { from: '2026-11-21', to: '2026-11-21', requests: 0, searches: 0 },
      { from: '2026-11-22', to: '2026-11-22', requests: 9, searches: 1 },
    ]);
  });

  test('are weeks in a long one, and none is lost', () => {
    const spans = spansOf(days, 365, '2026-11-22');
    expect(spans).toHaveLength(53);
    expect(spans.at(-1)).toEqual({ from: '2026-11-16', to: '2026-11-22', requests: 14, searches: 3 });
    expect(spans[0]).toMatchObject({ from: '2025-11-23', to: '2025-11-23' });
  });

  test('are told as a day or a range', () => {
    expect(spanText({ from: '2026-11-22', to: '2026-11-22' })).toBe('22 Nov 2026');
    expect(spanText({ from: '2026-11-16', to: '2026-11-22' })).toMatch(/^16\s?[–-]\s?22 Nov 2026$/u);
  });
});

test('a scale ends at a round number', () => {
  expect([0, 1, 3, 7, 10, 12, 848, 1001].map(scaleEnd)).toEqual([1, 1, 5, 10, 10, 20, 1000, 2000]);
});

test('an address that names no period means 30 days', () => {
  expect([periodOf('7'), periodOf('8'), periodOf(undefined)]).toEqual(['7', '30', '30']);
});
