import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonFaultAt } from './json-fault.ts';

describe('the place of a fault in JSON', () => {
  test.each([
    ['', 0],
    ['{"id": }', 7],
    ['[1,]', 3],
    ['[1 2]', 3],
    ['{"a":1,}', 7],
    ['{a:1}', 1],
    ['{"a" 1}', 5],
    ['[1}', 2],
    ['[]]', 2],
    ['01', 1],
    ['"a', 0],
    ['["\\x"]', 1],
    ['[tru]', 1],
    ['[1, [2, {"a": [', 15],
    ['nul', 0],
  ])('%j has it at %i', (text, offset) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(jsonFaultAt(text)).toBe(offset);
  });

  test('JSON that is broken at one place is whole before it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), (value, at) => {
        const text = JSON.stringify({ value }, undefined, 1);
        const broken = `${text.slice(0, at % text.length)}\u0001${text.slice(at % text.length)}`;
        expect(jsonFaultAt(text)).toBe(text.length);
        // A fault inside a string or number is told at its beginning.
        const fault = jsonFaultAt(broken);
        if (fault < broken.length) expect(fault).toBeLessThanOrEqual(at % text.length);
      }),
      { numRuns: 300 },
    );
  });

  test('a million brackets are no trouble', () => {
    expect(jsonFaultAt('['.repeat(1_000_000))).toBe(1_000_000);
  });
});
