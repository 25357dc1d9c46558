import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { AppError } from '../base/index.ts';
import { PARAMETERS } from './parameters/index.ts';
import { canonicalRecipe, parseRecipe } from './recipe.ts';

type Query = Parameters<typeof parseRecipe>[0];

function faultsOf(query: Query): AppError {
  try {
    parseRecipe(query);
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error(`expected a refusal of ${JSON.stringify(query)}`);
}

const canonical = (query: Query) => canonicalRecipe(parseRecipe(query));

describe('reading a recipe', () => {
  test('width and height mean a cover crop with automatic focus and format', () => {
    expect(parseRecipe({ w: '600', h: '818' })).toMatchObject({
      widthPx: 600,
      heightPx: 818,
      fit: 'cover',
      focus: [{ kind: 'focal' }, { kind: 'faces' }, { kind: 'attention' }],
      format: 'auto',
      quality: undefined,
    });
  });

  test('one side, or none, keeps the aspect', () => {
    expect(parseRecipe({ w: '600' })).toMatchObject({ fit: 'inside', heightPx: undefined });
    expect(parseRecipe({})).toMatchObject({ fit: 'inside', widthPx: undefined, heightPx: undefined });
  });

  test('a recipe cannot be changed', () => {
    expect(Object.isFrozen(parseRecipe({ w: '1' }))).toBe(true);
  });

  test('g is f and output is fmt', () => {
    expect(parseRecipe({ w: '9', h: '9', g: 'face', output: 'webp' })).toEqual(
      parseRecipe({ w: '9', h: '9', f: 'face', fmt: 'webp' }),
    );
  });

  test('dpr multiplies both sides and stops at 8192 without changing the aspect', () => {
    expect(parseRecipe({ w: '300', h: '200', dpr: '2' })).toMatchObject({ widthPx: 600, heightPx: 400 });
    expect(parseRecipe({ w: '4096', h: '2048', dpr: '4' })).toMatchObject({ widthPx: 8192, heightPx: 4096 });
    expect(parseRecipe({ w: '1', dpr: '0.5' })).toMatchObject({ widthPx: 1 });
  });

  test('a parameter without a value object is left out', () => {
    expect(parseRecipe({ w: '300', h: undefined })).toEqual(parseRecipe({ w: '300' }));
  });
});

describe('refusing a recipe', () => {
  test.each([
    ['w', '0'],
    ['w', '8193'],
    ['w', ''],
    ['w', '1e3'],
    ['w', ' 5'],
    ['h', '-1'],
    ['h', '5.5'],
    ['fit', 'crop'],
    ['f', 'nose'],
    ['f', ''],
    ['f', 'face,'],
    ['f', 'fp:0.5'],
    ['f', 'fp:0.5:1.1'],
    ['f', 'fp:0.5:0.5:0.5'],
    ['f', 'fp:NaN:0'],
    ['f', 'n,n,n,n,n,n,n,n,n'],
    ['g', 'FACE'],
    ['fmt', 'gif'],
    ['output', 'heic'],
    ['q', '0'],
    ['q', '101'],
    ['dpr', '0.4'],
    ['dpr', '4.1'],
    ['dpr', 'Infinity'],
  ])('%s=%s is refused by name', (name, value) => {
    const error = faultsOf({ [name]: value });
    expect(error.code).toBe('image_parameter_invalid');
    expect(error.status).toBe(400);
    expect(error.errors).toHaveLength(1);
    expect(error.errors[0]).toMatchObject({ pointer: name, code: 'invalid' });
    expect(error.errors[0]?.detail).toContain(`for ${name}, received ${JSON.stringify(value)}`);
  });

  test('an unknown parameter is named and the known ones are listed', () => {
    const [fault] = faultsOf({ width: '600' }).errors;
    expect(fault).toMatchObject({ pointer: 'width', code: 'unknown' });
    expect(fault?.detail).toContain('w, h, dpr, fit, up, ');
  });

  test('names of object members are unknown parameters like any other', () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      const query = Object.fromEntries([[name, '1']]);
      expect(faultsOf(query).errors[0]).toMatchObject({ pointer: name, code: 'unknown' });
    }
  });

  test('a parameter given twice is refused, by its name or by an alias, even with equal values', () => {
    expect(faultsOf({ w: ['600', '600'] }).errors).toMatchObject([{ pointer: 'w', code: 'duplicate' }]);
    expect(faultsOf({ f: 'face', g: 'face' }).errors).toMatchObject([{ pointer: 'g', code: 'duplicate' }]);
    expect(faultsOf({ output: 'webp', fmt: 'webp' }).errors).toMatchObject([{ pointer: 'fmt', code: 'duplicate' }]);
  });

  test('all faults are reported together', () => {
    const error = faultsOf({ w: 'x', h: '99999', zoom: '1', q: '80' });
    expect(error.errors.map(({ pointer }) => pointer)).toEqual(['w', 'h', 'zoom']);
  });

  test('a long value is not repeated at length', () => {
    expect(faultsOf({ w: '9'.repeat(5000) }).message.length).toBeLessThan(200);
  });
});

