/** The ground in three dimensions: sky, four stands with people, boards, pitch and goals, seen through any camera. */
import type { Camera, Vec3 } from './camera.ts';
import { FONT } from './canvas.ts';
import type { Random } from './random.ts';
import { BOARD_NAMES } from './world.ts';

export type Light = 'day' | 'dusk' | 'night-rain';
export interface GroundOptions {
  readonly camera: Camera;
  readonly random: Random;
  readonly light: Light;
  /** Colours that the supporters wear. */
  readonly colours: readonly string[];
  /** Share of the seats that are taken, 0..1. */
  readonly attendance: number;
}

const HALF_LENGTH = 52.5;
const HALF_WIDTH = 34;
const n = (value: number): string => value.toFixed(1);

export const SKY: Readonly<
  Record<Light, { readonly top: string; readonly low: string; readonly cloud: string; readonly shade: number }>
> = {
  day: { top: '#2f7fc4', low: '#cfe6f2', cloud: '#ffffff', shade: 0 },
  dusk: { top: '#26315f', low: '#f4a261', cloud: '#e8788a', shade: 0.22 },
  'night-rain': { top: '#070b16', low: '#1f2c40', cloud: '#36465c', shade: 0.42 },
};

export function sky(camera: Camera, light: Light, random: Random): string {
  const { top, low, cloud } = SKY[light];
  const horizon = Math.min(Math.max(camera.horizonPx, 60), camera.heightPx);
  let clouds = '';
  for (let i = 0; i < 26; i += 1) {
    const y = random.range(-0.2, 0.9) * horizon;
    clouds += `<ellipse cx="${n(random.range(-0.1, 1.1) * camera.widthPx)}" cy="${n(y)}" rx="${n(random.range(60, 260))}" ry="${n(random.range(8, 34))}" fill="${cloud}" opacity="${n(random.range(0.1, 0.4))}"/>`;
  }
  return (
    `<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="${n(horizon)}" gradientUnits="userSpaceOnUse"><stop offset="0" stop-color="${top}"/><stop offset="1" stop-color="${low}"/></linearGradient>` +
    `<filter id="cl" x="-30%" y="-30%" width="160%" height="160%"><feGaussianBlur stdDeviation="16"/></filter></defs><rect width="100%" height="100%" fill="url(#sky)"/><g filter="url(#cl)">${clouds}</g>`
  );
}

interface Side {
  /** Point on the stand: u along it, d metres away from the pitch edge, y up. */
  readonly at: (u: number, d: number, y: number) => Vec3;
  readonly half: number;
}
/** The corners are mitred: a row is as much longer as it lies farther out, so the four stands close into a bowl. */
const LONG = (d: number): number => (HALF_LENGTH + d) / HALF_LENGTH;
const WIDE = (d: number): number => (HALF_WIDTH + d) / HALF_WIDTH;
const SIDES: readonly Side[] = [
  { at: (u, d, y) => [u * LONG(d), y, -HALF_WIDTH - d], half: HALF_LENGTH },
  { at: (u, d, y) => [u * LONG(d), y, HALF_WIDTH + d], half: HALF_LENGTH },
  { at: (u, d, y) => [HALF_LENGTH + d, y, u * WIDE(d)], half: HALF_WIDTH },
  { at: (u, d, y) => [-HALF_LENGTH - d, y, u * WIDE(d)], half: HALF_WIDTH },
];
const ROWS = 24;
const rowDistance = (row: number): number => 9 + row * 0.9 + (row > 11 ? 2.5 : 0);
const rowHeight = (row: number): number => 1.3 + row * 0.56 + (row > 11 ? 2.2 : 0);
const SKIN = ['#e8bd98', '#d09a6e', '#8d5a36', '#5f3a24', '#f0cdb0'] as const;
const CLOTHES = ['#2b2f3a', '#454b57', '#6d7480', '#d8d4ca', '#1d2a44', '#7b2d2d', '#3f5a48'] as const;

