import fc from 'fast-check';
import { wordsOf } from '../../src/base/index.ts';
import type { IndexAction, IndexRow, TagType, WordPlaces } from '../../src/library/index.ts';
import { detailValues, drawnDetails } from './index-details.ts';

/** Rows of a search index out of thin air, for tests of the index without a database. */

const CLASSES = [1, 2, 3] as const;
const NAMES = [
  'IMG_01.jpg',
  'img-02.JPG',
  'É.tif',
  'ß.jpg',
  'a b',
  '',
  '—',
  '𠀀𠀁.jpg',
  '\uffff',
  'z𝒳',
  'ﬁnal.png',
  'aaaaaaaaaaaaaaaa',
];
export const INDEX_WORDS = [
  'goal',
  'goals',
  'gaol',
  'corner',
  'korner',
  'seskos',
  'final',
  '北京',
  '𠀀𠀁𠀂𠀃',
  '2',
  '2nd',
  'a',
  'img',
  'celebration',
];
export const STATUSES = ['ready', 'ready', 'ready', 'processing', 'failed', 'archived', 'deleted'] as const;
export const USAGES = ['approved', 'limited', 'raw', 'embargoed', 'expired'] as const;
export const ORIENTATIONS = ['landscape', 'portrait', 'square', null] as const;
export const TAG_IDS = [3, 8, 11, 2 ** 32 + 5, 2 ** 40, 900] as const;
export const COLLECTION_IDS = [1, 2, 2 ** 33] as const;
const TAG_TYPES: readonly TagType[] = ['player', 'player', 'player', 'club', 'match', 'tag'];
/** Types of actions, which are tags too. */
export const ACTION_TYPE_IDS = [900, 901, 2 ** 35] as const;
export const ROLES = ['scorer', 'assist', 'goalkeeper'] as const;
export const OUTCOMES = ['scored', 'saved', '', 'Ä=b', 'ﬀ', '𠀀'] as const;
export const SOURCES = ['manual', 'feed:opta', 'ai:x'] as const;
export const ANGLES = ['main', 'behind goal'] as const;
export const ACTION_STATUSES = ['confirmed', 'confirmed', 'draft', 'disputed', 'retracted'] as const;
export const CONFIDENCES = [0, 0.1, 0.3, 0.30000000000000004, 0.9, 1] as const;
export const TIMES = [
  Date.UTC(1936, 7, 1),
  -1,
  0,
  1,
  Date.UTC(2025, 11, 31, 23, 59, 59, 999),
  Date.UTC(2026, 0, 1),
  Date.UTC(2026, 0, 4, 12),
  Date.UTC(2026, 0, 5),
  Date.UTC(2150, 0, 1),
] as const;

export function indexTagType(id: number): TagType | undefined {
  if (ACTION_TYPE_IDS.some((one) => one === id)) return 'tag';
  return TAG_TYPES[TAG_IDS.findIndex((one) => one === id)];
}

/** The words of texts, one position between two texts, as the library writes them. */
export function placesOf(texts: readonly { readonly rank: number; readonly words: readonly string[] }[]): WordPlaces[] {
  const places = new Map<string, number[]>();
  let position = 0;
  for (const { rank, words } of texts) {
    for (const word of words) {
      position += 1;
      places.set(word, [...(places.get(word) ?? []), (rank << 14) | position]);
    }
    position += 1;
  }
  return [...places].map(([word, list]) => ({ word, places: list })).toSorted((a, b) => (a.word < b.word ? -1 : 1));
}

const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 3, nil: null });
const time = fc.oneof(fc.constantFrom(...TIMES), fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2026, 6) }));

function words() {
  return fc.array(
    fc.record({
      rank: fc.constantFrom(...CLASSES),
      words: fc.array(fc.constantFrom(...INDEX_WORDS), { maxLength: 6 }),
    }),
    { maxLength: 3 },
  );
}

