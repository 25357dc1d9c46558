import { describe, expect, test } from 'vitest';
import { draftOf, isComplete, type KeyDraft, requestOfDraft } from './key-draft.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const draft: KeyDraft = { name: ' Website ', scopes: ['media.read'], lifetime: 'never', day: '', networks: '' };

describe('the draft of a key', () => {
  test('becomes a request without what was left empty', () => {
    expect(requestOfDraft(draft, NOW)).toEqual({ name: 'Website', scopes: ['media.read'], expires_at: null });
  });

  test('has its networks one by one, however they were parted', () => {
    const networks = '10.20.0.0/16, 192.0.2.7/32\n2001:db8::/32';
    expect(requestOfDraft({ ...draft, networks }, NOW).cidrs).toEqual([
      '10.20.0.0/16',
      '192.0.2.7/32',
      '2001:db8::/32',
    ]);
  });

  test('ends after so many days, or at the end of a day', () => {
    expect(requestOfDraft({ ...draft, lifetime: '30' }, NOW).expires_at).toBe('2026-12-22T12:00:00.000Z');
    const { expires_at: end } = requestOfDraft({ ...draft, lifetime: 'day', day: '2027-06-30' }, NOW);
    expect(new Date(end ?? '').toString()).toContain('Jun 30 2027 23:59:59');
  });

  test('lacks something while it has no name, no scope or no day', () => {
    expect(isComplete(draft)).toBe(true);
    expect(isComplete({ ...draft, name: '  ' })).toBe(false);
    expect(isComplete({ ...draft, scopes: [] })).toBe(false);
    expect(isComplete({ ...draft, lifetime: 'day' })).toBe(false);
  });

  test('takes over what the replaced key could do, as far as the own key may hand that on', () => {
    const replaced = {
      id: 3,
      prefix: 'tl_abc',
      name: 'Stadium screens',
      scopes: ['media.read', 'admin'] as ('media.read' | 'admin')[],
      cidrs: ['10.0.0.0/8'],
      requests_per_second: 5,
      burst: 10,
      expires_at: '2026-12-01T00:00:00.000Z',
      revoked_at: null,
      last_used_at: null,
      created_at: '2026-01-01T00:00:00.000Z',
    };
    expect(requestOfDraft(draftOf(replaced, ['media.read', 'media.write']), NOW)).toEqual({
      name: 'Stadium screens',
      scopes: ['media.read'],
      expires_at: null,
      cidrs: ['10.0.0.0/8'],
      requests_per_second: 5,
      burst: 10,
    });
  });
});
