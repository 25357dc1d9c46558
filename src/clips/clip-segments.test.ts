import { describe, expect, test } from 'vitest';
import type { Action } from '../library/index.ts';
import { checkReelLength, checkSegment, placeOfAction, segmentAround } from './clip-segments.ts';

const moment = { leadMs: 5000, lagMs: 8000 };
const around = (
  place: { readonly startMs: number; readonly endMs: number; readonly eventMs?: number },
  asked: { readonly leadMs?: number; readonly lagMs?: number; readonly durationMs?: number | null } = {},
) => {
  const { leadMs, lagMs, durationMs = 60_000 } = asked;
  const options = { actionId: 7, durationMs, leadMs, lagMs, moment };
  return segmentAround({ mediaId: 3, eventMs: place.startMs, ...place }, options);
};

describe('the cut of an action', () => {
  test('is the action itself where it has a length', () => {
    expect(around({ startMs: 1000, endMs: 4000, eventMs: 2500 })).toEqual({
      mediaId: 3,
      actionId: 7,
      inMs: 1000,
      outMs: 4000,
      eventMs: 2500,
    });
    expect(around({ startMs: 1000, endMs: 4000 }, { leadMs: 300, lagMs: 200 })).toMatchObject({
      inMs: 700,
      outMs: 4200,
    });
  });

  test('of a moment has what its type shows around it, as far as nothing else is asked for', () => {
    expect(around({ startMs: 10_000, endMs: 10_000 })).toMatchObject({ inMs: 5000, outMs: 18_000 });
    expect(around({ startMs: 10_000, endMs: 10_000 }, { leadMs: 1000 })).toMatchObject({ inMs: 9000, outMs: 18_000 });
    expect(around({ startMs: 10_000, endMs: 10_000 }, { leadMs: 0, lagMs: 0 })).toMatchObject({
      inMs: 10_000,
      outMs: 10_001,
      eventMs: 10_000,
    });
  });

  test('stays inside the video, and so does its moment', () => {
    expect(around({ startMs: 2000, endMs: 2000 })).toMatchObject({ inMs: 0 });
    expect(around({ startMs: 58_000, endMs: 58_000 })).toMatchObject({ outMs: 60_000 });
    expect(around({ startMs: 58_000, endMs: 58_000 }, { durationMs: null })).toMatchObject({ outMs: 66_000 });
    expect(around({ startMs: 1000, endMs: 2000, eventMs: 9000 })).toMatchObject({ eventMs: 1999 });
  });

  test('beyond the end of the video, or longer than 30 minutes, is refused', () => {
    expect(() => around({ startMs: 60_000, endMs: 60_500 })).toThrow('before the end of video 3 at 60000 ms');
    expect(() => around({ startMs: 0, endMs: 1_800_001 }, { durationMs: null })).toThrow('at most 1800000 ms');
    const segment = { mediaId: 3, actionId: null, inMs: 0, outMs: 1_800_000, eventMs: 0 };
    expect(checkSegment(segment, { durationMs: null, pointer: '' })).toBe(segment);
    checkReelLength([segment, segment]);
    expect(() => checkReelLength([segment, segment, { ...segment, outMs: 1 }])).toThrow('at most 3600000 ms in all');
  });
});

test('an action is cut in its own video, or in the one that is asked for', () => {
  const place = { id: 1, startMs: 0, endMs: 1, eventMs: 0, derived: false };
  const places = [
    { ...place, mediaId: 3 },
    { ...place, id: 2, mediaId: 4 },
  ];
  // Only these members are read.
  const action = { id: 7, mediaId: 3, places } as unknown as Action;
  expect(placeOfAction(action, undefined)).toBe(places[0]);
  expect(placeOfAction(action, 4)).toBe(places[1]);
  expect(() => placeOfAction(action, 5)).toThrow('a video that action 7 lies in (3, 4), received 5');
});
