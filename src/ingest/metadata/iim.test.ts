import { describe, expect, test } from 'vitest';
import { iimText } from './iim.ts';

describe('a text of IPTC', () => {
  test('that fits stays whole', () => {
    expect(iimText('IPTC:By-line', 'x'.repeat(32))).toBe('x'.repeat(32));
    expect(iimText('IPTC:Caption-Abstract', '決'.repeat(666))).toBe('決'.repeat(666));
  });

  test('that is too long is cut between characters as people see them', () => {
    expect(iimText('IPTC:By-line', '決'.repeat(11))).toBe('決'.repeat(10));
    // A family of four people is one character of 25 bytes.
    const family = '👨‍👩‍👧‍👦';
    expect(Buffer.byteLength(family)).toBe(25);
    expect(iimText('IPTC:By-line', `12345678${family}`)).toBe('12345678');
    expect(iimText('IPTC:By-line', `1234567${family}`)).toBe(`1234567${family}`);
  });

  test('with a field of exactly three letters is such a code or nothing', () => {
    expect(iimText('IPTC:Country-PrimaryLocationCode', 'SVK')).toBe('SVK');
    expect(iimText('IPTC:Country-PrimaryLocationCode', 'SK')).toBeUndefined();
  });
});