function polygon(camera: Camera, points: readonly Vec3[], fill: string, extra = ''): string {
  const shape = camera.polygon(points);
  return shape === undefined ? '' : `<polygon points="${shape}" fill="${fill}" ${extra}/>`;
}

function spectators(side: Side, options: GroundOptions): string {
  const { camera, random, colours, attendance } = options;
  let svg = '';
  for (let row = ROWS - 1; row >= 0; row -= 1) {
    const middle = camera.project(side.at(0, rowDistance(row), rowHeight(row)));
    const step = middle !== undefined && middle.scale < 9 ? 0.95 : 0.62;
    for (let u = -side.half; u < side.half; u += step) {
      // Chance is drawn for every seat, so that moving the camera does not reseat the crowd.
      const taken = random.chance(attendance);
      const shirt = random.chance(0.58) ? random.pick(colours) : random.pick(CLOTHES);
      const skin = random.pick(SKIN);
      const jitter = random.range(-0.12, 0.12);
      const raised = random.next();
      if (!taken || Math.abs(Math.abs(u) - 20) < 0.7) continue;
      const p = camera.project(side.at(u + jitter, rowDistance(row), rowHeight(row) + 0.55 + jitter));
      if (p === undefined || p.scale < 2.2 || !camera.inFrame(p, p.scale * 2)) continue;
      const k = p.scale;
      svg += `<ellipse cx="${n(p.x)}" cy="${n(p.y)}" rx="${n(0.27 * k)}" ry="${n(0.4 * k)}" fill="${shirt}"/><circle cx="${n(p.x + jitter * k * 0.3)}" cy="${n(p.y - 0.48 * k)}" r="${n(0.15 * k)}" fill="${skin}"/>`;
      if (raised < 0.12)
        svg += `<path d="M${n(p.x - 0.2 * k)},${n(p.y - 0.2 * k)} l${n(-0.12 * k)},${n(-0.55 * k)} M${n(p.x + 0.2 * k)},${n(p.y - 0.2 * k)} l${n(0.14 * k)},${n(-0.55 * k)}" stroke="${skin}" stroke-width="${n(0.11 * k)}" stroke-linecap="round"/>`;
      if (raised > 0.95)
        svg += `<rect x="${n(p.x - 0.55 * k)}" y="${n(p.y - 0.95 * k)}" width="${n(1.1 * k)}" height="${n(0.24 * k)}" fill="${colours[0] ?? shirt}"/><rect x="${n(p.x - 0.2 * k)}" y="${n(p.y - 0.95 * k)}" width="${n(0.4 * k)}" height="${n(0.24 * k)}" fill="${colours[1] ?? '#fff'}"/>`;
    }
  }
  return svg;
}

/** True when the camera stands among the seats of a side: these would only block the view. */
function isAmong(camera: Camera, side: Side): boolean {
  const front = side.at(0, 7, 0);
  const axis = front[0] === 0 ? 2 : 0;
  return Math.sign(front[axis]) * camera.at[axis] > Math.abs(front[axis]);
}

