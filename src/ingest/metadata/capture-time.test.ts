import { describe, expect, test } from 'vitest';
import { captureTime } from './capture-time.ts';

const EXIF = 'ExifIFD:DateTimeOriginal';

describe('the instant a photo was taken', () => {
  test('is the shutter time with its sub-seconds and zone', () => {
    const tags = {
      [EXIF]: '2026:03:01 18:30:12',
      'ExifIFD:SubSecTimeOriginal': '045',
      'ExifIFD:OffsetTimeOriginal': '+01:00',
    };
    expect(captureTime(tags)).toEqual({ capturedAt: new Date('2026-03-01T17:30:12.045Z'), capturedOffsetMinutes: 60 });
  });

  test('reads sub-seconds as the digits behind the point, number or text', () => {
    const at = (fraction: unknown) =>
      captureTime({ [EXIF]: '2026:03:01 18:30:12', 'ExifIFD:SubSecTimeOriginal': fraction });
    expect(at(5)?.capturedAt.getUTCMilliseconds()).toBe(500);
    expect(at('12 ')?.capturedAt.getUTCMilliseconds()).toBe(120);
    expect(at('123456')?.capturedAt.getUTCMilliseconds()).toBe(123);
    expect(at('abc')?.capturedAt.getUTCMilliseconds()).toBe(0);
  });

  test('is UTC with an unknown offset when no source tells the zone', () => {
    expect(captureTime({ [EXIF]: '2026:03:01 18:30:12' })).toEqual({ capturedAt: new Date('2026-03-01T18:30:12Z') });
  });

  test.each([
    ['+05:45 in Kathmandu', '2026:03:01 23:15:40', '2026:03:01', '17:30:12', 345],
    ['across midnight', '2026:03:02 02:30:10', '2026:03:01', '17:30:12', 540],
    ['west of Greenwich', '2026:03:01 09:30:50', '2026:03:01', '17:30:12', -480],
  ])('takes the zone from the GPS clock: %s', (_name, local, date, time, offset) => {
    const found = captureTime({ [EXIF]: local, 'GPS:GPSDateStamp': date, 'GPS:GPSTimeStamp': time });
    expect(found?.capturedOffsetMinutes).toBe(offset);
  });

  test('does not believe a GPS fix from another moment', () => {
    const tags = { [EXIF]: '2026:03:01 18:41:12', 'GPS:GPSDateStamp': '2026:03:01', 'GPS:GPSTimeStamp': '17:30:12' };
    expect(captureTime(tags)).toEqual({ capturedAt: new Date('2026-03-01T18:41:12Z') });
  });

  test('borrows the zone of an IPTC date of the same moment and keeps its own sub-seconds', () => {
    const tags = {
      [EXIF]: '2026:03:01 18:30:12',
      'ExifIFD:SubSecTimeOriginal': '25',
      'IPTC:DateCreated': '2026:03:01',
      'IPTC:TimeCreated': '18:30:12-05:00',
    };
    expect(captureTime(tags)).toEqual({
      capturedAt: new Date('2026-03-01T23:30:12.250Z'),
      capturedOffsetMinutes: -300,
    });
  });

  test('recognises a camera on UTC beside an agency on local time', () => {
    const tags = {
      [EXIF]: '2026:03:01 17:30:12',
      'IPTC:DateCreated': '2026:03:01',
      'IPTC:TimeCreated': '18:30:12+01:00',
    };
    expect(captureTime(tags)).toEqual({ capturedAt: new Date('2026-03-01T17:30:12Z'), capturedOffsetMinutes: 60 });
  });

  test('ignores an IPTC date without a time of day', () => {
    const tags = {
      [EXIF]: '2026:03:01 18:30:12',
      'IPTC:DateCreated': '2026:03:01',
      'IPTC:TimeCreated': '00:00:00+00:00',
    };
    expect(captureTime(tags)).toEqual({ capturedAt: new Date('2026-03-01T18:30:12Z') });
  });

  test('ignores the zone of a later edit, but takes it while file and shot have one time', () => {
    const shot = { [EXIF]: '2026:03:01 18:30:12', 'ExifIFD:OffsetTime': '+09:00' };
    expect(captureTime({ ...shot, 'IFD0:ModifyDate': '2026:03:04 10:00:00' })?.capturedOffsetMinutes).toBeUndefined();
    expect(captureTime({ ...shot, 'IFD0:ModifyDate': '2026:03:01 18:30:12' })?.capturedOffsetMinutes).toBe(540);
  });

  test('falls back to IPTC, then XMP, then the digitised date', () => {
    const iptc = { 'IPTC:DateCreated': '2026:03:01', 'IPTC:TimeCreated': '18:30:12+0100' };
    const xmp = { 'XMP-photoshop:DateCreated': '2026-02-01T10:00:00.5+02:00' };
    const digitised = { 'ExifIFD:CreateDate': '2025:12:24 08:00:00' };
    expect(captureTime({ ...iptc, ...xmp, ...digitised })?.capturedAt).toEqual(new Date('2026-03-01T17:30:12Z'));
    expect(captureTime({ ...xmp, ...digitised })?.capturedAt).toEqual(new Date('2026-02-01T08:00:00.500Z'));
    expect(captureTime(digitised)?.capturedAt).toEqual(new Date('2025-12-24T08:00:00Z'));
  });

  test.each([
    '0000:00:00 00:00:00',
    '    :  :     :  :  ',
    '2026:02:30 10:00:00',
    '2026:13:01 10:00:00',
    '2026:01:01 25:00:00',
    '9999:01:01 00:00:00',
    '',
    'yesterday',
    12345,
    null,
    ['2026:03:01 18:30:12'],
    { year: 2026 },
    `2026:03:01 ${'1'.repeat(100_000)}`,
  ])('is unknown for the date %j', (date) => {
    expect(captureTime({ [EXIF]: date })).toBeUndefined();
  });
});
