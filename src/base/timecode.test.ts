import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError } from './errors.ts';
import {
  type FrameRate,
  frameToMs,
  frameToTimecode,
  framesPerDay,
  hasDropFrame,
  msToFrame,
  nominalRate,
  parseTimecode,
  timecodeAt,
  timecodeToMs,
} from './timecode.ts';

const FILM: FrameRate = { num: 24000, den: 1001 };
const NTSC: FrameRate = { num: 30000, den: 1001 };
const NTSC_60: FrameRate = { num: 60000, den: 1001 };
const PAL: FrameRate = { num: 25, den: 1 };
const RATES: readonly FrameRate[] = [
  FILM,
  { num: 24, den: 1 },
  PAL,
  NTSC,
  { num: 30, den: 1 },
  { num: 50, den: 1 },
].concat([NTSC_60, { num: 60, den: 1 }]);
const FORMATS = RATES.flatMap((rate) =>
  (hasDropFrame(rate) ? [false, true] : [false]).map((dropFrame) => ({ rate, dropFrame })),
);
const name = ({ rate, dropFrame }: (typeof FORMATS)[number]) => `${rate.num}/${rate.den}${dropFrame ? ' DF' : ''}`;

function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: 'validation_failed' });
    return error instanceof AppError ? error.message : '';
  }
  throw new Error('expected a refusal');
}

