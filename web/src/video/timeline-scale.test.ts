import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitScale, msAt, panned, resized, revealed, ticksOf, xOf, zoomed } from './timeline-scale.ts';

const HALF = fitScale(45 * 60_000, 1000);

describe('the scale of the timeline', () => {
  test('shows all of the video first', () => {
    expect(xOf(HALF, 0)).toBe(0);
    expect(xOf(HALF, 45 * 60_000)).toBe(1000);
  });

  test('what lies under the pointer stays there while zooming, unless an end of the video is reached', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1000 }), fc.double({ min: 0.2, max: 0.9, noNaN: true }), (atPx, factor) => {
        const before = zoomed(HALF, { factor: 0.3, atPx: 500 });
        const after = zoomed(before, { factor, atPx });
        expect(Math.abs(msAt(after, atPx) - msAt(before, atPx))).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('never leaves the video, however it is zoomed and moved', () => {
    const change = fc.oneof(
      fc.record({ factor: fc.double({ min: 0.1, max: 10, noNaN: true }), atPx: fc.integer({ min: 0, max: 1000 }) }),
      fc.integer({ min: -3000, max: 3000 }),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
        let scale = HALF;
        for (const one of changes) scale = typeof one === 'number' ? panned(scale, one) : zoomed(scale, one);
        expect(scale.fromMs).toBeGreaterThanOrEqual(0);
        expect(scale.fromMs + scale.msPerPx * scale.widthPx).toBeLessThanOrEqual(HALF.durationMs + 0.001);
        expect(scale.msPerPx).toBeGreaterThanOrEqual(2);
        expect(ticksOf(scale).length).toBeLessThanOrEqual(13);
      }),
    );
  });

  test('a wider window still shows all of it, a closer look stays as close', () => {
    expect(resized(HALF, HALF.durationMs, 500)).toEqual(fitScale(HALF.durationMs, 500));
    const close = zoomed(HALF, { factor: 0.01, atPx: 0 });
    expect(resized(close, HALF.durationMs, 500).msPerPx).toBe(close.msPerPx);
  });

  test('brings what plays back into sight', () => {
    const close = zoomed(HALF, { factor: 0.01, atPx: 0 });
    expect(revealed(close, 10_000)).toBe(close);
    const moved = revealed(close, 20 * 60_000);
    expect(xOf(moved, 20 * 60_000)).toBeCloseTo(100);
  });

  test('a clip shorter than it is wide is shown whole', () => {
    const short = fitScale(400, 1000);
    expect(zoomed(short, { factor: 0.1, atPx: 0 })).toEqual(short);
    expect(ticksOf(short).map(({ ms }) => ms)).toEqual([0, 40, 80, 120, 160, 200, 240, 280, 320, 360, 400]);
  });
});
