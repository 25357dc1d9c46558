/** The people and the ball of a clip at one moment. */
import type { Camera } from './camera.ts';
import { FONT } from './canvas.ts';
import { ball } from './props.ts';
import { createRandom, seedOf } from './random.ts';
import type { VideoPlan, Waypoint } from './video-plan.ts';
import { CLUBS, MATCHES } from './world.ts';

const n = (value: number): string => value.toFixed(1);
const ease = (t: number): number => t * t * (3 - 2 * t);

export interface Spot {
  readonly x: number;
  readonly z: number;
  readonly y: number;
  /** Metres per second, for the stride. */
  readonly speed: number;
}

export function along(path: readonly Waypoint[], atMs: number, smooth: boolean): Spot {
  for (let i = 1; i < path.length; i += 1) {
    const from = path[i - 1];
    const to = path[i];
    if (from === undefined || to === undefined || atMs > to[0]) continue;
    const linear = Math.max(0, (atMs - from[0]) / (to[0] - from[0]));
    const t = smooth ? ease(linear) : linear;
    const length = Math.hypot(to[1] - from[1], to[2] - from[2]);
    return {
      x: from[1] + (to[1] - from[1]) * t,
      z: from[2] + (to[2] - from[2]) * t,
      y: 4 * (to[3] ?? 0) * linear * (1 - linear),
      speed: (length / (to[0] - from[0])) * 1000,
    };
  }
  const last = path.at(-1);
  return { x: last?.[1] ?? 0, z: last?.[2] ?? 0, y: 0, speed: 0 };
}

/** A player some 40 pixels tall: legs that stride, a shirt, a head. */
function runner(
  camera: Camera,
  spot: Spot,
  options: {
    readonly shirt: string;
    readonly shorts: string;
    readonly skin: string;
    readonly phase: number;
    readonly armsUp: boolean;
    readonly number: number;
    readonly ink: string;
  },
): string {
  const p = camera.project([spot.x, 0, spot.z]);
  if (p === undefined || !camera.inFrame(p, 60)) return '';
  const k = p.scale;
  const swing = Math.sin(options.phase) * Math.min(1, spot.speed / 5) * 0.42;
  const hip = p.y - 0.86 * k;
  const leg = (s: number): string =>
    `<path d="M${n(p.x)},${n(hip)} L${n(p.x + s * 0.5 * k)},${n(p.y - 0.45 * k)} L${n(p.x + s * k * 0.9)},${n(p.y - 0.03 * k)}" stroke="${options.skin}" stroke-width="${n(0.16 * k)}" fill="none" stroke-linecap="round" stroke-linejoin="round"/><path d="M${n(p.x + s * 0.62 * k)},${n(p.y - 0.34 * k)} L${n(p.x + s * k * 0.9)},${n(p.y - 0.03 * k)}" stroke="${options.shirt}" stroke-width="${n(0.17 * k)}" stroke-linecap="round"/><path d="M${n(p.x)},${n(hip)} L${n(p.x + s * 0.36 * k)},${n(p.y - 0.58 * k)}" stroke="${options.shorts}" stroke-width="${n(0.25 * k)}" stroke-linecap="round"/>`;
  const arm = (s: number): string => {
    const dx = options.armsUp ? s * 0.42 : s * 0.3 + swing * s * 0.6;
    const dy = options.armsUp ? -0.55 : 0.42;
    return `<path d="M${n(p.x + s * 0.2 * k)},${n(hip - 0.5 * k)} L${n(p.x + dx * k)},${n(hip - 0.5 * k + dy * k)}" stroke="${options.skin}" stroke-width="${n(0.12 * k)}" stroke-linecap="round"/>`;
  };
  return (
    `<ellipse cx="${n(p.x + 0.25 * k)}" cy="${n(p.y)}" rx="${n(0.5 * k)}" ry="${n(0.12 * k)}" fill="#04110a" opacity="0.42"/>${leg(swing)}${leg(-swing || 0.12)}${arm(-1)}${arm(1)}` +
    `<rect x="${n(p.x - 0.24 * k)}" y="${n(hip - 0.62 * k)}" width="${n(0.48 * k)}" height="${n(0.68 * k)}" rx="${n(0.13 * k)}" fill="${options.shirt}"/><rect x="${n(p.x + 0.06 * k)}" y="${n(hip - 0.6 * k)}" width="${n(0.18 * k)}" height="${n(0.64 * k)}" rx="${n(0.1 * k)}" fill="#000" opacity="0.16"/>` +
    `<text x="${n(p.x)}" y="${n(hip - 0.1 * k)}" text-anchor="middle" font-family="${FONT}" font-weight="700" font-size="${n(0.42 * k)}" fill="${options.ink}">${options.number}</text>` +
    `<circle cx="${n(p.x)}" cy="${n(hip - 0.8 * k)}" r="${n(0.155 * k)}" fill="${options.skin}"/><path d="M${n(p.x - 0.155 * k)},${n(hip - 0.8 * k)} a${n(0.155 * k)},${n(0.155 * k)} 0 0 1 ${n(0.31 * k)},0Z" fill="#1d140e"/>`
  );
}