describe('timecode', () => {
  test.each([
    [0, '00:00:00;00'],
    [1799, '00:00:59;29'],
    [1800, '00:01:00;02'],
    [3597, '00:01:59;29'],
    [3598, '00:02:00;02'],
    [17981, '00:09:59;29'],
    [17982, '00:10:00;00'],
    [17982 + 1799, '00:10:59;29'],
    [17982 + 1800, '00:11:00;02'],
    [107_892, '01:00:00;00'],
    [2_589_407, '23:59:59;29'],
  ])('frame %i of 29.97 drop frame is %s', (frame, timecode) => {
    expect(frameToTimecode(frame, { rate: NTSC, dropFrame: true })).toBe(timecode);
    expect(parseTimecode(timecode, NTSC)).toEqual({ frame, dropFrame: true });
  });

  test.each([
    [3599, '00:00:59;59'],
    [3600, '00:01:00;04'],
    [35_964, '00:10:00;00'],
    [215_784, '01:00:00;00'],
  ])('frame %i of 59.94 drop frame is %s', (frame, timecode) => {
    expect(frameToTimecode(frame, { rate: NTSC_60, dropFrame: true })).toBe(timecode);
    expect(parseTimecode(timecode, NTSC_60)).toEqual({ frame, dropFrame: true });
  });

  test('non-drop timecode of 29.97 counts every number and runs slow', () => {
    expect(frameToTimecode(1800, { rate: NTSC, dropFrame: false })).toBe('00:01:00:00');
    expect(frameToTimecode(107_892, { rate: NTSC, dropFrame: false })).toBe('00:59:56:12');
    expect(timecodeToMs('01:00:00:00', { rate: NTSC })).toBe(3_603_600);
  });

  test('an hour of drop frame timecode at 29.97 lasts 3,599.9964 s', () => {
    expect(timecodeToMs('01:00:00;00', { rate: NTSC })).toBe(3_599_997);
    expect(timecodeAt(3_599_997, { rate: NTSC, dropFrame: true })).toBe('01:00:00;00');
    expect(timecodeAt(3_599_996, { rate: NTSC, dropFrame: true })).toBe('00:59:59;29');
  });

  test('an hour of timecode at 23.976 lasts 3,603.6 s', () => {
    expect(nominalRate(FILM)).toBe(24);
    expect(timecodeToMs('01:00:00:00', { rate: FILM })).toBe(3_603_600);
    expect(timecodeAt(3_603_600, { rate: FILM, dropFrame: false })).toBe('01:00:00:00');
    expect(timecodeAt(3_603_599, { rate: FILM, dropFrame: false })).toBe('00:59:59:23');
  });

  test('a frame begins at its ms rounded up, and is on screen until the next begins', () => {
    expect([0, 1, 2, 3].map((frame) => frameToMs(frame, NTSC))).toEqual([0, 34, 67, 101]);
    expect([0, 33, 34, 66, 67, 100, 101].map((ms) => msToFrame(ms, NTSC))).toEqual([0, 0, 1, 1, 2, 2, 3]);
    expect([0, 39, 40, 79, 80].map((ms) => msToFrame(ms, PAL))).toEqual([0, 0, 1, 1, 2]);
  });

  test('positions count from the timecode of the first frame, across midnight too', () => {
    const startFrame = parseTimecode('10:00:00:00', PAL).frame;
    expect(timecodeAt(61_480, { rate: PAL, dropFrame: false, startFrame })).toBe('10:01:01:12');
    expect(timecodeToMs('10:01:01:12', { rate: PAL, startFrame })).toBe(61_480);
    const late = parseTimecode('23:59:50:00', PAL).frame;
    expect(timecodeAt(15_000, { rate: PAL, dropFrame: false, startFrame: late })).toBe('00:00:05:00');
    expect(timecodeToMs('00:00:05:00', { rate: PAL, startFrame: late })).toBe(15_000);
  });

  test('a rate is the same in any terms', () => {
    expect(hasDropFrame({ num: 60_000, den: 2002 })).toBe(true);
    expect(msToFrame(1000, { num: 50_000, den: 2000 })).toBe(25);
    expect(frameToTimecode(130, { rate: { num: 120, den: 1 }, dropFrame: false })).toBe('00:00:01:010');
    expect(parseTimecode('00:00:01:010', { num: 120, den: 1 }).frame).toBe(130);
  });

  test.each(['00:01:00;00', '00:01:00;01', '13:59:00;01'])('the dropped number %s is refused by name', (timecode) => {
    const message = refusal(() => parseTimecode(timecode, NTSC));
    expect(message).toContain(`received ${timecode}: ${timecode.slice(0, -2)}02 is the next`);
    expect(parseTimecode(timecode.replace(';', ':'), NTSC).dropFrame).toBe(false);
  });

  test('59.94 drops four numbers a minute', () => {
    for (const frames of ['00', '03']) refusal(() => parseTimecode(`00:01:00;${frames}`, NTSC_60));
    expect(parseTimecode('00:20:00;00', NTSC_60).frame).toBe(2 * 35_964);
  });

  test.each([
    '24:00:00:00',
    '00:60:00:00',
    '00:00:60:00',
    '00:00:00:25',
    '1:00:00:00',
    '',
    '00:00:00',
    'aa:00:00:00',
    '-1:00:00:00',
  ])('refuses %j at 25 frames a second', (timecode) => {
    refusal(() => parseTimecode(timecode, PAL));
  });

  test('drop frame exists at 29.97 and 59.94 only', () => {
    expect(FORMATS.filter(({ dropFrame }) => dropFrame).map(name)).toEqual(['30000/1001 DF', '60000/1001 DF']);
    for (const rate of [FILM, PAL, { num: 30, den: 1 }]) {
      expect(refusal(() => parseTimecode('00:00:00;00', rate))).toContain('30000/1001');
      refusal(() => frameToTimecode(0, { rate, dropFrame: true }));
    }
  });

  test('what is no rate, frame or time is refused', () => {
    for (const rate of [
      { num: 0, den: 1 },
      { num: 25, den: 0 },
      { num: 1000, den: 1 },
      { num: Number.NaN, den: 1 },
      { num: 1, den: 2 },
    ])
      refusal(() => msToFrame(0, rate));
    for (const ms of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER]) {
      refusal(() => msToFrame(ms, NTSC));
      refusal(() => frameToMs(ms, NTSC));
    }
    refusal(() => frameToTimecode(0.5, { rate: PAL, dropFrame: false }));
  });

  describe.each(FORMATS)('at $rate.num/$rate.den, drop frame $dropFrame', (format) => {
    const day = framesPerDay(format);
    const frame = fc.integer({ min: 0, max: day - 1 });

    test('frame to timecode and back is the same frame, all day long', () => {
      fc.assert(
        fc.property(frame, (frame) => {
          const timecode = frameToTimecode(frame, format);
          expect(parseTimecode(timecode, format.rate)).toEqual({ frame, dropFrame: format.dropFrame });
        }),
        { numRuns: 500 },
      );
      expect(frameToTimecode(day, format)).toBe(frameToTimecode(0, format));
      expect(frameToTimecode(-1, format)).toBe(frameToTimecode(day - 1, format));
    });

    test('frame to ms and back is the same frame, and ms lies in its frame', () => {
      fc.assert(
        fc.property(frame, fc.integer({ min: 0, max: 86_400_000 }), (frame, ms) => {
          expect(msToFrame(frameToMs(frame, format.rate), format.rate)).toBe(frame);
          const shown = msToFrame(ms, format.rate);
          expect(frameToMs(shown, format.rate)).toBeLessThanOrEqual(ms);
          expect(frameToMs(shown + 1, format.rate)).toBeGreaterThan(ms);
        }),
        { numRuns: 500 },
      );
    });

    test('no two frames of ten minutes share a timecode, and each is later than the one before', () => {
      const all = Array.from({ length: 10 * 60 * nominalRate(format.rate) }, (_, index) =>
        frameToTimecode(index, format),
      );
      expect(all.every((one, index) => index === 0 || one > (all[index - 1] ?? ''))).toBe(true);
    });
  });
});
