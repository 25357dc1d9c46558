import { describe, expect, test } from 'vitest';
import { boxHeightPx, MAX_BOX_PX, placeAfterScroll, placeOfShare, shareOfPlace } from './scroll-space.ts';

const small = { fullPx: 30_000, viewPx: 700 };
const large = { fullPx: 60_000_000, viewPx: 700 };

describe('a library that fits', () => {
  test('is scrolled as it is', () => {
    expect(boxHeightPx(small)).toBe(30_000);
    expect(placeAfterScroll({ offsetPx: 0, scrollTopPx: 0 }, 29_300, small)).toBe(29_300);
    expect(shareOfPlace(12_345, small)).toBe(12_345);
  });
});

describe('a library that is too high for a browser', () => {
  test('has a box that no browser refuses', () => {
    expect(boxHeightPx(large)).toBe(MAX_BOX_PX);
    expect(MAX_BOX_PX).toBeLessThan(17_000_000);
  });

  test('moves by the pixel while one scrolls', () => {
    let at = { offsetPx: 30_000_000, scrollTopPx: shareOfPlace(30_000_000, large) };
    for (let frame = 0; frame < 1000; frame += 1) {
      const scrollTopPx = at.scrollTopPx + 120;
      const offsetPx = placeAfterScroll(at, scrollTopPx, large);
      expect(offsetPx - at.offsetPx).toBe(120);
      at = { offsetPx, scrollTopPx };
    }
  });

  test('leaps to the share at which the scrollbar is dropped', () => {
    const offsetPx = placeAfterScroll({ offsetPx: 0, scrollTopPx: 0 }, MAX_BOX_PX / 2, large);
    expect(offsetPx / large.fullPx).toBeCloseTo(0.5, 3);
  });

  test('is at its ends where the scrollbar is at its own', () => {
    const end = large.fullPx - large.viewPx;
    expect(placeAfterScroll({ offsetPx: 5000, scrollTopPx: 100 }, 0, large)).toBe(0);
    const bottom = MAX_BOX_PX - large.viewPx;
    expect(placeAfterScroll({ offsetPx: 100, scrollTopPx: bottom - 50 }, bottom, large)).toBe(end);
    expect(placeOfShare(bottom, large)).toBe(end);
    expect(shareOfPlace(end, large)).toBe(bottom);
  });

  test('never leaves its ends in steps', () => {
    expect(placeAfterScroll({ offsetPx: 50, scrollTopPx: 400 }, 200, large)).toBe(0);
  });
});
