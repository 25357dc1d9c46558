import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { frameToMs, msToFrame } from '../../../src/base/timecode.ts';
import { createFrameClock, formatClock } from './frame-clock.ts';

const RATES = [
  [24000, 1001],
  [25, 1],
  [30000, 1001],
  [50, 1],
  [60000, 1001],
] as const;

describe('frames of a video', () => {
  test('the place to seek for a frame lies in that frame, and its ms are those of the API', () => {
    fc.assert(
      fc.property(fc.constantFrom(...RATES), fc.integer({ min: 0, max: 600_000 }), ([num, den], frame) => {
        const clock = createFrameClock({ rate: { num, den }, durationMs: 3 * 3_600_000 });
        const asked = Math.min(frame, clock.frames - 1);
        expect(clock.frameAt(clock.seekTo(frame))).toBe(asked);
        expect(clock.msOf(frame)).toBe(frameToMs(asked, { num, den }));
        expect(clock.frameAtMs(clock.msOf(frame))).toBe(asked);
        expect(msToFrame(clock.msOf(frame), { num, den })).toBe(asked);
      }),
    );
  });

  test('a float just below the beginning of a frame is that frame', () => {
    const clock = createFrameClock({ rate: { num: 30000, den: 1001 }, durationMs: 60_000 });
    expect(clock.frameAt(1001 / 30000)).toBe(1);
    expect(clock.frameAt((2 * 1001) / 30000 - 1e-7)).toBe(2);
    expect(clock.frameAt((2 * 1001) / 30000 - 0.001)).toBe(1);
  });

  test('no frame lies before the first or after the last', () => {
    const clock = createFrameClock({ rate: { num: 25, den: 1 }, durationMs: 10_000 });
    expect(clock.frames).toBe(250);
    expect(clock.frameAt(-1)).toBe(0);
    expect(clock.frameAt(99)).toBe(249);
    expect(clock.frameAt(clock.seekTo(1000))).toBe(249);
  });

  test('shows the timecode of the file, drop frame where it is', () => {
    const clock = createFrameClock({
      rate: { num: 30000, den: 1001 },
      durationMs: 120_000,
      startTimecode: '00:00:59;29',
    });
    expect(clock.timecodeOf(0)).toBe('00:00:59;29');
    expect(clock.timecodeOf(1)).toBe('00:01:00;02');
    expect(clock.msOfTimecode('00:01:00;02')).toBe(clock.msOf(1));
  });

  test.each([
    [0, '0:00.0'],
    [59_949, '0:59.9'],
    [59_950, '1:00.0'],
    [3_723_400, '1:02:03.4'],
  ])('%i ms read %s', (ms, text) => {
    expect(formatClock(ms)).toBe(text);
  });
});
