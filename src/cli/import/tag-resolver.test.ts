import { describe, expect, test } from 'vitest';
import { pickTag, type TagHit } from './tag-resolver.ts';

const hit = (id: number, label: string, rest: Partial<TagHit> = {}): TagHit => ({
  id,
  type: 'player',
  category: null,
  label,
  full_name: null,
  aliases: [],
  status: 'active',
  ...rest,
});
const idOf = (hits: readonly TagHit[], value: string) => {
  const found = pickTag(hits, value);
  return found && ('id' in found ? found.id : found.problem);
};

describe('pickTag', () => {
  test('takes the option whose label, full name or alias is the value, whatever the accents', () => {
    const hits = [hit(1, 'Šeško', { full_name: 'Benjamin Šeško', aliases: ['Big Ben'] }), hit(2, 'Seskovic')];
    expect(idOf(hits, 'sesko')).toBe(1);
    expect(idOf(hits, 'BENJAMIN SESKO')).toBe(1);
    expect(idOf(hits, 'big-ben')).toBe(1);
  });

  test('takes none that only resembles the value', () => {
    expect(idOf([hit(1, 'Kane'), hit(2, 'Harry Kane')], 'Harry')).toBeUndefined();
  });

  test('takes a name before an alias', () => {
    const hits = [hit(1, 'Close-up', { type: 'tag', aliases: ['Detail'] }), hit(2, 'Detail', { type: 'tag' })];
    expect(idOf(hits, 'Detail')).toBe(2);
  });

  test('takes the one that is spelled the same where folding makes two equal', () => {
    expect(idOf([hit(1, 'Núñez'), hit(2, 'Nunez')], 'Nunez')).toBe(2);
    expect(idOf([hit(1, 'Núñez'), hit(2, 'Nunez')], 'Núñez')).toBe(1);
  });

  test('takes none of several that share a name, and names them', () => {
    expect(idOf([hit(1, 'Silva', { full_name: 'Bernardo Silva' }), hit(2, 'Silva')], 'Silva')).toBe(
      'it is the name of 2 tag options: 1 (player Bernardo Silva), 2 (player Silva)',
    );
  });

  test('says that an option takes no new tagging', () => {
    expect(idOf([hit(1, 'Kane', { status: 'deactivated' })], 'Kane')).toBe(
      'tag option 1 (player Kane) is deactivated and takes no new tagging',
    );
  });

  test('compares names without letters as they are', () => {
    expect(idOf([hit(1, '!!!'), hit(2, '???')], '???')).toBe(2);
  });
});
