import { describe, expect, test } from 'vitest';
import { createTagLookupIndex, type TagLookupIndex, type TagLookupRecord, type TagLookupRequest } from './index.ts';

function option(id: number, label: string, more: Partial<TagLookupRecord> = {}): TagLookupRecord {
  return {
    id,
    type: 'player',
    category: null,
    label,
    fullName: null,
    aliases: [],
    mediaCount: 0,
    status: 'active',
    shirts: [],
    ...more,
  };
}

const HARBOUR = ['Harbour City FC', 'Harbour City', 'HCFC'];
const shirt = (number: number, clubNames: readonly string[]) => ({ number, clubNames, from: null, to: null });

function library(...more: readonly TagLookupRecord[]): TagLookupIndex {
  const index = createTagLookupIndex();
  index.upsert([
    option(1, 'B. Šeško', { fullName: 'Benjamin Šeško', mediaCount: 40 }),
    option(2, 'Rafael Leão', {
      fullName: 'Rafael da Conceição Leão',
      shirts: [shirt(10, HARBOUR)],
    }),
    option(3, 'New York City FC', { type: 'club', aliases: ['NYC', 'New York City'], mediaCount: 9 }),
    option(4, 'Nycander', { mediaCount: 900 }),
    option(5, 'Martin Ødegaard', { mediaCount: 70, shirts: [shirt(8, HARBOUR)] }),
    option(6, 'Celebration', { type: 'tag', category: 'action type', mediaCount: 500 }),
    option(7, '北京国安', { type: 'club', mediaCount: 3 }),
    option(8, 'Кирилл', { mediaCount: 2 }),
    option(9, 'Harbour City FC', { type: 'club', aliases: HARBOUR, mediaCount: 300 }),
    ...more,
  ]);
  return index;
}

function find(index: TagLookupIndex, query: string, more: Partial<TagLookupRequest> = {}): readonly string[] {
  return index
    .search({ query, offset: 0, limit: 10, ...more })
    .hits.map(({ id, matchedOn }) => `${index.get(id)?.label} (${matchedOn})`);
}

