/** Things that lie, stand or hang around a football ground. All sizes in pixels. */
import { FONT, escapeXml } from './canvas.ts';
import type { ScreenPoint } from './camera.ts';

const n = (value: number): string => value.toFixed(1);
let uid = 0;
const nextId = (name: string): string => {
  uid += 1;
  return `${name}${uid}`;
};

export function ball(
  x: number,
  y: number,
  radius: number,
  options: { readonly turnDeg?: number; readonly shadow?: boolean } = {},
): string {
  const id = nextId('ball');
  const turn = options.turnDeg ?? 20;
  let patches = '';
  const pentagon = (cx: number, cy: number, r: number, squash: number, at: number): string => {
    const points = Array.from({ length: 5 }, (_, i) => {
      const a = ((i * 72 + at) * Math.PI) / 180;
      return `${n(cx + Math.cos(a) * r * squash)},${n(cy + Math.sin(a) * r)}`;
    });
    return `<polygon points="${points.join(' ')}"/>`;
  };
  patches += pentagon(0, 0, radius * 0.34, 1, -90);
  for (let i = 0; i < 5; i += 1) {
    const a = ((i * 72 - 90) * Math.PI) / 180;
    patches += `<g transform="rotate(${i * 72})">${pentagon(0, -radius * 0.86, radius * 0.3, 1.05, 90).replace('<polygon', `<polygon transform="translate(0,${n(-radius * 0.86)}) scale(1,0.5) translate(0,${n(radius * 0.86)})"`)}</g><path d="M${n(Math.cos(a) * radius * 0.34)},${n(Math.sin(a) * radius * 0.34)} L${n(Math.cos(a) * radius * 0.74)},${n(Math.sin(a) * radius * 0.74)}" stroke="#8b8f94" stroke-width="${n(radius * 0.03)}"/>`;
  }
  const shadow =
    options.shadow === false
      ? ''
      : `<ellipse cx="${n(x + radius * 0.2)}" cy="${n(y + radius * 0.96)}" rx="${n(radius * 1.1)}" ry="${n(radius * 0.2)}" fill="#04110a" opacity="0.5"/>`;
  return (
    `<defs><radialGradient id="${id}" cx="36%" cy="30%" r="75%"><stop offset="0" stop-color="#fff"/><stop offset="0.55" stop-color="#e3e6ea"/><stop offset="1" stop-color="#596069"/></radialGradient><clipPath id="${id}c"><circle r="${n(radius)}"/></clipPath></defs>${shadow}` +
    `<g transform="translate(${n(x)},${n(y)})"><circle r="${n(radius)}" fill="url(#${id})"/><g clip-path="url(#${id}c)" transform="rotate(${turn})" fill="#1a4a58" opacity="0.9">${patches}</g><circle r="${n(radius)}" fill="url(#${id})" opacity="0.25"/></g>`
  );
}

export function ballAt(point: ScreenPoint | undefined, grounded: boolean): string {
  return point === undefined
    ? ''
    : ball(point.x, point.y - 0.11 * point.scale, 0.125 * point.scale, { shadow: grounded });
}

export function trophy(x: number, baseY: number, heightPx: number, ribbons: readonly string[]): string {
  const id = nextId('cup');
  const h = heightPx;
  const p = (dx: number, dy: number): string => `${n(x + dx * h)},${n(baseY - dy * h)}`;
  return (
    `<defs><linearGradient id="${id}" x1="0" x2="1"><stop offset="0" stop-color="#6d5414"/><stop offset="0.22" stop-color="#f7e39a"/><stop offset="0.4" stop-color="#c79a2b"/><stop offset="0.62" stop-color="#fff4c6"/><stop offset="0.8" stop-color="#b0801f"/><stop offset="1" stop-color="#4d390c"/></linearGradient></defs>` +
    `<path d="M${p(-0.2, 0.86)} C${p(-0.42, 0.9)} ${p(-0.4, 0.5)} ${p(-0.12, 0.48)} M${p(0.2, 0.86)} C${p(0.42, 0.9)} ${p(0.4, 0.5)} ${p(0.12, 0.48)}" fill="none" stroke="url(#${id})" stroke-width="${n(h * 0.045)}"/>` +
    `<path d="M${p(-0.24, 1)} C${p(-0.23, 0.62)} ${p(-0.13, 0.46)} ${p(-0.035, 0.4)} L${p(-0.03, 0.22)} C${p(-0.05, 0.16)} ${p(-0.16, 0.16)} ${p(-0.17, 0.1)} L${p(0.17, 0.1)} C${p(0.16, 0.16)} ${p(0.05, 0.16)} ${p(0.03, 0.22)} L${p(0.035, 0.4)} C${p(0.13, 0.46)} ${p(0.23, 0.62)} ${p(0.24, 1)}Z" fill="url(#${id})"/>` +
    `<ellipse cx="${n(x)}" cy="${n(baseY - h)}" rx="${n(h * 0.24)}" ry="${n(h * 0.035)}" fill="#8a6a1a" stroke="#fbe9a8" stroke-width="${n(h * 0.012)}"/>` +
    `<rect x="${n(x - h * 0.19)}" y="${n(baseY - h * 0.1)}" width="${n(h * 0.38)}" height="${n(h * 0.1)}" rx="${n(h * 0.01)}" fill="#191c22"/><rect x="${n(x - h * 0.08)}" y="${n(baseY - h * 0.075)}" width="${n(h * 0.16)}" height="${n(h * 0.05)}" fill="#d8b65a"/>` +
    `<path d="M${p(-0.2, 0.76)} Q${p(-0.34, 0.5)} ${p(-0.27, 0.2)} l${n(h * 0.04)},${n(-h * 0.02)} Q${p(-0.28, 0.5)} ${p(-0.17, 0.74)}Z" fill="${ribbons[0] ?? '#fff'}"/><path d="M${p(0.2, 0.76)} Q${p(0.34, 0.5)} ${p(0.29, 0.16)} l${n(-h * 0.04)},${n(-h * 0.02)} Q${p(0.28, 0.5)} ${p(0.17, 0.74)}Z" fill="${ribbons[1] ?? '#222'}"/>`
  );
}

