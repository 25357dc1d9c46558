import fc from 'fast-check';
import type { ActionRow } from './action-library.ts';
import type { ModelFilter } from './search-model.ts';
import { type Ids, idTest, orNull, phrase, scalarTest, text, TIMES, treeOf } from './search-generators.ts';

/** Random actions of a small world, and filters over them. */

const ROLES = ['scorer', 'assist', 'goalkeeper'] as const;
const OUTCOMES = ['scored', 'saved', 'Ä', 'ﬀ', '𠀀'] as const;
const SOURCES = ['manual', 'feed:opta', 'ai:x'] as const;
export const ANGLES = ['main', 'behind goal', 'Ä', 'ﬀ', '𠀀'] as const;
const STATUSES = ['draft', 'confirmed', 'disputed', 'retracted'] as const;
/** Most are no sum of powers of two: what a real number is rounded to shows. */
const CONFIDENCES = [0, 0.1, 0.3, 0.5, 0.9, 1] as const;
/** Keys of types, beside those that no tag option has yet. */
export const TYPE_KEYS = ['goal', 'shot', 'never_used'] as const;

const TAG_FIELDS = ['player', 'club', 'stadium', 'competition', 'season', 'match', 'sponsor', 'tag_options'];

/** What actions refer to: tag options by type, types of actions, assets. */
export type ActionIds = {
  readonly tags: Ids;
  readonly types: readonly number[];
  readonly media: readonly number[];
};

const idsIn = (ids: ActionIds, field: string): number[] => [...(ids.tags.get(field) ?? [])];
const small = (max: number) => fc.integer({ min: 0, max });

export function actionRow(ids: ActionIds, words: readonly string[]): fc.Arbitrary<ActionRow> {
  const player = fc.record({ id: fc.constantFrom(...idsIn(ids, 'player')), role: orNull(fc.constantFrom(...ROLES)) });
  const place = fc.record({ startMs: fc.constantFrom(0, 1000, 1001, 5_000_000_000), lengthMs: small(2) });
  const details = fc.record(
    { title: phrase(2, words), note: phrase(3, words), number: fc.integer() },
    { requiredKeys: [] },
  );
  return fc
    .record({
      // The first is its own video; none: it was deleted.
      media: fc.subarray([...ids.media], { minLength: 1, maxLength: 3 }),
      first: fc.nat(),
      deleted: fc.constantFrom(false, false, false, false, false, false, true),
      spans: fc.tuple(place, place, place),
      typeId: fc.constantFrom(...ids.types),
      label: orNull(phrase(2, words)),
      details,
      players: fc.array(player, { maxLength: 3 }),
      tags: fc.subarray(
        idsIn(ids, 'tag_options').filter((id) => !ids.types.includes(id)),
        { maxLength: 4 },
      ),
      status: fc.constantFrom('confirmed', 'confirmed', 'confirmed', ...STATUSES),
      outcome: orNull(fc.constantFrom(...OUTCOMES)),
      source: fc.constantFrom(...SOURCES),
      period: orNull(small(3)),
      clockMs: orNull(fc.constantFrom(0, 1, 2_700_000, 5_400_000)),
      minute: orNull(fc.constantFrom(1, 45, 89, 90)),
      stoppage: orNull(small(3)),
      confidence: orNull(fc.constantFrom(...CONFIDENCES)),
      wallclockAt: orNull(fc.constantFrom(...TIMES)),
      createdAt: fc.constantFrom(...TIMES),
      updatedAt: fc.constantFrom(...TIMES),
    })
    .map(({ media, first, deleted, spans, ...row }) => {
      const start = first % media.length;
      const order = [...media.slice(start), ...media.slice(0, start)];
      const places = order.flatMap((mediaId, at) => {
        const span = spans[at];
        return span ? [{ mediaId, startMs: span.startMs, endMs: span.startMs + span.lengthMs }] : [];
      });
      return { ...row, mediaId: order[0] ?? 0, places: deleted ? [] : places };
    });
}

/** Tests of a text without an order. */
function keywordTest(value: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const list = fc.array(value, { minLength: 1, maxLength: 2 });
  return fc.oneof(
    value,
    list,
    value.map((eq) => ({ eq })),
    value.map((ne) => ({ ne })),
    list.map((many) => ({ in: many })),
    fc.tuple(value, fc.boolean()).map(([ne, exists]) => ({ ne, exists })),
    fc.boolean().map((exists) => ({ exists })),
  );
}