/** Everything of an action but its ID. */
function actionContent(): fc.Arbitrary<Omit<IndexAction, 'id'>> {
  const roles = fc.uniqueArray(
    fc.record({ player: fc.constantFrom(TAG_IDS[0], TAG_IDS[1], TAG_IDS[2]), role: fc.constantFrom(...ROLES) }),
    { maxLength: 3, selector: ({ player, role }) => `${player} ${role}` },
  );
  return fc
    .record({
      home: fc.constantFrom(true, true, false),
      type_id: fc.constantFrom(...ACTION_TYPE_IDS),
      status: fc.constantFrom(...ACTION_STATUSES),
      outcome: orNull(fc.constantFrom(...OUTCOMES)),
      source: fc.constantFrom(...SOURCES),
      angle: orNull(fc.constantFrom(...ANGLES)),
      start_ms: fc.constantFrom(0, 1000, 1001, 5_400_000, 5_000_000_000),
      period: orNull(fc.integer({ min: 0, max: 3 })),
      clock_ms: orNull(fc.constantFrom(0, 2_700_000, 5_400_001)),
      minute: orNull(fc.constantFrom(1, 45, 80, 90)),
      stoppage: orNull(fc.integer({ min: 0, max: 3 })),
      confidence: orNull(fc.constantFrom(...CONFIDENCES)),
      wallclock_at: orNull(time),
      created_at: time,
      updated_at: time,
      tags: fc.subarray(TAG_IDS.slice(0, 5)),
      roles,
      texts: words(),
    })
    .map(({ texts, tags, ...action }) => ({
      ...action,
      tag_ids: [...new Set([action.type_id, ...tags, ...action.roles.map(({ player }) => player)])].sort(
        (a, b) => a - b,
      ),
      text: placesOf(texts),
    }));
}

/** Actions of an asset: most have none, some a few. IDs follow from that of the asset. */
function actionsOf(assetId: number, contents: readonly Omit<IndexAction, 'id'>[]): IndexAction[] {
  return contents.map((content, at) => ({
    ...content,
    id: (assetId % 1000) * 10 + ((at * 7) % 10) + (assetId > 2 ** 31 ? 2 ** 33 : 0),
  }));
}

export type RowContent = Omit<IndexRow, 'id' | 'actions'> & { readonly contents: readonly Omit<IndexAction, 'id'>[] };

export function rowOf(id: number, { contents, ...content }: RowContent): IndexRow {
  return { ...content, id, actions: actionsOf(id, contents) };
}

/** Everything of a row but its ID. */
export function rowContent(): fc.Arbitrary<RowContent> {
  return fc
    .record({
      media_type: fc.constantFrom('photo', 'photo', 'video'),
      status: fc.constantFrom(...STATUSES),
      orientation: fc.constantFrom(...ORIENTATIONS),
      usage: fc.constantFrom(...USAGES),
      captured_at: orNull(time),
      created_at: time,
      updated_at: time,
      width: orNull(fc.integer({ min: 1, max: 9000 })),
      height: orNull(fc.integer({ min: 1, max: 4 })),
      duration_ms: orNull(fc.constantFrom(0, 1, 5_000_000_000)),
      people_count: fc.integer({ min: 0, max: 3 }),
      rating: orNull(fc.integer({ min: 0, max: 5 })),
      name: fc
        .oneof(fc.constantFrom(...NAMES), fc.string({ unit: 'grapheme', maxLength: 20 }))
        .map((name) => name.replaceAll('\0', '')),
      tag_ids: fc.subarray([...TAG_IDS]),
      collection_ids: fc.subarray([...COLLECTION_IDS]),
      details: detailValues(),
      contents: fc.oneof(
        { weight: 3, arbitrary: fc.constant([]) },
        { weight: 2, arbitrary: fc.array(actionContent(), { maxLength: 4 }) },
      ),
      texts: words(),
      // Rows of an older version have no words until the next start.
      unread: fc.constantFrom(false, false, false, false, true),
    })
    .map(({ texts: others, unread, ...row }) => ({
      ...row,
      text: unread ? [] : placesOf([{ rank: 3, words: wordsOf(row.name) }, ...others]),
    }));
}

/** Rows with IDs below and above 2^32, in no order. */
export function indexRows(options: {
  readonly minLength?: number;
  readonly maxLength: number;
}): fc.Arbitrary<IndexRow[]> {
  const id = fc.oneof(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 2 ** 32 - 2, max: 2 ** 32 + 500 }));
  return fc.uniqueArray(
    fc.tuple(id, rowContent()).map(([one, content]) => rowOf(one, content)),
    { ...options, selector: (row) => row.id },
  );
}