export function cone(x: number, y: number, heightPx: number, fill = '#f26a1b'): string {
  const h = heightPx;
  const id = nextId('cone');
  return (
    `<defs><linearGradient id="${id}" x1="0" x2="1"><stop offset="0" stop-color="${fill}"/><stop offset="0.35" stop-color="#ffb27d"/><stop offset="1" stop-color="#7c2d06"/></linearGradient></defs><ellipse cx="${n(x + h * 0.2)}" cy="${n(y)}" rx="${n(h * 0.7)}" ry="${n(h * 0.1)}" fill="#04110a" opacity="0.4"/>` +
    `<ellipse cx="${n(x)}" cy="${n(y - h * 0.03)}" rx="${n(h * 0.48)}" ry="${n(h * 0.1)}" fill="${fill}"/><path d="M${n(x - h * 0.33)},${n(y - h * 0.05)} L${n(x - h * 0.07)},${n(y - h)} Q${n(x)},${n(y - h * 1.04)} ${n(x + h * 0.07)},${n(y - h)} L${n(x + h * 0.33)},${n(y - h * 0.05)} Q${n(x)},${n(y + h * 0.06)} ${n(x - h * 0.33)},${n(y - h * 0.05)}Z" fill="url(#${id})"/>`
  );
}

export function cornerFlag(x: number, y: number, heightPx: number, fill: string): string {
  const h = heightPx;
  return (
    `<ellipse cx="${n(x + h * 0.12)}" cy="${n(y)}" rx="${n(h * 0.14)}" ry="${n(h * 0.012)}" fill="#04110a" opacity="0.5"/><path d="M${n(x)},${n(y)} L${n(x)},${n(y - h)}" stroke="#f5e9b8" stroke-width="${n(h * 0.022)}"/>` +
    `<path d="M${n(x)},${n(y - h)} C${n(x + h * 0.12)},${n(y - h * 1.04)} ${n(x + h * 0.2)},${n(y - h * 0.9)} ${n(x + h * 0.34)},${n(y - h * 0.96)} L${n(x + h * 0.3)},${n(y - h * 0.74)} C${n(x + h * 0.2)},${n(y - h * 0.68)} ${n(x + h * 0.1)},${n(y - h * 0.82)} ${n(x)},${n(y - h * 0.72)}Z" fill="${fill}"/><path d="M${n(x + h * 0.1)},${n(y - h)} q${n(h * 0.05)},${n(h * 0.12)} 0,${n(h * 0.24)}" stroke="#000" stroke-opacity="0.25" stroke-width="${n(h * 0.02)}" fill="none"/>`
  );
}

