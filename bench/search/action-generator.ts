/** What happens in the videos of a generated library: actions of a match, with its clubs and players. */
import { createRandom, pick, type Random } from '../tag-lookup/generator.ts';
import { type Asset, fixtureOf, idOf, skewed, SQUAD } from './generator.ts';
import { CAPTION_WORDS, type TagName } from './names.ts';
import workload from './workload.json' with { type: 'json' };

/** From frequent to rare. */
const TYPES =
  'pass touch duel ball_recovery clearance throw_in tackle interception aerial_duel cross take_on shot foul goal save corner dribble block ' +
  'offside free_kick goal_kick substitution yellow_card chance key_pass miss post claim punch keeper_sweeper smother error own_goal ' +
  'second_yellow red_card penalty_won penalty_missed penalty_saved injury var_review';
export const ACTION_TYPES: readonly string[] = TYPES.split(' ');
const OUTCOMES = ['successful', 'unsuccessful', 'blocked', 'saved', 'off_target'] as const;

/** They follow all other tag options. */
const FIRST_TYPE_ID = 1 + Object.values(workload.tags).reduce((sum, count) => sum + count, 0);

export function typeId(name: string): number {
  return FIRST_TYPE_ID + ACTION_TYPES.indexOf(name);
}

export type ActionTag = TagName & { readonly id: number; readonly type: 'tag' };

export function generateActionTypes(): readonly ActionTag[] {
  return ACTION_TYPES.map((name) => ({
    id: typeId(name),
    type: 'tag',
    label: name.replaceAll('_', ' '),
    fullName: null,
    aliases: [],
  }));
}

export type GeneratedAction = {
  readonly id: number;
  readonly assetId: number;
  readonly typeId: number;
  readonly label: string | null;
  readonly period: number;
  readonly clockMs: number;
  readonly minute: number;
  readonly stoppage: number | null;
  readonly wallclockAt: number;
  readonly matchId: number;
  readonly players: readonly { readonly id: number; readonly role: string }[];
  readonly tagIds: readonly number[];
  readonly outcome: string | null;
  readonly source: string;
  readonly confidence: number | null;
  readonly status: string;
  readonly createdAt: number;
};

/** Which roles the players of a type have. */
function rolesOf(type: string, random: Random): readonly string[] {
  if (type === 'goal') return random() < 0.4 ? ['scorer', 'assist'] : ['scorer'];
  if (type === 'shot' || type === 'save') return ['shooter', 'goalkeeper'];
  if (type === 'foul') return ['fouling', 'fouled'];
  return random() < 0.4 ? ['actor', 'receiver'] : ['actor'];
}

function labelOf(random: Random): string | null {
  if (random() < 0.7) return null;
  const lists = [CAPTION_WORDS.action, CAPTION_WORDS.scene, CAPTION_WORDS.join, CAPTION_WORDS.mood];
  const length = 3 + Math.floor(random() * 4);
  return Array.from({ length }, () => {
    const list = pick(random, lists);
    return list[skewed(random, { count: list.length, exponent: 2.2 })];
  }).join(' ');
}

function statusOf(random: Random): string {
  const draw = random();
  if (draw < 0.96) return 'confirmed';
  return draw < 0.98 ? 'draft' : draw < 0.985 ? 'disputed' : 'retracted';
}

/** Whether a video is one of those that have actions. */
function hasActions({ id, isVideo }: Asset): boolean {
  return isVideo && (id * 2_654_435_761) % 2 ** 32 < workload.actions.share_of_videos * 2 ** 32;
}

function actionOf(random: Random, asset: Asset, id: number): GeneratedAction {
  const match = matchOf(asset);
  const fixture = fixtureOf(match);
  const type = ACTION_TYPES[skewed(random, { count: ACTION_TYPES.length, exponent: 2.6 })] ?? 'pass';
  const club = random() < 0.5 ? fixture.home : fixture.away;
  const playerOf = (of: number) =>
    idOf('player', (of * SQUAD + skewed(random, { count: SQUAD, exponent: 1.6 })) % workload.tags.player);
  const players = rolesOf(type, random).map((role) => ({ id: playerOf(club), role }));
  const played = 1 + Math.floor(random() * 96);
  const firstHalf = played <= 48;
  const minute = firstHalf ? Math.min(45, played) : Math.min(90, played - 3);
  const stoppage = firstHalf && played > 45 ? played - 45 : played > 93 ? played - 93 : null;
  const clockMs = (firstHalf ? played - 1 : played - 4) * 60_000 + Math.floor(random() * 60_000);
  const tags = new Set([
    typeId(type),
    ...players.map((player) => player.id),
    idOf('club', club),
    idOf('match', match),
    idOf('competition', fixture.competition),
    idOf('stadium', fixture.stadium),
  ]);
  const isMachine = random() < 0.1;
  return {
    id,
    assetId: asset.id,
    typeId: typeId(type),
    label: labelOf(random),
    period: firstHalf ? 1 : 2,
    clockMs,
    minute,
    stoppage,
    wallclockAt: asset.createdAt + clockMs,
    matchId: idOf('match', match),
    players,
    tagIds: [...tags].toSorted((a, b) => a - b),
    outcome: random() < 0.1 ? null : (OUTCOMES[skewed(random, { count: OUTCOMES.length, exponent: 2 })] ?? null),
    source: isMachine ? 'ai:tracker' : random() < 0.9 ? 'feed:opta' : 'manual',
    confidence: isMachine ? Math.floor(random() * 101) / 100 : null,
    status: statusOf(random),
    createdAt: asset.createdAt + 3_600_000 + Math.floor(random() * 3_600_000),
  };
}

function matchOf({ tagIds }: Asset): number {
  const first = idOf('match', 0);
  const match = tagIds.find((id) => id >= first && id < first + workload.tags.match);
  if (match === undefined) throw new Error('expected an asset with a match');
  return match - first;
}

/** The actions in these assets, in their order. */
export function* generateActions(assets: Iterable<Asset>): Generator<GeneratedAction> {
  const random = createRandom(workload.seed + 7);
  let id = 0;
  for (const asset of assets) {
    if (!hasActions(asset)) continue;
    for (let n = 0; n < workload.actions.each; n += 1) {
      id += 1;
      yield actionOf(random, asset, id);
    }
  }
}