describe('canonical text', () => {
  test('is sorted and short', () => {
    expect(canonical({ w: '600', output: 'webp', g: 'face', h: '818' })).toBe('f=face&fmt=webp&h=818&w=600');
    expect(canonical({})).toBe('');
  });

  test.each<[Query, Query]>([
    [{ w: '600' }, { w: '300', dpr: '2' }],
    [{ w: '600' }, { w: '600', f: 'face' }],
    [{ w: '600' }, { w: '600', fit: 'outside', fmt: 'auto', dpr: '1.0' }],
    [
      { w: '600', h: '400' },
      { h: '0400', w: '600', fit: 'cover', f: 'auto' },
    ],
    [
      { w: '6', h: '4', f: 'focal,faces,attention,center' },
      { w: '6', h: '4' },
    ],
    [
      { w: '6', h: '4', f: 'face,faces,center,n' },
      { w: '6', h: '4', f: 'face,center' },
    ],
    [
      { w: '6', h: '4', f: 'fp:.50000:1.0' },
      { w: '6', h: '4', f: 'fp:0.5:1' },
    ],
    [{ fmt: 'jpg' }, { output: 'jpeg' }],
    [{ fmt: 'png', q: '50' }, { fmt: 'png' }],
  ])('%j and %j are the same picture', (one, other) => {
    expect(canonical(one)).toBe(canonical(other));
  });

  test.each<[Query, Query]>([
    [{ w: '600' }, { h: '600' }],
    [
      { w: '6', h: '4' },
      { w: '6', h: '4', fit: 'fill' },
    ],
    [
      { w: '6', h: '4', f: 'face' },
      { w: '6', h: '4', f: 'faces' },
    ],
    [
      { w: '6', h: '4', f: 'face' },
      { w: '6', h: '4', f: 'face,center' },
    ],
    [{ q: '80' }, {}],
    [{ fmt: 'webp' }, {}],
  ])('%j and %j are different pictures', (one, other) => {
    expect(canonical(one)).not.toBe(canonical(other));
  });

  test('reads back as the same recipe', () => {
    const text = <T>(values: fc.Arbitrary<T>) => fc.option(values.map(String), { nil: undefined });
    const focus = fc.constantFrom(
      'center',
      'ne',
      'face',
      'faces',
      'focal',
      'attention',
      'entropy',
      'auto',
      'fp:0.1:.77',
    );
    const query = fc.record({
      w: text(fc.integer({ min: 1, max: 8192 })),
      h: text(fc.integer({ min: 1, max: 8192 })),
      dpr: text(fc.constantFrom(0.5, 1, 1.5, 2, 4)),
      fit: text(fc.constantFrom('cover', 'contain', 'inside', 'outside', 'fill')),
      f: text(fc.array(focus, { minLength: 1, maxLength: 4 }).map((items) => items.join(','))),
      fmt: text(fc.constantFrom('auto', 'jpeg', 'jpg', 'webp', 'avif', 'png')),
      q: text(fc.integer({ min: 1, max: 100 })),
    });
    fc.assert(
      fc.property(query, (given) => {
        const once = canonical(given);
        expect(canonical(Object.fromEntries(new URLSearchParams(once)))).toBe(once);
      }),
      { numRuns: 500 },
    );
  });
});

test('every parameter has a documentation text and no name or alias is used twice', () => {
  const names = PARAMETERS.flatMap((row) => [row.name, ...row.aliases]);
  expect(new Set(names).size).toBe(names.length);
  for (const row of PARAMETERS) expect(row.doc.length).toBeGreaterThan(20);
});