function typeTest(ids: ActionIds): fc.Arbitrary<unknown> {
  const type = fc.oneof(fc.constantFrom(...ids.types), fc.constantFrom<string>(...TYPE_KEYS));
  const list = fc.array(type, { minLength: 1, maxLength: 2 });
  return fc.oneof(
    type,
    list,
    list.map((any) => ({ any })),
    list.map((none) => ({ none })),
  );
}

/** Beside a player, a role is asked for and not excluded. */
function playerInRole(ids: ActionIds): fc.Arbitrary<ModelFilter> {
  const role = fc.constantFrom(...ROLES);
  const list = fc.array(role, { minLength: 1, maxLength: 2 });
  const roles = fc.oneof(
    role,
    list,
    role.map((eq) => ({ eq })),
    fc.tuple(role, list).map(([eq, many]) => ({ eq, in: many })),
  );
  return fc.tuple(idTest(idsIn(ids, 'player')), roles).map(([player, one]) => ({ player, role: one }));
}

function leafTests(ids: ActionIds): Record<string, fc.Arbitrary<unknown>> {
  const time = () => fc.constantFrom(...TIMES, '2026-01-01');
  const media = fc.constantFrom(...ids.media);
  return {
    ...Object.fromEntries(TAG_FIELDS.map((field) => [field, idTest(idsIn(ids, field))])),
    type: typeTest(ids),
    role: keywordTest(fc.constantFrom(...ROLES)),
    media_id: fc.oneof(media, fc.array(media, { minLength: 1, maxLength: 12 })),
    status: keywordTest(fc.constantFrom(...STATUSES)),
    outcome: keywordTest(fc.constantFrom(...OUTCOMES)),
    source: keywordTest(fc.constantFrom(...SOURCES)),
    angle: keywordTest(fc.constantFrom(...ANGLES)),
    start_ms: scalarTest(fc.constantFrom(0, 1000, 1001, 5_000_000_000)),
    period: scalarTest(small(3)),
    clock_ms: scalarTest(fc.constantFrom(0, 1, 2_700_000, 5_400_000)),
    minute: scalarTest(fc.constantFrom(1, 45, 89, 90, 91)),
    stoppage: scalarTest(small(3)),
    confidence: scalarTest(fc.constantFrom(...CONFIDENCES)),
    wallclock_at: scalarTest(time()),
    created_at: scalarTest(time()),
    updated_at: scalarTest(time()),
  };
}

/** Beside players a role can only be asked for: other tests of it are left out. */
function withoutRefused(filter: ModelFilter): ModelFilter {
  const { role } = filter;
  const excludes = typeof role === 'object' && role !== null && ('ne' in role || 'exists' in role);
  const members = Object.entries(filter).filter(([name]) => !(name === 'role' && excludes && 'player' in filter));
  return Object.fromEntries(
    members.map(([name, test]) => [
      name,
      ['all', 'any', 'none'].includes(name) ? (test as ModelFilter[]).map(withoutRefused) : test,
    ]),
  );
}

/** Filters over actions of all kinds; a group may hold groups. */
export function actionTree(ids: ActionIds): fc.Arbitrary<ModelFilter> {
  const tests = leafTests(ids);
  const often = ['type', 'player', 'club', 'match', 'minute', 'status'];
  const one = fc
    .oneof(fc.constantFrom(...often), fc.constantFrom(...Object.keys(tests)))
    .chain((name) => (tests[name] ?? fc.constant(undefined)).map((value) => ({ [name]: value })));
  const leaf: fc.Arbitrary<ModelFilter> = fc.oneof(
    { weight: 7, arbitrary: one },
    { weight: 2, arbitrary: playerInRole(ids) },
    { weight: 2, arbitrary: text().map((query) => ({ text: query })) },
  );
  return treeOf(leaf, 2).map(withoutRefused);
}

export const ACTION_FACET_FIELDS = [
  'type',
  'tag_options',
  'player',
  'club',
  'match',
  'tag',
  'status',
  'outcome',
  'source',
  'angle',
  'role',
  'period',
  'minute',
] as const;