/** Stands from the farthest to the nearest; those behind the lens drop out by clipping. */
export function stands(options: GroundOptions): string {
  const { camera, light } = options;
  const far = [...SIDES].sort((a, b) => distance(camera, b.at(0, 20, 0)) - distance(camera, a.at(0, 20, 0)));
  const night = SKY[light].shade;
  return far
    .filter((side) => !isAmong(camera, side))
    .map((side) => {
      const h = side.half;
      const top = rowHeight(ROWS) + 0.5;
      const back = rowDistance(ROWS) + 0.5;
      const wall = polygon(
        camera,
        [side.at(-h, back, 0), side.at(h, back, 0), side.at(h, back, top + 9), side.at(-h, back, top + 9)],
        light === 'day' ? '#59636e' : '#232a35',
      );
      const lower = polygon(
        camera,
        [
          side.at(-h, 8, 0.9),
          side.at(h, 8, 0.9),
          side.at(h, rowDistance(11) + 0.6, rowHeight(11) + 0.4),
          side.at(-h, rowDistance(11) + 0.6, rowHeight(11) + 0.4),
        ],
        light === 'day' ? '#39424d' : '#1b2029',
      );
      const fascia = polygon(
        camera,
        [
          side.at(-h, rowDistance(11) + 1, rowHeight(11) + 1.1),
          side.at(h, rowDistance(11) + 1, rowHeight(11) + 1.1),
          side.at(h, rowDistance(11) + 1, rowHeight(11) + 2.4),
          side.at(-h, rowDistance(11) + 1, rowHeight(11) + 2.4),
        ],
        options.colours[0] ?? '#446',
        'opacity="0.85"',
      );
      const upper = polygon(
        camera,
        [
          side.at(-h, rowDistance(12) - 0.8, rowHeight(12) - 0.4),
          side.at(h, rowDistance(12) - 0.8, rowHeight(12) - 0.4),
          side.at(h, back, top),
          side.at(-h, back, top),
        ],
        light === 'day' ? '#424c58' : '#1d232d',
      );
      const roof = polygon(
        camera,
        [side.at(-h, 12, top + 8.5), side.at(h, 12, top + 8.5), side.at(h, back, top + 7), side.at(-h, back, top + 7)],
        light === 'day' ? '#2c333c' : '#10141b',
      );
      const edge = polygon(
        camera,
        [side.at(-h, 12, top + 8.4), side.at(h, 12, top + 8.4), side.at(h, 12, top + 10), side.at(-h, 12, top + 10)],
        light === 'day' ? '#e4e8ec' : '#3a4453',
      );
      const dim = polygon(
        camera,
        [side.at(-h, 8, 0.9), side.at(h, 8, 0.9), side.at(h, back, top + 7), side.at(-h, back, top + 7)],
        '#060a14',
        `opacity="${night}"`,
      );
      return wall + lower + upper + spectators(side, options) + fascia + dim + roof + edge;
    })
    .join('');
}

const distance = (camera: Camera, p: Vec3): number =>
  Math.hypot(p[0] - camera.at[0], p[1] - camera.at[1], p[2] - camera.at[2]);

export function boards(camera: Camera): string {
  const colours = ['#12365c', '#0f7c6c', '#7c1f3d', '#e0e4e8'] as const;
  const sides = [...SIDES].sort((a, b) => distance(camera, b.at(0, 4, 0)) - distance(camera, a.at(0, 4, 0)));
  return sides
    .map((side) => {
      const reverse = SIDES.indexOf(side) === 1 || SIDES.indexOf(side) === 2;
      let svg = '';
      const width = 10;
      for (let i = 0, u = -side.half + 1; u + width <= side.half; u += width, i += 1) {
        const fill = colours[i % colours.length] ?? '#222';
        svg += polygon(
          camera,
          [side.at(u, 4.5, 0), side.at(u + width - 0.1, 4.5, 0), side.at(u + width - 0.1, 4.5, 1), side.at(u, 4.5, 1)],
          fill,
        );
        const a = camera.project(side.at(reverse ? u + width : u, 4.5, 0.25));
        const b = camera.project(side.at(reverse ? u : u + width, 4.5, 0.25));
        if (a === undefined || b === undefined || b.x < a.x) continue;
        const name = BOARD_NAMES[i % BOARD_NAMES.length] ?? '';
        const length = b.x - a.x;
        const slope = (b.y - a.y) / length;
        const size = Math.min(0.62 * Math.min(a.scale, b.scale) * 1.1, (length / name.length) * 1.2);
        if (size > 4)
          svg += `<g transform="matrix(1,${slope.toFixed(4)},0,1,${n((a.x + b.x) / 2)},${n((a.y + b.y) / 2)})"><text text-anchor="middle" font-family="${FONT}" font-weight="700" font-size="${n(size)}" fill="${fill === '#e0e4e8' ? '#12365c' : '#f8f8f4'}">${name}</text></g>`;
      }
      return svg;
    })
    .join('');
}