describe('tag lookup', () => {
  test('finds a name typed without its accents', () => {
    expect(find(library(), 'sesko')).toEqual(['B. Šeško (label)']);
    expect(find(library(), 'benjamin ses')).toEqual(['B. Šeško (full_name)']);
    expect(find(library(), 'ODEGAARD')).toEqual(['Martin Ødegaard (label)']);
  });

  test('puts the alias that is typed in full before a more used name that only begins so', () => {
    expect(find(library(), 'NYC')).toEqual(['New York City FC (alias)', 'Nycander (label)']);
  });

  test('takes the words of a name in any order and unfinished', () => {
    expect(find(library(), 'leao raf')).toEqual(['Rafael Leão (label)']);
    expect(find(library(), 'leao conc')).toEqual(['Rafael Leão (full_name)']);
  });

  test('finds a part inside a word', () => {
    expect(find(library(), 'gaard')).toEqual(['Martin Ødegaard (label)']);
    expect(find(library(), '国安')).toEqual(['北京国安 (label)']);
    expect(find(library(), '安')).toEqual(['北京国安 (label)']);
    expect(find(library(), 'рил')).toEqual(['Кирилл (label)']);
  });

  test.each(['10 harbour', 'harbour city 10', '#10 harbour', '#10', 'leao 10', '10 hcfc'])(
    'finds the player by shirt number in "%s"',
    (query) => {
      expect(find(library(), query)).toEqual(['Rafael Leão (shirt)']);
    },
  );

  test('means the shirt of the day that is asked for', () => {
    const shirts = [
      { ...shirt(7, ['Northern Lights']), to: '2025-06-30' },
      { ...shirt(9, ['Ruritania']), from: '2025-07-01' },
    ];
    const index = library(option(20, 'Nils Berg', { shirts }));
    const on = (query: string, at: string) => index.search({ query, at, offset: 0, limit: 10 }).hits;
    expect(on('7 northern', '2025-06-30')).toEqual([{ id: 20, matchedOn: 'shirt' }]);
    expect(on('7 northern', '2025-07-01')).toEqual([]);
    expect(on('9 ruritania', '2025-07-01')).toEqual([{ id: 20, matchedOn: 'shirt' }]);
    expect(on('9 ruritania', '2025-06-30')).toEqual([]);
  });

  test('does not join one shirt number with the club of another shirt', () => {
    const shirts = [shirt(7, ['Northern Lights']), shirt(19, ['Ruritania'])];
    const index = library(option(20, 'Nils Berg', { shirts }));
    expect(find(index, '19 ruritania')).toEqual(['Nils Berg (shirt)']);
    expect(find(index, '7 ruritania')).toEqual([]);
  });

  test.each([
    ['celebraton', 'Celebration (typo)'],
    ['celebrtaoin', 'Celebration (typo)'],
    ['kelebration', 'Celebration (typo)'],
    ['odgaa', 'Martin Ødegaard (typo)'],
    ['rafeal leao', 'Rafael Leão (typo)'],
    ['кирлил', 'Кирилл (typo)'],
  ])('forgives the typo in "%s"', (query, expected) => {
    expect(find(library(), query)).toEqual([expected]);
  });

  test('looks for typos only when fewer than five tag options match without', () => {
    const four = ['Markus A', 'Markus B', 'Markus C', 'Markus D'].map((label, at) => option(30 + at, label));
    const near = option(40, 'Marcus Z');
    expect(find(library(...four, near), 'markus')).toContain('Marcus Z (typo)');
    expect(find(library(...four, option(34, 'Markus E'), near), 'markus')).not.toContain('Marcus Z (typo)');
  });

  test('finds a tag option by its ID after names and aliases that are that number', () => {
    const index = library(option(2026, 'Somebody'), option(50, '2026', { type: 'season' }));
    expect(find(index, '2026')).toEqual(['2026 (label)', 'Somebody (id)']);
  });

  test('ranks by media count, then the shorter label, then the ID', () => {
    const index = createTagLookupIndex();
    index.upsert([
      option(4, 'Silva Longer'),
      option(3, 'Silva Two'),
      option(2, 'Silva One'),
      option(1, 'Silva Most', { mediaCount: 5 }),
      option(5, 'Silva Gone', { mediaCount: 90, status: 'deactivated' }),
    ]);
    expect(index.search({ query: 'silva', offset: 0, limit: 9 }).hits.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
  });

  test('never answers a merged tag option, and forgets one that is merged later', () => {
    const index = library(option(60, 'Old Name', { status: 'merged' }));
    expect(find(index, 'old name')).toEqual([]);
    index.upsert([option(4, 'Nycander', { status: 'merged' })]);
    expect(find(index, 'nycander')).toEqual([]);
    expect(index.get(4)).toBeUndefined();
    expect(index.size).toBe(8);
  });

  test('lists by media count, then label, then ID when nothing is asked', () => {
    const listed = library().search({ query: '  ', offset: 1, limit: 3 });
    expect(listed).toEqual({
      hits: [
        { id: 6, matchedOn: 'list' },
        { id: 9, matchedOn: 'list' },
        { id: 5, matchedOn: 'list' },
      ],
      total: 9,
    });
  });

  test('finds nothing for a query without a letter or digit', () => {
    expect(library().search({ query: '!!!', offset: 0, limit: 10 })).toEqual({ hits: [], total: 0 });
  });

  test('counts all matches of the type and category that is asked for', () => {
    const index = library();
    expect(index.search({ query: 'c', types: ['tag'], offset: 0, limit: 0 })).toEqual({ hits: [], total: 1 });
    expect(find(index, 'c', { categories: ['action type'] })).toEqual(['Celebration (label)']);
    expect(find(index, 'c', { categories: ['unknown'] })).toEqual([]);
    expect(find(index, 'harbour', { types: [] })).toEqual([]);
  });

  test('follows a changed count, name and shirt', () => {
    const index = library();
    index.upsert([option(1, 'Benjamin', { mediaCount: 1000, shirts: [shirt(30, HARBOUR)] })]);
    expect(find(index, 'sesko')).toEqual([]);
    expect(find(index, '30 harb')).toEqual(['Benjamin (shirt)']);
    expect(index.search({ offset: 0, limit: 1 }).hits).toEqual([{ id: 1, matchedOn: 'list' }]);
  });

  test('cuts an endless query', () => {
    const words = Array.from({ length: 40 }, () => 'raf').join(' ');
    expect(find(library(), `${words} nowhere`)).toEqual(['Rafael Leão (label)']);
    expect(find(library(), 'x'.repeat(100_000))).toEqual([]);
  });
});
