import { expect, test } from 'vitest';
import { RecurringStrings } from './recurring-strings.ts';

test('texts come out as they went in, whatever their script and length', () => {
  const strings = new RecurringStrings();
  const texts = [
    '',
    'a',
    'goal',
    'laog',
    'šeško',
    '東京',
    '𐐷𐐷',
    '2026',
    '12345678',
    'x'.repeat(64),
    'y'.repeat(65),
    'é'.repeat(300),
  ];
  for (let round = 0; round < 3; round += 1) {
    for (const text of texts) {
      const bytes = Buffer.from(`<<${text}\0>>`);
      const end = bytes.length - 3;
      expect(strings.readToZero(bytes, 2)).toBe(text);
      expect(strings.end).toBe(end);
      expect(strings.read(bytes, 2, end)).toBe(text);
    }
  }
});

test('200,000 different texts are all read right: more than are remembered', () => {
  const strings = new RecurringStrings();
  const texts = Array.from({ length: 200_000 }, (_, n) => `word${n.toString(36)}`);
  const bytes = Buffer.from(`${texts.join('\0')}\0`);
  for (let round = 0; round < 2; round += 1) {
    const read: string[] = [];
    for (let at = 0; at < bytes.length; at = strings.end + 1) read.push(strings.readToZero(bytes, at));
    expect(read).toEqual(texts);
  }
});