function line(camera: Camera, from: readonly [number, number], to: readonly [number, number]): string {
  const [x1, z1] = from;
  const [x2, z2] = to;
  const length = Math.hypot(x2 - x1, z2 - z1);
  const nx = (-(z2 - z1) / length) * 0.07;
  const nz = ((x2 - x1) / length) * 0.07;
  return polygon(
    camera,
    [
      [x1 + nx, 0, z1 + nz],
      [x2 + nx, 0, z2 + nz],
      [x2 - nx, 0, z2 - nz],
      [x1 - nx, 0, z1 - nz],
    ],
    '#f3f6ee',
    'opacity="0.92"',
  );
}

function arc(
  camera: Camera,
  centre: readonly [number, number],
  radius: number,
  fromDeg: number,
  toDeg: number,
): string {
  let svg = '';
  const at = (deg: number): readonly [number, number] => [
    centre[0] + radius * Math.cos((deg * Math.PI) / 180),
    centre[1] + radius * Math.sin((deg * Math.PI) / 180),
  ];
  for (let deg = fromDeg; deg < toDeg; deg += 5) svg += line(camera, at(deg), at(Math.min(deg + 5.4, toDeg)));
  return svg;
}

export function pitch(camera: Camera, light: Light): string {
  const [a, b] =
    light === 'day' ? ['#4f9a3f', '#438a37'] : light === 'dusk' ? ['#3f8246', '#35733d'] : ['#2f6b45', '#27603d'];
  let svg = polygon(
    camera,
    [
      [-64, 0, -46],
      [64, 0, -46],
      [64, 0, 46],
      [-64, 0, 46],
    ],
    light === 'day' ? '#3f7d38' : '#2a5a38',
  );
  const stripe = 5.25;
  for (let i = 0; i < 20; i += 1) {
    const x = -HALF_LENGTH + i * stripe;
    svg += polygon(
      camera,
      [
        [x, 0, -HALF_WIDTH - 2],
        [x + stripe, 0, -HALF_WIDTH - 2],
        [x + stripe, 0, HALF_WIDTH + 2],
        [x, 0, HALF_WIDTH + 2],
      ],
      i % 2 === 0 ? a : b,
    );
  }
  const L = HALF_LENGTH;
  const W = HALF_WIDTH;
  svg +=
    line(camera, [-L, -W], [L, -W]) +
    line(camera, [-L, W], [L, W]) +
    line(camera, [-L, -W], [-L, W]) +
    line(camera, [L, -W], [L, W]) +
    line(camera, [0, -W], [0, W]) +
    arc(camera, [0, 0], 9.15, 0, 360);
  for (const s of [-1, 1]) {
    svg +=
      line(camera, [s * L, -20.16], [s * (L - 16.5), -20.16]) +
      line(camera, [s * L, 20.16], [s * (L - 16.5), 20.16]) +
      line(camera, [s * (L - 16.5), -20.16], [s * (L - 16.5), 20.16]);
    svg +=
      line(camera, [s * L, -9.16], [s * (L - 5.5), -9.16]) +
      line(camera, [s * L, 9.16], [s * (L - 5.5), 9.16]) +
      line(camera, [s * (L - 5.5), -9.16], [s * (L - 5.5), 9.16]);
    svg +=
      arc(camera, [s * (L - 11), 0], 9.15, s > 0 ? 127 : -53, s > 0 ? 233 : 53) +
      arc(camera, [s * (L - 11), 0], 0.15, 0, 360);
  }
  return svg;
}

