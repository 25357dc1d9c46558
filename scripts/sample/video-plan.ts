/** The three clips of the sample library: who moves where and when. */
import type { MatchKey } from './world.ts';

/** Time in ms, along and across the pitch in metres; for a ball also the height of the arc that ends here. */
export type Waypoint = readonly [atMs: number, x: number, z: number, arcM?: number];
export interface Mover {
  readonly side: 'home' | 'away';
  readonly shirt: number;
  readonly path: readonly Waypoint[];
}
export interface VideoPlan {
  readonly file: string;
  readonly match: MatchKey;
  readonly durationMs: number;
  readonly period: 1 | 2;
  /** Match clock of the first frame. */
  readonly clockStartMs: number;
  readonly before: string;
  readonly after: string;
  readonly goalAtMs: number;
  readonly whistleAtMs: number;
  readonly scorer: string;
  readonly scoringSide: 'home' | 'away';
  /** RFC 3339 UTC, written as creation_time. */
  readonly recordedAt: string;
  readonly ball: readonly Waypoint[];
  readonly movers: readonly Mover[];
}

const minutes = (m: number, s: number): number => (m * 60 + s) * 1000;

/** `ms x z [arc]`, parted by bars. */
function waypoints(text: string): Waypoint[] {
  return text.split(' | ').map((point) => {
    const [atMs = 0, x = 0, z = 0, arcM] = point.split(' ').map(Number);
    return arcM === undefined ? [atMs, x, z] : [atMs, x, z, arcM];
  });
}

export const VIDEOS: readonly VideoPlan[] = [
  {
    file: '20260314_PAV-BMA_goal-78.mp4',
    match: 'league',
    durationMs: 12_000,
    period: 2,
    clockStartMs: minutes(77, 12),
    before: '1-1',
    after: '2-1',
    goalAtMs: 5900,
    whistleAtMs: 6300,
    scorer: 'NÚÑERA',
    scoringSide: 'home',
    recordedAt: '2026-03-14T19:04:12.000Z',
    ball: waypoints(
      '0 4 6 | 1100 12 4 | 1900 14 3 | 2900 33 -11 2.2 | 4300 40 -7 | 5300 42 -4 | 5900 53.6 1.6 0.9 | 6300 53.8 1.5 | 12000 53.8 1.5',
    ),
    movers: [
      {
        side: 'home',
        shirt: 10,
        path: waypoints('0 3 6.5 | 1100 11.4 4.4 | 1900 13.6 3.4 | 5900 30 2 | 8200 43 -16 | 12000 47 -23'),
      },
      {
        side: 'home',
        shirt: 7,
        path: waypoints(
          '0 20 -16 | 2900 32.6 -11.3 | 4300 39.4 -7.2 | 5300 41.6 -4.3 | 6300 44 -6 | 8800 47 -22 | 12000 48.5 -26',
        ),
      },
      {
        side: 'home',
        shirt: 9,
        path: waypoints('0 30 6 | 5300 44 4 | 6600 45 1 | 9200 45.5 -20 | 12000 47 -25'),
      },
      {
        side: 'away',
        shirt: 1,
        path: waypoints('0 51 0 | 4300 50 -2 | 5600 50.2 -1.2 | 6000 51.4 0.6 | 12000 51.4 0.8'),
      },
      {
        side: 'away',
        shirt: 4,
        path: waypoints('0 33 -8 | 2900 36 -9 | 5300 43.4 -2.6 | 12000 44 -1'),
      },
    ],
  },
  {
    file: '20260509_NVK-ELD_goal-88.mp4',
    match: 'cup',
    durationMs: 11_000,
    period: 2,
    clockStartMs: minutes(87, 21),
    before: '2-2',
    after: '3-2',
    goalAtMs: 4300,
    whistleAtMs: 700,
    scorer: 'MOKWANA',
    scoringSide: 'home',
    recordedAt: '2026-05-09T19:44:21.000Z',
    ball: waypoints(
      '0 52.2 -33.6 | 1900 52.2 -33.6 | 3800 46.6 -1.2 7 | 4300 53.6 1.9 0.6 | 4700 53.8 2 | 11000 53.8 2',
    ),
    movers: [
      {
        side: 'home',
        shirt: 8,
        path: waypoints('0 52.9 -36 | 1300 52.9 -36 | 1900 52.3 -34 | 3000 51 -32 | 8000 46 -14 | 11000 45 -13'),
      },
      {
        side: 'home',
        shirt: 7,
        path: waypoints('0 37 4 | 2400 38 4 | 3800 46.3 -1 | 4600 47.4 0.2 | 8200 44 -13 | 11000 44 -14'),
      },
      {
        side: 'home',
        shirt: 9,
        path: waypoints('0 44 3 | 3800 49 3.4 | 5000 48 1 | 8600 43 -12 | 11000 43 -13'),
      },
      {
        side: 'home',
        shirt: 4,
        path: waypoints('0 42 -2 | 3800 45 -4 | 8400 42.4 -14 | 11000 43 -15'),
      },
      {
        side: 'away',
        shirt: 1,
        path: waypoints('0 51.6 -0.8 | 3200 51.2 -1.6 | 4000 51.3 -1 | 4500 51.6 0.8 | 11000 51.6 1'),
      },
      {
        side: 'away',
        shirt: 5,
        path: waypoints('0 45 0 | 3800 46.9 -2.4 | 11000 46 -2'),
      },
      {
        side: 'away',
        shirt: 3,
        path: waypoints('0 47 -4 | 3800 48.6 -3 | 11000 49 -2'),
      },
    ],
  },
  {
    file: '20260725_PAV-NVK_goal-44.mp4',
    match: 'charity',
    durationMs: 13_000,
    period: 1,
    clockStartMs: minutes(43, 5),
    before: '1-2',
    after: '2-2',
    goalAtMs: 6900,
    whistleAtMs: 7400,
    scorer: 'BAPTISTE-JOYCE',
    scoringSide: 'home',
    recordedAt: '2026-07-25T14:43:05.000Z',
    ball: waypoints(
      '0 6 -12 | 1500 20 -14 | 2500 33 -6 1.4 | 3600 36 -4 | 4300 51 1.4 1.2 | 4900 44 8 1.8 | 6300 44.4 6.8 | 6900 53.6 -1.8 1.1 | 7300 53.8 -1.9 | 13000 53.8 -1.9',
    ),
    movers: [
      {
        side: 'home',
        shirt: 7,
        path: waypoints('0 14 -8 | 2500 32.4 -6.2 | 3600 35.5 -4.2 | 6900 42 -2 | 9800 44 16 | 13000 46 22'),
      },
      {
        side: 'home',
        shirt: 11,
        path: waypoints('0 5.4 -12.3 | 1500 19.4 -14.2 | 6900 34 -12 | 13000 41 10'),
      },
      {
        side: 'home',
        shirt: 19,
        path: waypoints(
          '0 30 12 | 4300 40 10 | 4900 43.6 8.3 | 6300 44 7.1 | 7400 45 8 | 9400 46.4 21 | 13000 47.6 24',
        ),
      },
      {
        side: 'away',
        shirt: 1,
        path: waypoints(
          '0 51 -0.6 | 3600 50.6 -0.4 | 4300 50.8 1.2 | 5600 50.9 2 | 6700 51 1.4 | 7000 51.4 -0.2 | 13000 51.4 -0.4',
        ),
      },
      {
        side: 'away',
        shirt: 5,
        path: waypoints('0 36 0 | 3600 40 -2 | 6300 45.5 5.4 | 13000 46 4'),
      },
    ],
  },
];
