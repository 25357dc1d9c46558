import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DETAIL_TYPES, readDetailDate, readDetailValue } from './detail-field.ts';

const field = fc.record({
  type: fc.constantFrom(...DETAIL_TYPES),
  choices: fc.uniqueArray(fc.constantFrom('a', 'b', 'late shift'), { minLength: 1 }),
});
const value = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom('a', 'b', 'late shift', 'c', '2026-03-14', '2026-03-14T19:30:00Z', '2026-02-30'),
  fc.array(fc.constantFrom('a', 'b', 'c', '')),
  fc.double(),
);

describe('readDetailValue', () => {
  test('answers a value that it takes again as it is, and that JSON keeps', () => {
    fc.assert(
      fc.property(field, value, (one, given) => {
        const read = readDetailValue(one, given);
        if (!read.ok) return;
        expect(readDetailValue(one, read.value)).toEqual(read);
        // JSON has one zero.
        expect(JSON.parse(JSON.stringify(read.value))).toEqual(read.value === 0 ? 0 : read.value);
      }),
    );
  });

  test('gives every type values of one kind', () => {
    fc.assert(
      fc.property(field, value, (one, given) => {
        const read = readDetailValue(one, given);
        if (!read.ok) return;
        const kind = Array.isArray(read.value) ? 'list' : typeof read.value;
        const kinds = { text: 'string', number: 'number', date: 'string', choice: 'string', list: 'list' };
        expect(kind).toBe(kinds[one.type]);
        if (one.type === 'choice') expect(one.choices).toContain(read.value);
      }),
    );
  });

  test('keeps the order of a list and drops what it has already', () => {
    expect(readDetailValue({ type: 'list', choices: [] }, ['b', 'a', 'b'])).toEqual({ ok: true, value: ['b', 'a'] });
    expect(readDetailValue({ type: 'list', choices: ['a'] }, ['a', 'b'])).toEqual({
      ok: false,
      expected: 'a list of "a"',
    });
    expect(readDetailValue({ type: 'list', choices: [] }, [''])).toMatchObject({ ok: false });
  });
});

describe('readDetailDate', () => {
  test('compares as text as the times compare', () => {
    const moment = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-30'), noInvalidDate: true });
    const offset = fc.integer({ min: -14 * 60, max: 14 * 60 });
    const written = fc.tuple(moment, offset).map(([date, minutes]) => {
      const local = new Date(date.getTime() + minutes * 60_000).toISOString();
      const pad = (n: number) => String(Math.abs(n)).padStart(2, '0');
      const sign = minutes < 0 ? '-' : '+';
      const zone = `${sign}${pad(Math.trunc(minutes / 60))}:${pad(minutes % 60)}`;
      return { text: local.replace('Z', zone), ms: date.getTime() };
    });
    const readable = written.filter(({ text }) => /^\d{4}-/.test(text));
    fc.assert(
      fc.property(readable, readable, (a, b) => {
        const [x, y] = [readDetailDate(a.text), readDetailDate(b.text)];
        expect(Date.parse(x ?? '')).toBe(a.ms);
        expect((x ?? '') < (y ?? '')).toBe(a.ms < b.ms);
      }),
    );
  });

  test('knows the days that exist', () => {
    expect(readDetailDate('2024-02-29')).toBe('2024-02-29');
    expect(readDetailDate('2026-02-29')).toBeUndefined();
    expect(readDetailDate('2026-13-01')).toBeUndefined();
    expect(readDetailDate('2026-03-14T25:00:00Z')).toBeUndefined();
    expect(readDetailDate('2026-02-30T12:00:00Z')).toBeUndefined();
    expect(readDetailDate('9999-12-31T23:00:00-10:00')).toBeUndefined();
    expect(readDetailDate('2026-3-1')).toBeUndefined();
  });
});