/** Tufts of grass over the pitch, denser near the lens; without them the lawn looks poured. */
export function grass(camera: Camera, random: Random, count = 2600): string {
  let svg = '';
  const base = camera.horizonPx;
  for (let i = 0; i < count; i += 1) {
    const t = random.next() ** 0.6;
    const y = base + (camera.heightPx - base) * t;
    const size = 1 + 9 * t * t;
    const x = random.range(0, camera.widthPx);
    svg += `<path d="M${n(x)},${n(y)} q${n(random.range(-2, 2))},${n(-size)} ${n(random.range(-4, 4) * t)},${n(-size * 1.6)}" stroke="${random.chance(0.5) ? '#8fc36a' : '#1e4a24'}" stroke-width="${n(0.6 + t * 1.1)}" opacity="${n(random.range(0.15, 0.5))}" fill="none"/>`;
  }
  return svg;
}

export function goal(camera: Camera, side: -1 | 1): string {
  const x = side * HALF_LENGTH;
  const depth = side * 2.2;
  const post = (from: Vec3, to: Vec3, widthM: number, colour: string): string => {
    const a = camera.project(from);
    const b = camera.project(to);
    return a === undefined || b === undefined
      ? ''
      : `<path d="M${n(a.x)},${n(a.y)} L${n(b.x)},${n(b.y)}" stroke="${colour}" stroke-width="${n(Math.max(1, widthM * Math.min(a.scale, b.scale)))}" stroke-linecap="round"/>`;
  };
  let net = '';
  const step = 0.3;
  for (let z = -3.66; z <= 3.67; z += step)
    net +=
      post([x, 2.44, z], [x + depth * 0.45, 2.4, z], 0.012, '#eef2f4') +
      post([x + depth * 0.45, 2.4, z], [x + depth, 0, z], 0.012, '#eef2f4');
  for (let y = 0; y <= 2.45; y += step) {
    const back = x + depth * (1 - (y / 2.44) * 0.55);
    net +=
      post([back, y, -3.66], [back, y, 3.66], 0.012, '#eef2f4') +
      post([x, y, -3.66], [back, y, -3.66], 0.012, '#eef2f4') +
      post([x, y, 3.66], [back, y, 3.66], 0.012, '#eef2f4');
  }
  const frame =
    post([x, 0, -3.66], [x, 2.44, -3.66], 0.12, '#fff') +
    post([x, 0, 3.66], [x, 2.44, 3.66], 0.12, '#fff') +
    post([x, 2.44, -3.66], [x, 2.44, 3.66], 0.12, '#fff');
  return `<g opacity="0.75">${net}</g>${frame}`;
}

/** Floodlights on the roof edge, to be laid on with `screen`. */
export function floodlights(camera: Camera, light: Light): string {
  if (light === 'day') return '';
  let svg = '';
  const warm = light === 'dusk' ? '#ffe9c4' : '#dfeaff';
  for (const side of SIDES.slice(0, 2))
    for (const u of [-36, -12, 12, 36]) {
      const p = camera.project(side.at(u, 12, rowHeight(ROWS) + 11));
      if (p === undefined || !camera.inFrame(p, 200)) continue;
      const r = Math.max(10, p.scale * 1.4);
      svg += `<circle cx="${n(p.x)}" cy="${n(p.y)}" r="${n(r * 7)}" fill="url(#flare)"/><ellipse cx="${n(p.x)}" cy="${n(p.y)}" rx="${n(r * 1.5)}" ry="${n(r * 0.5)}" fill="#fff"/>`;
    }
  return `<defs><radialGradient id="flare"><stop offset="0" stop-color="${warm}" stop-opacity="0.75"/><stop offset="0.25" stop-color="${warm}" stop-opacity="0.22"/><stop offset="1" stop-color="${warm}" stop-opacity="0"/></radialGradient></defs>${svg}`;
}

export function rain(camera: Camera, random: Random, count = 420): string {
  let svg = '';
  for (let i = 0; i < count; i += 1) {
    const length = random.range(14, 60);
    const x = random.range(-40, camera.widthPx);
    const y = random.range(-40, camera.heightPx);
    svg += `<path d="M${n(x)},${n(y)} l${n(length * 0.16)},${n(length)}" stroke="#dce8f5" stroke-width="${n(random.range(0.5, 1.9))}" opacity="${n(random.range(0.08, 0.42))}"/>`;
  }
  return svg;
}
