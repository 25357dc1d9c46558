import { describe, expect, test } from 'vitest';
import { chooseRate, frameAt, parseRate, proxyRate } from './frame-rate.ts';

const choose = (nominal: string, average: string) =>
  chooseRate({ nominal: parseRate(nominal), average: parseRate(average) });

describe('frame rates', () => {
  test('are rational, and no rate is read from 0/0', () => {
    expect(parseRate('30000/1001')).toEqual({ num: 30000, den: 1001 });
    expect(parseRate('0/0')).toBeUndefined();
    expect(parseRate('25')).toBeUndefined();
    expect(parseRate(undefined)).toBeUndefined();
  });

  test.each([
    { nominal: '30000/1001', average: '30000/1001', rate: [30000, 1001], isVariable: false },
    { nominal: '50/1', average: '25/1', rate: [25, 1], isVariable: false },
    { nominal: '60000/1001', average: '30000/1001', rate: [30000, 1001], isVariable: false },
    { nominal: '30/1', average: '17910000/600739', rate: [30, 1], isVariable: true },
    { nominal: '90000/1', average: '17910000/597739', rate: [30000, 1001], isVariable: true },
    { nominal: '90000/1', average: '40/1', rate: [40, 1], isVariable: true },
    { nominal: '24000/1001', average: '24/1', rate: [24000, 1001], isVariable: true },
    { nominal: '0/0', average: '25/1', rate: [25, 1], isVariable: true },
    { nominal: '25/1', average: '0/0', rate: [25, 1], isVariable: false },
  ])('$nominal on average $average is read as $rate', ({ nominal, average, rate, isVariable }) => {
    expect(choose(nominal, average)).toEqual({ rate: { num: rate[0], den: rate[1] }, isVariable });
  });

  test('of 0/0 twice are none', () => {
    expect(choose('0/0', '0/0')).toBeUndefined();
  });

  test.each([
    ['25/1', { num: 25, den: 1 }],
    ['60000/1001', { num: 60000, den: 1001 }],
    ['120000/1001', { num: 60000, den: 1001 }],
    ['240/1', { num: 60, den: 1 }],
    ['1000/1', { num: 125, den: 4 }],
  ])('of a proxy of %s are halved to 60 at most', (source, expected) => {
    expect(proxyRate(parseRate(source) ?? { num: 1, den: 1 })).toEqual(expected);
  });

  test('find the frame of a position that was rounded down to whole milliseconds', () => {
    const rate = { num: 30000, den: 1001 };
    for (let frame = 0; frame < 30_000; frame += 7) {
      const startMs = (frame * 1001) / 30;
      expect(frameAt({ positionMs: Math.round(startMs), rate })).toBe(frame);
    }
  });
});
