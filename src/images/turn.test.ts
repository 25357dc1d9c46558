import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { FLIPS, ROTATIONS, turnedFace, turnedPoint, turnedSize, turnOf, turnTexts, unturnedWindow } from './turn.ts';
import type { Degrees, Flip } from './turn.ts';

const rotations = ROTATIONS.map((text) => Number(text) as Degrees); // ROTATIONS are these four numbers as texts.
const flips: readonly (Flip | undefined)[] = [undefined, ...FLIPS];
const all = rotations.flatMap((rot) => flips.map((flip) => ({ rot, flip })));

/** By the words of the contract alone: clockwise first, then mirrored. */
function byHand(x: number, y: number, { rot, flip }: { rot: Degrees; flip: Flip | undefined }) {
  let at = { x, y };
  for (let turned = 0; turned < rot; turned += 90) at = { x: 1 - at.y, y: at.x };
  if (flip?.includes('h')) at = { x: 1 - at.x, y: at.y };
  if (flip?.includes('v')) at = { x: at.x, y: 1 - at.y };
  return at;
}

describe('turning', () => {
  test.each(all)('rot=$rot flip=$flip moves points as it says', (asked) => {
    const point = turnedPoint({ x: 0.1, y: 0.3 }, turnOf(asked.rot, asked.flip));
    const expected = byHand(0.1, 0.3, asked);
    expect(point.x).toBeCloseTo(expected.x);
    expect(point.y).toBeCloseTo(expected.y);
  });

  test.each(all)('rot=$rot flip=$flip has one shortest spelling that means the same', ({ rot, flip }) => {
    const turn = turnOf(rot, flip);
    const texts = turnTexts(turn);
    const again = turnOf((texts.rot === undefined ? 0 : Number(texts.rot)) as Degrees, texts.flip); // One of the four.
    expect(again).toEqual(turn);
  });

  test('there are eight ways to lay a picture down', () => {
    expect(new Set(all.map(({ rot, flip }) => JSON.stringify(turnTexts(turnOf(rot, flip))))).size).toBe(8);
  });

  test('a window found after the turn is, in the stored picture, where it came from', () => {
    const cases = fc.record({
      asked: fc.constantFrom(...all),
      left: fc.integer({ min: 0, max: 60 }),
      top: fc.integer({ min: 0, max: 40 }),
      width: fc.integer({ min: 1, max: 40 }),
      height: fc.integer({ min: 1, max: 20 }),
    });
    const source = { width: 100, height: 60 };
    fc.assert(
      fc.property(cases, ({ asked, ...stored }) => {
        const turn = turnOf(asked.rot, asked.flip);
        const size = turnedSize(source, turn);
        const box = {
          x: stored.left / 100,
          y: stored.top / 60,
          w: stored.width / 100,
          h: stored.height / 60,
          score: 1,
        };
        const turned = turnedFace(box, turn);
        const window = {
          left: Math.round(turned.x * size.width),
          top: Math.round(turned.y * size.height),
          width: Math.round(turned.w * size.width),
          height: Math.round(turned.h * size.height),
        };
        expect(unturnedWindow(window, { source, turn })).toEqual(stored);
      }),
    );
  });
});
