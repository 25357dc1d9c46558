/** The stands in three dimensions: four sides with people, boards and floodlights, seen through any camera. */
import { HALF_LENGTH, HALF_WIDTH, groundPolygon as polygon } from './camera.ts';
import type { Camera, Vec3 } from './camera.ts';
import { FONT } from './canvas.ts';
import type { Random } from './random.ts';
import { SKY } from './weather.ts';
import type { Light } from './weather.ts';
import { BOARD_NAMES } from './world.ts';

export interface GroundOptions {
  readonly camera: Camera;
  readonly random: Random;
  readonly light: Light;
  /** Colours that the supporters wear. */
  readonly colours: readonly string[];
  /** Share of the seats that are taken, 0..1. */
  readonly attendance: number;
}

const n = (value: number): string => value.toFixed(1);

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
      const reverse = SIDES.indexOf(side) === 1 || SIDES.indexOf(side) === 3;
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

/** Floodlights on the roof edge, to be laid on with `screen`. */
export function floodlights(camera: Camera, light: Light): string {
  if (light === 'day') return '';
  let svg = '';
  const warm = light === 'dusk' ? '#ffe9c4' : '#dfeaff';
  for (const side of SIDES.slice(0, 2))
    for (const u of [-36, -12, 12, 36]) {
      const p = camera.project(side.at(u, 12, rowHeight(ROWS) + 11));
      // A lamp nearer than that would be a white disc over the picture.
      if (p === undefined || p.scale > 26 || !camera.inFrame(p, 200)) continue;
      const r = Math.max(10, p.scale * 1.4);
      svg += `<circle cx="${n(p.x)}" cy="${n(p.y)}" r="${n(r * 7)}" fill="url(#flare)"/><ellipse cx="${n(p.x)}" cy="${n(p.y)}" rx="${n(r * 1.5)}" ry="${n(r * 0.5)}" fill="#fff"/>`;
    }
  return `<defs><radialGradient id="flare"><stop offset="0" stop-color="${warm}" stop-opacity="0.75"/><stop offset="0.25" stop-color="${warm}" stop-opacity="0.22"/><stop offset="1" stop-color="${warm}" stop-opacity="0"/></radialGradient></defs>${svg}`;
}