/** A generator of numbers below 2^32 that are the same in every run (xorshift, Marsaglia 2003). */
export function createDraws(seed: number): (below: number) => number {
  let state = seed | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const pick = <T>(list: readonly T[], at: number): T => {
  const value = list[at % list.length];
  if (value === undefined) throw new RangeError('expected a list that is not empty');
  return value;
};

/** Many rows quickly: the most common tag is on nearly all, the rarest on few; words and numbers likewise. */
export function* manyRows(
  count: number,
  options: {
    readonly seed: number;
    readonly firstId?: number;
    /** How many actions an asset has; none by default. */
    readonly actionsOf?: (at: number, draw: (below: number) => number) => number;
  },
): Generator<IndexRow> {
  const draw = createDraws(options.seed);
  // Of its own: the same assets come with and without actions.
  const drawAction = createDraws(options.seed + 1_000_003);
  const drawDetail = createDraws(options.seed + 2_000_003);
  const { actionsOf: countOf = () => 0 } = options;
  const names = Array.from({ length: 500 }, (_, at) => `frame ${at % 7} ${at}.jpg`);
  for (let at = 0; at < count; at += 1) {
    const name = pick(names, draw(500));
    const words = Array.from({ length: draw(5) }, () => pick(INDEX_WORDS, Math.min(draw(20), draw(20))));
    yield {
      id: (options.firstId ?? 1) + at,
      media_type: draw(10) === 0 ? 'video' : 'photo',
      status: draw(30) === 0 ? 'archived' : 'ready',
      orientation: pick(ORIENTATIONS, draw(4)),
      usage: pick(USAGES, draw(5) * draw(2)),
      captured_at: draw(5) === 0 ? null : Date.UTC(2020, 0) + draw(200_000_000) * 1000 + draw(1000),
      created_at: Date.UTC(2021, 0) + at * 60_000 + draw(3) * 60_000,
      updated_at: Date.UTC(2025, 0) + draw(1_000_000_000),
      width: draw(3) === 0 ? null : 1000 + draw(5000),
      height: 1000 + draw(200),
      duration_ms: draw(20) === 0 ? draw(1_000_000) : null,
      people_count: draw(5) * draw(2),
      rating: draw(3) === 0 ? null : draw(6),
      name,
      tag_ids: TAG_IDS.filter((_, tag) => draw(1 + tag * tag * 40) < 1 + (tag === 0 ? 0 : tag * 2)),
      collection_ids: COLLECTION_IDS.filter((_, collection) => draw(20) < collection),
      text: placesOf([
        { rank: 3, words: wordsOf(name) },
        { rank: 2, words },
      ]),
      details: drawnDetails(drawDetail),
      actions: Array.from({ length: countOf(at, drawAction) }, (_, n) =>
        drawnAction(((options.firstId ?? 1) + at) * 4096 + n, drawAction),
      ),
    };
  }
}

/** An action at random: the most common type, player and outcome are in most, the rarest in few. */
function drawnAction(id: number, draw: (below: number) => number): IndexAction {
  const type = pick(ACTION_TYPE_IDS, draw(3) * draw(2));
  const players = TAG_IDS.slice(0, 3).filter((_, at) => draw(2 + at * 8) === 0);
  const played = draw(3) === 0 ? null : 1 + draw(90);
  return {
    id,
    home: draw(8) !== 0,
    type_id: type,
    status: pick(ACTION_STATUSES, draw(5) * draw(2)),
    outcome: draw(3) === 0 ? pick(OUTCOMES, draw(6)) : null,
    source: pick(SOURCES, draw(3) * draw(2)),
    angle: draw(3) === 0 ? pick(ANGLES, draw(2)) : null,
    start_ms: draw(5_400_000),
    period: played === null ? null : 1 + (played > 45 ? 1 : 0),
    clock_ms: played === null ? null : played * 60_000 + draw(60_000),
    minute: played,
    stoppage: draw(20) === 0 ? draw(5) : null,
    confidence: draw(4) === 0 ? draw(100) / 100 : null,
    wallclock_at: draw(9) === 0 ? Date.UTC(2024, 0) + draw(1_000_000_000) : null,
    created_at: Date.UTC(2024, 0) + draw(1_000_000_000),
    updated_at: Date.UTC(2025, 0) + draw(1_000_000_000),
    tag_ids: [...new Set([...players, ...(draw(30) === 0 ? [TAG_IDS[4]] : []), type])].sort((a, b) => a - b),
    roles: players.flatMap((player) => (draw(3) === 0 ? [] : [{ player, role: pick(ROLES, draw(3)) }])),
    text: placesOf([{ rank: 3, words: Array.from({ length: draw(4) }, () => pick(INDEX_WORDS, draw(14))) }]),
  };
}
