/** What an operator would log on the clips. */
import type { SampleAction } from './library.ts';
import { player } from './squads.ts';
import { VIDEOS } from './video-plan.ts';
import { CLUBS, MATCHES } from './world.ts';
import type { ClubKey } from './world.ts';

interface Logged {
  readonly type: string;
  readonly label: string;
  readonly from: number;
  readonly event: number;
  readonly to: number;
  readonly players: readonly (readonly [club: 'pav' | 'nvk', shirt: number, role: string])[];
  readonly by?: 'home' | 'away';
  readonly outcome?: string;
  readonly at?: readonly [number, number];
}

function actionsOf(index: number, logged: readonly Logged[]): SampleAction[] {
  const video = VIDEOS[index];
  if (video === undefined) throw new Error(`expected a video, received number ${index}`);
  const match = MATCHES[video.match];
  const club = (side: 'home' | 'away'): ClubKey => match[side];
  return logged.map((one, order) => ({
    file: video.file,
    source_ref: `${video.file.replace('.mp4', '')}#${order + 1}`,
    type: one.type,
    label: one.label,
    start_ms: one.from,
    end_ms: one.to,
    event_ms: one.event,
    match: match.id,
    clubs: [{ id: CLUBS[club(one.by ?? 'home')].id, side: one.by ?? 'home' }],
    players: one.players.map(([key, shirt, role]) => ({ id: player(key, shirt).id, role, shirt })),
    period: video.period,
    clock_ms: video.clockStartMs + one.event,
    ...(one.outcome === undefined ? {} : { outcome: one.outcome }),
    // Percent of the pitch, attack from left to right.
    ...(one.at === undefined
      ? {}
      : { x: Math.round(((one.at[0] + 52.5) / 105) * 1000) / 10, y: Math.round(((one.at[1] + 34) / 68) * 1000) / 10 }),
  }));
}

export const VIDEO_ACTIONS: readonly SampleAction[] = [
  ...actionsOf(0, [
    {
      type: 'pass',
      label: 'Through ball by João Valdremo',
      from: 1200,
      event: 1900,
      to: 3200,
      players: [
        ['pav', 10, 'passer'],
        ['pav', 7, 'receiver'],
      ],
      outcome: 'complete',
      at: [14, 3],
    },
    {
      type: 'shot',
      label: 'Shot by Núñera',
      from: 4300,
      event: 5300,
      to: 6000,
      players: [['pav', 7, 'shooter']],
      outcome: 'goal',
      at: [42, -4],
    },
    {
      type: 'goal',
      label: '2-1 Núñera',
      from: 2500,
      event: 5900,
      to: 9500,
      players: [
        ['pav', 7, 'scorer'],
        ['pav', 10, 'assist'],
      ],
      outcome: 'right foot',
      at: [42, -4],
    },
    {
      type: 'celebration',
      label: 'Celebration at the corner',
      from: 6400,
      event: 8800,
      to: 12000,
      players: [
        ['pav', 7, 'scorer'],
        ['pav', 9, 'with'],
        ['pav', 10, 'with'],
      ],
    },
  ]),
  ...actionsOf(1, [
    {
      type: 'corner',
      label: 'Corner by Marchevault',
      from: 500,
      event: 1900,
      to: 4000,
      players: [['nvk', 8, 'taker']],
      outcome: 'goal',
      at: [52.2, -33.6],
    },
    {
      type: 'goal',
      label: '3-2 Mokwana',
      from: 1500,
      event: 4300,
      to: 8000,
      players: [
        ['nvk', 7, 'scorer'],
        ['nvk', 8, 'assist'],
      ],
      outcome: 'header',
      at: [46.6, -1.2],
    },
    {
      type: 'celebration',
      label: 'Rovers run to the corner',
      from: 4700,
      event: 8200,
      to: 11000,
      players: [
        ['nvk', 7, 'scorer'],
        ['nvk', 9, 'with'],
        ['nvk', 4, 'with'],
      ],
    },
  ]),
  ...actionsOf(2, [
    {
      type: 'shot',
      label: 'Shot by Núñera',
      from: 2600,
      event: 3600,
      to: 4400,
      players: [['pav', 7, 'shooter']],
      outcome: 'saved',
      at: [36, -4],
    },
    {
      type: 'save',
      label: 'Håkvall parries',
      from: 3600,
      event: 4300,
      to: 5200,
      players: [['nvk', 1, 'goalkeeper']],
      by: 'away',
      outcome: 'parried',
      at: [51, 1.4],
    },
    {
      type: 'goal',
      label: '2-2 Baptiste-Joyce',
      from: 3200,
      event: 6900,
      to: 10_000,
      players: [['pav', 19, 'scorer']],
      outcome: 'left foot',
      at: [44.4, 6.8],
    },
    {
      type: 'celebration',
      label: 'Baptiste-Joyce and Núñera',
      from: 7400,
      event: 9400,
      to: 13_000,
      players: [
        ['pav', 19, 'scorer'],
        ['pav', 7, 'with'],
      ],
    },
  ]),
];