export interface ScoreboardOptions {
  readonly x: number;
  readonly y: number;
  readonly widthPx: number;
  readonly home: string;
  readonly away: string;
  readonly score: string;
  readonly clock: string;
  readonly title: string;
  readonly homeColour: string;
  readonly awayColour: string;
}
export function scoreboard(options: ScoreboardOptions): string {
  const { x, y, widthPx: w } = options;
  const h = w * 0.44;
  const text = (content: string, at: { x: number; y: number; size: number; fill: string; length?: number }): string =>
    `<text x="${n(x + at.x * w)}" y="${n(y + at.y * h)}" text-anchor="middle" font-family="${FONT}" font-weight="700" font-size="${n(at.size * w)}" paint-order="stroke" stroke="#05070b" stroke-opacity="0.6" stroke-width="${n(at.size * w * 0.14)}" fill="${at.fill}"${at.length === undefined ? '' : ` textLength="${n(at.length * w)}" lengthAdjust="spacingAndGlyphs"`}>${escapeXml(content)}</text>`;
  let dots = '';
  for (let i = 1; i < 90; i += 1)
    dots += `<path d="M${n(x)},${n(y + (i * h) / 90)} h${n(w)}" stroke="#000" stroke-opacity="0.28" stroke-width="${n(Math.max(0.5, h / 300))}"/>`;
  return (
    `<rect x="${n(x - w * 0.015)}" y="${n(y - w * 0.015)}" width="${n(w * 1.03)}" height="${n(h + w * 0.03)}" rx="${n(w * 0.008)}" fill="#2a3038"/><rect x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}" fill="#05070b"/>` +
    `<rect x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h * 0.17)}" fill="#12365c"/>${text(options.title, { x: 0.5, y: 0.125, size: 0.04, fill: '#e8f0ff' })}` +
    `<rect x="${n(x + w * 0.04)}" y="${n(y + h * 0.24)}" width="${n(w * 0.26)}" height="${n(h * 0.26)}" fill="${options.homeColour}"/><rect x="${n(x + w * 0.7)}" y="${n(y + h * 0.24)}" width="${n(w * 0.26)}" height="${n(h * 0.26)}" fill="${options.awayColour}"/>` +
    text(options.home, { x: 0.17, y: 0.43, size: 0.082, fill: '#fff' }) +
    text(options.away, { x: 0.83, y: 0.43, size: 0.082, fill: '#fff' }) +
    text(options.score, { x: 0.5, y: 0.63, size: 0.15, fill: '#ffd75e' }) +
    text(options.clock, { x: 0.5, y: 0.9, size: 0.075, fill: '#ff7a4d' }) +
    dots
  );
}

/** A wall of repeated partner names, as behind every press conference. */
export function sponsorWall(options: {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly names: readonly string[];
  readonly base: string;
  readonly ink: string;
}): string {
  const { widthPx, heightPx, names, base, ink } = options;
  const cellW = 260;
  const cellH = 120;
  let svg = `<rect width="${widthPx}" height="${heightPx}" fill="${base}"/>`;
  for (let row = 0, y = 40; y < heightPx + cellH; y += cellH, row += 1)
    for (let column = -1, x = -cellW; x < widthPx + cellW; x += cellW, column += 1) {
      const name = names[(((row + column) % names.length) + names.length) % names.length] ?? '';
      svg += `<rect x="${n(x + (row % 2) * 130 + 8)}" y="${n(y - 44)}" width="${cellW - 16}" height="${cellH - 30}" rx="6" fill="#fff" opacity="${(row + column) % 2 === 0 ? 0.1 : 0.05}"/><text x="${n(x + (row % 2) * 130 + cellW / 2)}" y="${n(y + 12)}" text-anchor="middle" font-family="${FONT}" font-weight="700" font-size="30" letter-spacing="1.5" fill="${ink}">${name}</text>`;
    }
  return svg;
}

export function microphone(x: number, baseY: number, heightPx: number, cube: string): string {
  const h = heightPx;
  return `<path d="M${n(x)},${n(baseY)} Q${n(x - h * 0.06)},${n(baseY - h * 0.5)} ${n(x + h * 0.12)},${n(baseY - h * 0.78)}" stroke="#14171c" stroke-width="${n(h * 0.04)}" fill="none"/><rect x="${n(x + h * 0.06)}" y="${n(baseY - h * 0.82)}" width="${n(h * 0.15)}" height="${n(h * 0.13)}" fill="${cube}" transform="rotate(12 ${n(x + h * 0.12)} ${n(baseY - h * 0.78)})"/><ellipse cx="${n(x + h * 0.17)}" cy="${n(baseY - h * 0.92)}" rx="${n(h * 0.075)}" ry="${n(h * 0.1)}" fill="#22262d"/><ellipse cx="${n(x + h * 0.15)}" cy="${n(baseY - h * 0.95)}" rx="${n(h * 0.03)}" ry="${n(h * 0.045)}" fill="#6a717c" opacity="0.7"/>`;
}

/** Out-of-focus lights, to be laid on with `screen`. */
export function bokeh(
  spots: readonly {
    readonly x: number;
    readonly y: number;
    readonly r: number;
    readonly colour: string;
    readonly opacity: number;
  }[],
): string {
  return spots
    .map(
      (s) =>
        `<circle cx="${n(s.x)}" cy="${n(s.y)}" r="${n(s.r)}" fill="${s.colour}" opacity="${n(s.opacity)}"/><circle cx="${n(s.x)}" cy="${n(s.y)}" r="${n(s.r * 0.95)}" fill="none" stroke="${s.colour}" stroke-width="${n(s.r * 0.07)}" opacity="${n(Math.min(1, s.opacity * 1.4))}"/>`,
    )
    .join('');
}
