/** A library of a sports organization from a seed: matches in date order, with their clubs, players and photographers. */
import type { TagType } from '../../src/library/index.ts';
import { createRandom, pick, type Random } from '../tag-lookup/generator.ts';
import { CAPTION_WORDS, NAMES, PLACES, SURNAMES, type TagName } from './names.ts';
import workload from './workload.json' with { type: 'json' };

export type TagKind = Exclude<TagType, 'season'>;
export type Tag = TagName & { readonly id: number; readonly type: TagKind };

export type Asset = {
  readonly id: number;
  readonly name: string;
  /** 8 to 12 words. */
  readonly caption: string;
  readonly isVideo: boolean;
  readonly status: 'ready' | 'processing' | 'archived';
  readonly inBin: boolean;
  /** Milliseconds since 1970; null for one in twenty. */
  readonly capturedAt: number | null;
  readonly createdAt: number;
  readonly rating: number | null;
  readonly peopleCount: number;
  readonly tagIds: readonly number[];
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
export const FIRST_MATCH_AT = Date.parse('2018-07-01T15:00:00Z');
/** 4,000 matches this far apart are eight seasons. */
const MATCH_EVERY_MS = 17.5 * HOUR_MS;
export const LAST_MATCH_AT = FIRST_MATCH_AT + workload.tags.match * MATCH_EVERY_MS;
/** Players of a club. */
export const SQUAD = 25;

const KINDS = ['competition', 'club', 'stadium', 'match', 'player', 'tag', 'sponsor'] as const;

/** The ID of the first tag option of each type; those of a type follow one another. */
const FIRST_ID: Readonly<Record<TagKind, number>> = (() => {
  let next = 1;
  const first = { competition: 0, club: 0, stadium: 0, match: 0, player: 0, tag: 0, sponsor: 0 };
  for (const kind of KINDS) {
    first[kind] = next;
    next += workload.tags[kind];
  }
  return first;
})();

export function idsOfKind(kind: TagKind): readonly number[] {
  return Array.from({ length: workload.tags[kind] }, (_, n) => FIRST_ID[kind] + n);
}

export function idOf(kind: TagKind, n: number): number {
  return FIRST_ID[kind] + n;
}

function nameOf(type: TagKind, n: number): TagName {
  if (type !== 'match') return NAMES[type][n] ?? { label: `${type} ${n + 1}`, fullName: null, aliases: [] };
  const { home, away } = fixtureOf(n);
  const label = `${NAMES.club[home]?.label} - ${NAMES.club[away]?.label}`;
  return { label, fullName: `Matchday ${1 + (n % 38)} ${label}`, aliases: [] };
}

export function generateTags(): readonly Tag[] {
  return KINDS.flatMap((type) => idsOfKind(type).map((id, n) => ({ ...nameOf(type, n), id, type })));
}

/** One of `count`, the first ones far more often; a higher exponent is a steeper fall. */
export function skewed(
  random: Random,
  { count, exponent }: { readonly count: number; readonly exponent: number },
): number {
  return Math.floor(count * random() ** exponent);
}

export function photographerName(n: number): string {
  const letter = (at: number) => String.fromCodePoint(65 + (at % 26));
  return `${letter(n * 7)}${letter(n * 11 + 3)}${letter(n)}`;
}

type Fixture = { readonly competition: number; readonly home: number; readonly away: number; readonly stadium: number };

let lastFixture: { readonly match: number; readonly fixture: Fixture } | undefined;

/** What is true of a match whichever of its photographs is generated. */
export function fixtureOf(match: number): Fixture {
  // Assets come in the order of their matches.
  if (lastFixture?.match !== match) lastFixture = { match, fixture: drawFixture(match) };
  return lastFixture.fixture;
}

function drawFixture(match: number): Fixture {
  const random = createRandom(workload.seed + 1000 + match);
  const home = skewed(random, { count: workload.tags.club, exponent: 1.5 });
  const away = (home + 1 + Math.floor(random() * (workload.tags.club - 1))) % workload.tags.club;
  return {
    competition: skewed(random, { count: workload.tags.competition, exponent: 2 }),
    home,
    away,
    stadium: home % workload.tags.stadium,
  };
}

function tagsOf(random: Random, match: number, fixture: Fixture): readonly number[] {
  const tags = new Set([
    FIRST_ID.competition + fixture.competition,
    FIRST_ID.club + fixture.home,
    FIRST_ID.club + fixture.away,
    FIRST_ID.stadium + fixture.stadium,
    FIRST_ID.match + match,
  ]);
  const several = (times: number, draw: () => number) => {
    for (let n = 0; n < times; n += 1) tags.add(draw());
  };
  several(1 + Math.floor(random() * 4), () => {
    const club = random() < 0.5 ? fixture.home : fixture.away;
    const player = club * SQUAD + skewed(random, { count: SQUAD, exponent: 1.6 });
    return FIRST_ID.player + (player % workload.tags.player);
  });
  several(
    3 + Math.floor(random() * 5),
    () => FIRST_ID.tag + skewed(random, { count: workload.tags.tag, exponent: 2.4 }),
  );
  several(
    Math.floor(random() * 3),
    () => FIRST_ID.sponsor + skewed(random, { count: workload.tags.sponsor, exponent: 2.4 }),
  );
  return [...tags].toSorted((a, b) => a - b);
}

const isPlayer = (id: number): boolean => id >= FIRST_ID.player && id < FIRST_ID.player + workload.tags.player;

/** `Silva shot in rain second-half against Harbour crowd the happy`: its words are what matters, not its grammar. */
function captionOf(random: Random, tagIds: readonly number[], fixture: Fixture): string {
  const frequent = (list: readonly string[]) => list[skewed(random, { count: list.length, exponent: 2.2 })] ?? '';
  const parts = tagIds.filter(isPlayer).map((id) => SURNAMES[id - FIRST_ID.player] ?? '');
  const words = parts.slice(0, 1 + Math.floor(random() * 2));
  words.push(frequent(CAPTION_WORDS.action), pick(random, CAPTION_WORDS.join));
  if (random() < 0.6) words.push('against', PLACES[fixture.away] ?? '');
  if (random() < 0.7) words.push(frequent(CAPTION_WORDS.light));
  if (random() < 0.5) words.push(frequent(CAPTION_WORDS.time));
  const length = 8 + Math.floor(random() * 5);
  while (words.length < length) {
    const draw = random();
    if (draw < 0.3) words.push(frequent(CAPTION_WORDS.scene));
    else if (draw < 0.5) words.push(frequent(CAPTION_WORDS.mood));
    else if (draw < 0.7) words.push(frequent(CAPTION_WORDS.action));
    else words.push(frequent(CAPTION_WORDS.join));
  }
  return words.slice(0, length).join(' ');
}

/** `count` assets in the order of their matches; uploads follow within two days, one in ten within a month. */
export function* generateAssets(count: number): Generator<Asset> {
  const random = createRandom(workload.seed);
  for (let n = 0; n < count; n += 1) {
    const match = Math.floor((n / count) * workload.tags.match);
    const capturedAt = Math.floor(FIRST_MATCH_AT + match * MATCH_EVERY_MS + random() * 3 * HOUR_MS);
    const isVideo = random() < workload.video_share;
    const photographer = photographerName(Math.floor(random() * workload.photographers));
    const status = random();
    const fixture = fixtureOf(match);
    const tagIds = tagsOf(random, match, fixture);
    yield {
      id: n + 1,
      name: `${photographer}_${String(match).padStart(4, '0')}_${String(n % 10_000).padStart(4, '0')}.${isVideo ? 'mp4' : 'jpg'}`,
      isVideo,
      status: status < 0.98 ? 'ready' : status < 0.985 ? 'processing' : 'archived',
      inBin: random() < 0.005,
      capturedAt: random() < 0.05 ? null : capturedAt,
      createdAt: capturedAt + Math.floor(random() * (random() < 0.9 ? 2 : 30) * DAY_MS),
      rating: random() < 0.4 ? null : Math.floor(random() * 6),
      peopleCount: Math.floor(random() * 5),
      tagIds,
      caption: captionOf(random, tagIds, fixture),
    };
  }
}
