import { describe, expect, test } from 'vitest';
import { checkWindow, type DeliveryWindow, nextOpening, WINDOW_DAYS } from './delivery-window.ts';

const night: DeliveryWindow = { days: ['fri', 'sat'], from: '22:30', to: '06:00', time_zone: 'Europe/Berlin' };
const daily = (from: string, to: string, timeZone = 'Europe/Berlin'): DeliveryWindow => ({
  days: WINDOW_DAYS,
  from,
  to,
  time_zone: timeZone,
});
const opens = (window: DeliveryWindow, now: string): string =>
  nextOpening(window, new Date(now))?.toISOString() ?? 'open';

describe('a delivery window', () => {
  test.each([
    ['before it opens', '2026-06-05T20:29:59.999Z', '2026-06-05T20:30:00.000Z'],
    ['as it opens', '2026-06-05T20:30:00Z', 'open'],
    ['behind midnight, on a day that opens none', '2026-06-07T03:59:59Z', 'open'],
    ['as it closes', '2026-06-07T04:00:00Z', '2026-06-12T20:30:00.000Z'],
    ['on another day', '2026-06-03T21:00:00Z', '2026-06-05T20:30:00.000Z'],
    ['between two nights', '2026-06-06T12:00:00Z', '2026-06-06T20:30:00.000Z'],
  ])('%s', (_when, now, expected) => {
    expect(opens(night, now)).toBe(expected);
  });

  test('of the same two times is open for 24 hours of its days', () => {
    const monday = { ...daily('08:00', '08:00'), days: ['mon'] as const };
    expect(opens(monday, '2026-06-01T05:59:00Z')).toBe('2026-06-01T06:00:00.000Z');
    expect(opens(monday, '2026-06-02T05:59:00Z')).toBe('open');
    expect(opens(monday, '2026-06-02T06:00:00Z')).toBe('2026-06-08T06:00:00.000Z');
    expect(opens(daily('00:00', '00:00'), '2026-06-02T23:59:59Z')).toBe('open');
  });

  test('opens when clocks that are put forward pass its time', () => {
    // 29 March 2026: 02:00 becomes 03:00 at 01:00 UTC.
    const window = daily('02:30', '04:00');
    expect(opens(window, '2026-03-29T00:59:59Z')).toBe('2026-03-29T01:00:00.000Z');
    expect(opens(window, '2026-03-29T01:00:00Z')).toBe('open');
    expect(opens(window, '2026-03-29T02:00:00Z')).toBe('2026-03-30T00:30:00.000Z');
  });

  test('is open through the whole hour that clocks show twice', () => {
    // 25 October 2026: 03:00 becomes 02:00 at 01:00 UTC.
    expect(opens(daily('02:30', '04:00'), '2026-10-25T00:30:00Z')).toBe('open');
    expect(opens(daily('02:30', '04:00'), '2026-10-25T00:29:59Z')).toBe('2026-10-25T00:30:00.000Z');
    expect(opens(daily('01:00', '02:30'), '2026-10-25T01:29:59Z')).toBe('open');
    expect(opens(daily('01:00', '02:30'), '2026-10-25T01:30:00Z')).toBe('2026-10-26T00:00:00.000Z');
  });

  test.each([
    ['Pacific/Kiritimati', '2026-06-05T11:00:00Z', '2026-06-05T12:00:00.000Z'],
    ['Pacific/Pago_Pago', '2026-06-05T12:59:00Z', '2026-06-05T13:00:00.000Z'],
    ['Asia/Kathmandu', '2026-06-05T20:14:00Z', '2026-06-05T20:15:00.000Z'],
    ['Australia/Lord_Howe', '2026-04-04T15:30:00Z', 'open'],
    ['America/New_York', '2026-06-05T06:00:00Z', 'open'],
  ])('goes by the clocks of %s', (zone, now, expected) => {
    expect(opens(daily('02:00', '01:00', zone), now)).toBe(expected);
  });

  test('refuses a time zone that nobody knows', () => {
    expect(() => checkWindow(daily('01:00', '02:00', 'Europe/Atlantis'))).toThrow(/IANA time zone/);
    expect(() => checkWindow(night)).not.toThrow();
  });
});
