import { describe, expect, test } from 'vitest';
import { describeScopes, presetOf, presetsWithin, SCOPES, stateOfKey } from './scopes.ts';

describe('scopes', () => {
  test('are told in words, all of them in one', () => {
    expect(describeScopes(['media.write', 'media.read'])).toBe('Look and download, Upload and change');
    expect(describeScopes(SCOPES.map(({ scope }) => scope))).toBe('Everything');
  });

  test('that are those of a preset are found in any order', () => {
    expect(presetOf(['media.write', 'media.read'])?.id).toBe('photographer');
    expect(presetOf(['media.write'])).toBeUndefined();
  });

  test('of presets are offered only where the own key has them all', () => {
    expect(presetsWithin(['admin', 'media.read', 'tags.write']).map(({ id }) => id)).toEqual(['read', 'squad']);
    expect(presetsWithin(SCOPES.map(({ scope }) => scope)).at(-1)?.id).toBe('all');
  });
});

describe('the state of a key', () => {
  const now = Date.parse('2026-11-22T12:00:00Z');
  test.each([
    [null, null, 'active'],
    [null, '2027-11-22T12:00:00Z', 'active'],
    [null, '2026-12-01T12:00:00Z', 'expiring'],
    [null, '2026-11-22T12:00:00Z', 'expired'],
    ['2026-11-01T12:00:00Z', '2027-11-22T12:00:00Z', 'revoked'],
  ] as const)('revoked %s, expires %s: %s', (revoked_at, expires_at, state) => {
    expect(stateOfKey({ revoked_at, expires_at }, now)).toBe(state);
  });
});