const FORMATION = [
  [-50, 0],
  [-30, -20],
  [-33, -7],
  [-33, 7],
  [-30, 20],
  [-14, -14],
  [-16, 0],
  [-14, 14],
  [2, -18],
  [6, 0],
  [2, 18],
] as const;
const SHIRTS = [1, 2, 4, 5, 3, 8, 6, 10, 7, 9, 11] as const;
const SKINS = ['#f1c9a8', '#c98e62', '#7b4b2e', '#e3b18c', '#573322'] as const;

export interface Extra {
  readonly side: 'home' | 'away';
  readonly shirt: number;
  readonly base: readonly [number, number];
  readonly wobble: number;
}

export function extrasOf(video: VideoPlan): Extra[] {
  const random = createRandom(seedOf(video.file));
  return (['home', 'away'] as const).flatMap((side) =>
    FORMATION.flatMap(([x, z], index): Extra[] => {
      const shirt = SHIRTS[index] ?? 0;
      if (video.movers.some((mover) => mover.side === side && mover.shirt === shirt)) return [];
      // The side without the ball stands mirrored, goal behind it.
      const along = side === 'home' ? x : -x;
      return [
        { side, shirt, base: [along + random.range(-2, 2), z + random.range(-2, 2)], wobble: random.range(0, 6) },
      ];
    }),
  );
}

export function people(
  video: VideoPlan,
  scene: { readonly camera: Camera; readonly atMs: number; readonly extras: readonly Extra[] },
): string {
  const { camera, atMs, extras } = scene;
  const match = MATCHES[video.match];
  const ballSpot = along(video.ball, atMs, false);
  const scored = atMs > video.goalAtMs + 200;
  const drawn: { readonly z: number; readonly svg: string }[] = [];
  const add = (side: 'home' | 'away', shirt: number, spot: Spot): void => {
    const { kit } = CLUBS[match[side]];
    drawn.push({
      z: spot.z,
      svg: runner(camera, spot, {
        shirt: shirt === 1 ? kit.keeper : kit.shirt,
        shorts: shirt === 1 ? '#23262b' : kit.shorts,
        skin: SKINS[(shirt * 7 + (side === 'home' ? 0 : 2)) % SKINS.length] ?? SKINS[0],
        phase: (atMs / 1000) * (6 + spot.speed * 0.9) + shirt,
        armsUp: scored && side === video.scoringSide,
        number: shirt,
        ink: shirt === 1 ? '#16181b' : kit.number,
      }),
    });
  };
  for (const mover of video.movers) add(mover.side, mover.shirt, along(mover.path, atMs, true));
  for (const extra of extras) {
    const pull = extra.shirt === 1 ? 0.02 : 0.42;
    const follow = along(video.ball, Math.min(atMs, video.goalAtMs) - 400, false);
    const t = atMs / 1000;
    add(extra.side, extra.shirt, {
      x:
        extra.base[0] +
        (follow.x + 6) * pull * (extra.side === 'home' ? 1 : 0.55) +
        Math.sin(t * 0.7 + extra.wobble) * 1.4,
      z: extra.base[1] * 0.86 + follow.z * pull * 0.5 + Math.cos(t * 0.6 + extra.wobble) * 1.2,
      y: 0,
      speed: scored ? 1.4 : 3,
    });
  }
  const p = camera.project([ballSpot.x, ballSpot.y, ballSpot.z]);
  const floor = camera.project([ballSpot.x, 0, ballSpot.z]);
  if (p !== undefined && floor !== undefined)
    drawn.push({
      z: ballSpot.z,
      svg: `<ellipse cx="${n(floor.x + 3)}" cy="${n(floor.y)}" rx="${n(0.26 * p.scale)}" ry="${n(0.08 * p.scale)}" fill="#04110a" opacity="0.5"/>${ball(p.x, p.y - 0.2 * p.scale, Math.max(5, 0.24 * p.scale), { turnDeg: atMs * 0.5, shadow: false })}`,
    });
  return drawn
    .sort((a, b) => a.z - b.z)
    .map((one) => one.svg)
    .join('');
}
