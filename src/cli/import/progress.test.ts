import { describe, expect, test } from 'vitest';
import { formatBytes, formatDuration, printable } from './figures-text.ts';
import { formatBar, formatProgress } from './progress.ts';

const progress = {
  phase: 'uploading',
  filesDone: 12,
  filesTotal: 82,
  bytesDone: 30_100_000,
  bytesTotal: 120_900_000,
  failures: 0,
} as const;

describe('formatProgress', () => {
  test('tells files, bytes, speed, time that remains, and failures when there are any', () => {
    const rate = { bytesPerSecond: 42_000_000, filesPerMinute: 310.4, remainingMs: 2100 };
    const text = '12/82 files  30.1 MB of 120.9 MB  42.0 MB/s  310 files/min  0:02 left';
    expect(formatProgress(progress, rate)).toBe(text);
    expect(formatProgress({ ...progress, failures: 3 }, rate)).toBe(`${text}  3 failed`);
  });

  test('leaves the remaining time out while it is not known', () => {
    const rate = { bytesPerSecond: 0, filesPerMinute: 0, remainingMs: undefined };
    expect(formatProgress(progress, rate)).toBe('12/82 files  30.1 MB of 120.9 MB  0 B/s  0 files/min');
  });
});

describe('formatBar', () => {
  test('fills by bytes, or by files where there are none', () => {
    expect(formatBar(progress)).toBe('[####----------------]');
    expect(formatBar({ ...progress, bytesDone: 0, bytesTotal: 0, filesDone: 41 })).toBe('[##########----------]');
    expect(formatBar({ ...progress, bytesDone: 130_000_000 })).toBe('[####################]');
  });
});

describe('formatBytes and formatDuration', () => {
  test.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [999_960, '1.0 MB'],
    [53_687_091_200, '53.7 GB'],
  ])('%i bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

  test.each([
    [0, '0:00'],
    [59_600, '1:00'],
    [754_000, '12:34'],
    [11_100_000, '3:05:00'],
  ])('%i ms are %s', (ms, text) => expect(formatDuration(ms)).toBe(text));
});

describe('printable', () => {
  test('takes away what a terminal would obey, and keeps letters of every script', () => {
    expect(printable('a\u001b[2Jb\n\u202e.jpg')).toBe('a\ufffd[2Jb\ufffd\ufffd.jpg');
    expect(printable('Šeško 北京 می‌خواهم.jpg')).toBe('Šeško 北京 می‌خواهم.jpg');
  });
});
