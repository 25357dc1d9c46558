import { describe, expect, test } from 'vitest';
import { countBlocks, sectionFacet, sectionsOf, slicesOf } from './result-blocks.ts';

const request = { filter: { player: [43] }, sort: '-captured_at' };
const months = [
  { value: '2026-01-01T00:00:00.000Z', count: 130 },
  { value: '2026-03-01T00:00:00.000Z', count: 10 },
  { value: '2026-07-01T00:00:00.000Z', count: 60 },
];

describe('results by section', () => {
  test('are the newest months first, and what has no date last', () => {
    const sections = sectionsOf(request, 205, months);
    expect(sections.map(({ count, request: { filter } }) => [count, filter.all])).toEqual([
      [60, [{ captured_at: { gte: '2026-07-01T00:00:00.000Z' } }]],
      [10, [{ captured_at: { gte: '2026-03-01T00:00:00.000Z', lt: '2026-07-01T00:00:00.000Z' } }]],
      [130, [{ captured_at: { gte: '2026-01-01T00:00:00.000Z', lt: '2026-03-01T00:00:00.000Z' } }]],
      [5, [{ captured_at: { exists: false } }]],
    ]);
  });

  test('keep what the filter asked for already', () => {
    const given = { filter: { all: [{ rating: 5 }] }, sort: 'captured_at' };
    expect(sectionsOf(given, 200, months)[0]?.request.filter).toEqual({
      all: [{ rating: 5 }, { captured_at: { gte: '2026-01-01T00:00:00.000Z', lt: '2026-03-01T00:00:00.000Z' } }],
    });
  });

  test('are one where the order is no date, or not every time was counted', () => {
    expect(sectionsOf({ ...request, sort: 'name' }, 205, months)).toHaveLength(1);
    expect(sectionsOf(request, 205, undefined)).toHaveLength(1);
    const many = Array.from({ length: 1000 }, (_, index) => ({ value: String(index), count: 1 }));
    expect(sectionsOf(request, 9000, many)).toHaveLength(1);
  });

  test('are asked for only where results are many', () => {
    expect(sectionFacet(request, 500)).toBeUndefined();
    expect(sectionFacet({ ...request, sort: 'relevance' }, 900_000)).toBeUndefined();
    expect(sectionFacet(request, 50_000)).toEqual({ field: 'captured_at', interval: 'month', limit: 1000 });
    expect(sectionFacet(request, 900_000)).toEqual({ field: 'captured_at', interval: 'week', limit: 1000 });
  });
});

describe('blocks of 60', () => {
  const weeks = [7, 0, 61, 4000, 100].map((count, week) => ({ value: `2026-0${week + 1}-01T00:00:00.000Z`, count }));
  const total = 4200;
  const sections = sectionsOf({ ...request, sort: 'captured_at' }, total, weeks);

  test('are pages by number where these are shallow, or the only way', () => {
    expect(slicesOf(0, { request, total: 205, sections: [] })).toEqual([{ request, page: 1, from: 0, to: 60 }]);
    expect(slicesOf(3, { request, total: 205, sections: [] })).toEqual([{ request, page: 4, from: 0, to: 25 }]);
    expect(slicesOf(2, { request, total, sections })).toEqual([{ request, page: 3, from: 0, to: 60 }]);
  });

  test('are put together from pages of their sections, every result once and in order', () => {
    const positions: string[] = [];
    for (let block = 50; block < countBlocks(total); block += 1) {
      const slices = slicesOf(block, { request, total, sections });
      expect(slices.length).toBeGreaterThan(0);
      for (const slice of slices) {
        const section = sections.findIndex((one) => one.request === slice.request);
        for (let at = slice.from; at < slice.to; at += 1) positions.push(`${section} ${(slice.page - 1) * 60 + at}`);
      }
    }
    const all = sections.flatMap(({ count }, section) => Array.from({ length: count }, (_, at) => `${section} ${at}`));
    expect(positions).toEqual(all.slice(50 * 60));
  });
});
