import { describe, expect, test } from 'vitest';
import { AppError } from '../base/index.ts';
import { type GivenPosition, type PlacedVideo, placeIn, timecodeFormatOf } from './action-places.ts';

const video: PlacedVideo = {
  id: 7,
  durationMs: 60_000,
  frameRate: { num: 25, den: 1 },
  startTimecode: '10:00:00:00',
  timeline: null,
};
const NO_MOMENT = { wallclockAt: null, period: null, clockMs: null };
const place = (given: GivenPosition, of: PlacedVideo = video) => placeIn(of, given, NO_MOMENT);
const refusal = (given: GivenPosition, of: PlacedVideo = video): string | undefined => {
  try {
    place(given, of);
  } catch (error) {
    if (error instanceof AppError) return error.errors[0]?.pointer;
    throw error;
  }
  return undefined;
};

describe('a position', () => {
  test.each([
    ['a start alone is a point', { startMs: 5 }, [5, 5, 5]],
    ['an end alone is a point', { endMs: 5 }, [5, 5, 5]],
    ['a moment alone is a point', { eventMs: 5 }, [5, 5, 5]],
    ['a start and a moment end with the moment', { startMs: 5, eventMs: 9 }, [5, 9, 9]],
    ['a moment and an end begin with the moment', { eventMs: 5, endMs: 9 }, [5, 9, 5]],
    ['without a moment it is the start', { startMs: 5, endMs: 9 }, [5, 9, 5]],
    [
      'timecode counts from that of the first frame',
      { startTc: '10:00:01:00', endTc: '10:00:02:05' },
      [1000, 2200, 1000],
    ],
    ['timecode and ms go together', { startTc: '10:00:01:00', endMs: 3000 }, [1000, 3000, 1000]],
    ['an end one frame late is that of the video', { startMs: 5, endMs: 60_040 }, [5, 60_000, 5]],
  ] as const)('%s', (_what, given, [startMs, endMs, eventMs]) => {
    expect(place(given)).toEqual({ startMs, endMs, eventMs, derived: false });
  });

  test.each([
    ['an end before the start', { startMs: 9, endMs: 5 }, '/end_ms'],
    ['a moment before the start', { startMs: 5, endMs: 9, eventMs: 4 }, '/event_ms'],
    ['a moment after the end', { startMs: 5, endMs: 9, eventMs: 10 }, '/event_ms'],
    ['an end more than a frame late', { startMs: 5, endMs: 60_041 }, '/end_ms'],
    ['a timecode before the first frame', { startTc: '09:59:59:24' }, '/start_tc'],
    ['drop frame at 25', { startTc: '10:00:00;00' }, '/start_tc'],
    ['two ends', { startMs: 1, endMs: 2, endTc: '10:00:00:01' }, '/end_tc'],
    ['nothing', {}, '/start_ms'],
  ])('%s is refused by name', (_what, given, pointer) => {
    expect(refusal(given)).toBe(pointer);
  });

  test('of a video that is not processed yet is taken in ms, not in timecode', () => {
    const fresh = { ...video, durationMs: null, frameRate: null };
    expect(place({ startMs: 5, endMs: 99_999_999 }, fresh)).toMatchObject({ endMs: 99_999_999 });
    expect(refusal({ startTc: '10:00:00:00' }, fresh)).toBe('/start_tc');
  });

  test('a file whose own timecode is none at its rate counts from zero', () => {
    expect(timecodeFormatOf({ ...video, startTimecode: '10:00:00:29' })).toMatchObject({ startFrame: 0 });
    expect(timecodeFormatOf({ ...video, frameRate: null })).toBeUndefined();
  });
});
