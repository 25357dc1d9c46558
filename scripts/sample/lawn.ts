/** The pitch with its lines, its grass and the goals. */
import { HALF_LENGTH, HALF_WIDTH } from './camera.ts';
import type { Camera, Vec3 } from './camera.ts';
import { groundPolygon as polygon } from './camera.ts';
import type { Random } from './random.ts';
import type { Light } from './weather.ts';

const n = (value: number): string => value.toFixed(1);

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
