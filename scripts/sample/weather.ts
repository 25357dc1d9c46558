/** Sky and rain. */
import type { Camera } from './camera.ts';
import type { Random } from './random.ts';

export type Light = 'day' | 'dusk' | 'night-rain';

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
