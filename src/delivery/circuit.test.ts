import { expect, test } from 'vitest';
import { signOf } from './circuit.ts';

test.each([
  [undefined, 'answered'],
  [{ code: 'name_taken', atOpening: false }, 'answered'],
  [{ code: 'timeout', atOpening: false }, 'fault'],
  [{ code: 'credentials', atOpening: false }, 'fault'],
  [{ code: 'not_found', atOpening: true }, 'fault'],
  [{ code: 'corrupted', atOpening: false }, 'nothing'],
  [{ code: 'source_changed', atOpening: false }, 'nothing'],
] as const)('takes the end %j as %s', (fault, sign) => {
  expect(signOf(fault)).toBe(sign);
});
