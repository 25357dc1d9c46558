/** Heads: neck, face and hair, drawn around the base of the neck at 0,0 with y upwards negative. */
import type { HairStyle } from './squads.ts';

export interface HeadOptions {
  /** Body height in pixels; the head is about an eighth of it. */
  readonly size: number;
  readonly view: 'front' | 'back' | 'side';
  readonly skin: string;
  readonly hair: string;
  readonly hairStyle: HairStyle;
  readonly mood: 'joy' | 'calm' | 'sad' | 'effort';
  readonly mirrored: boolean;
}

const n = (value: number): string => value.toFixed(1);

function features(u: (value: number) => string, options: HeadOptions): string {
  const { mood } = options;
  const dark = '#22140d';
  const mouth = {
    joy: `<path d="M${u(-0.022)},${u(-0.047)} Q0,${u(-0.02)} ${u(0.022)},${u(-0.047)} Q0,${u(-0.042)} ${u(-0.022)},${u(-0.047)}Z" fill="#5b1d1a"/><path d="M${u(-0.018)},${u(-0.045)} Q0,${u(-0.036)} ${u(0.018)},${u(-0.045)}Z" fill="#f7efe6"/>`,
    calm: `<path d="M${u(-0.016)},${u(-0.041)} Q0,${u(-0.036)} ${u(0.016)},${u(-0.041)}" stroke="#6b2f25" stroke-width="${u(0.005)}" fill="none" stroke-linecap="round"/>`,
    sad: `<path d="M${u(-0.016)},${u(-0.036)} Q0,${u(-0.044)} ${u(0.016)},${u(-0.036)}" stroke="#6b2f25" stroke-width="${u(0.005)}" fill="none" stroke-linecap="round"/>`,
    effort: `<ellipse cx="0" cy="${u(-0.039)}" rx="${u(0.012)}" ry="${u(0.009)}" fill="#4a1613"/>`,
  }[mood];
  const eye = (x: number): string =>
    mood === 'joy'
      ? `<path d="M${u(x - 0.01)},${u(-0.083)} Q${u(x)},${u(-0.092)} ${u(x + 0.01)},${u(-0.083)}" stroke="${dark}" stroke-width="${u(0.004)}" fill="none" stroke-linecap="round"/>`
      : `<ellipse cx="${u(x)}" cy="${u(-0.084)}" rx="${u(0.0085)}" ry="${u(0.0048)}" fill="#efe8df"/><circle cx="${u(x)}" cy="${u(-0.084)}" r="${u(0.0043)}" fill="${dark}"/>`;
  const tilt = mood === 'sad' ? -0.004 : mood === 'effort' ? 0.005 : 0;
  const brow = (x: number): string => {
    const inner = x < 0 ? tilt : -tilt;
    return `<path d="M${u(x - 0.013)},${u(-0.097 - inner)} Q${u(x)},${u(-0.103)} ${u(x + 0.013)},${u(-0.097 + inner)}" stroke="${options.hair}" stroke-width="${u(0.006)}" fill="none" stroke-linecap="round" opacity="0.9"/>`;
  };
  const nose = `<path d="M${u(0.001)},${u(-0.084)} Q${u(0.011)},${u(-0.064)} ${u(0.007)},${u(-0.06)} Q0,${u(-0.056)} ${u(-0.006)},${u(-0.06)}" stroke="#000" stroke-opacity="0.28" stroke-width="${u(0.004)}" fill="none" stroke-linecap="round"/>`;
  const cheek = `<ellipse cx="${u(0.03)}" cy="${u(-0.06)}" rx="${u(0.018)}" ry="${u(0.034)}" fill="#000" opacity="0.1"/>`;
  return cheek + eye(-0.021) + eye(0.021) + brow(-0.021) + brow(0.021) + nose + mouth;
}

function curls(u: (value: number) => string, fill: string, low: number): string {
  let svg = '';
  for (let i = 0; i <= 12; i += 1) {
    const angle = Math.PI * (1.06 + (i / 12) * 0.88);
    svg += `<circle cx="${u(Math.cos(angle) * 0.055)}" cy="${u(-0.088 + Math.sin(angle) * 0.06)}" r="${u(0.021)}" fill="${fill}"/>`;
  }
  return `${svg}<ellipse cx="0" cy="${u(-0.128)}" rx="${u(0.052)}" ry="${u(low)}" fill="${fill}"/>`;
}

/** What hangs behind the head, drawn before it. */
function backHair(u: (value: number) => string, options: HeadOptions): string {
  const { hair, hairStyle, view } = options;
  if (hairStyle === 'ponytail' && view !== 'back')
    return view === 'side'
      ? `<path d="M${u(-0.045)},${u(-0.125)} C${u(-0.11)},${u(-0.14)} ${u(-0.115)},${u(-0.06)} ${u(-0.1)},${u(0)} C${u(-0.085)},${u(-0.03)} ${u(-0.075)},${u(-0.08)} ${u(-0.04)},${u(-0.1)}Z" fill="${hair}"/>`
      : `<path d="M${u(0.02)},${u(-0.14)} C${u(0.09)},${u(-0.15)} ${u(0.085)},${u(-0.06)} ${u(0.07)},${u(-0.01)} C${u(0.068)},${u(-0.06)} ${u(0.05)},${u(-0.1)} ${u(0.02)},${u(-0.11)}Z" fill="${hair}"/>`;
  if (hairStyle === 'long' || hairStyle === 'braids')
    return `<path d="M${u(-0.056)},${u(-0.1)} C${u(-0.075)},${u(-0.05)} ${u(-0.07)},${u(-0.01)} ${u(-0.062)},${u(0.022)} L${u(0.062)},${u(0.022)} C${u(0.07)},${u(-0.01)} ${u(0.075)},${u(-0.05)} ${u(0.056)},${u(-0.1)}Z" fill="${hair}"/>`;
  if (hairStyle === 'bun')
    return `<circle cx="${u(view === 'side' ? -0.05 : 0)}" cy="${u(view === 'side' ? -0.145 : -0.166)}" r="${u(0.027)}" fill="${hair}"/>`;
  return '';
}

function frontHair(u: (value: number) => string, options: HeadOptions): string {
  const { hair, hairStyle, view } = options;
  if (hairStyle === 'bald') return '';
  if (view === 'back') {
    const cap = `<path d="M${u(-0.055)},${u(-0.06)} C${u(-0.07)},${u(-0.195)} ${u(0.07)},${u(-0.195)} ${u(0.055)},${u(-0.06)} Q0,${u(-0.02)} ${u(-0.054)},${u(-0.06)}Z" fill="${hair}"/>`;
    if (hairStyle === 'ponytail')
      return `${cap}<path d="M${u(-0.018)},${u(-0.12)} C${u(-0.03)},${u(-0.06)} ${u(-0.022)},${u(0.01)} ${u(0)},${u(0.05)} C${u(0.024)},${u(0.01)} ${u(0.03)},${u(-0.06)} ${u(0.018)},${u(-0.12)}Z" fill="${hair}" stroke="#000" stroke-opacity="0.25" stroke-width="${u(0.003)}"/>`;
    if (hairStyle === 'long' || hairStyle === 'braids')
      return `${cap}<path d="M${u(-0.054)},${u(-0.07)} L${u(-0.05)},${u(0.035)} Q0,${u(0.05)} ${u(0.05)},${u(0.035)} L${u(0.054)},${u(-0.07)}Z" fill="${hair}"/>`;
    return hairStyle === 'curly' ? cap + curls(u, hair, 0.04) : cap;
  }
  if (view === 'side') {
    const cap = `<path d="M${u(0.042)},${u(-0.118)} C${u(0.046)},${u(-0.16)} ${u(-0.03)},${u(-0.172)} ${u(-0.054)},${u(-0.13)} C${u(-0.066)},${u(-0.1)} ${u(-0.058)},${u(-0.06)} ${u(-0.04)},${u(-0.042)} L${u(-0.014)},${u(-0.07)} L${u(-0.008)},${u(-0.1)} Q${u(0.02)},${u(-0.105)} ${u(0.042)},${u(-0.118)}Z" fill="${hair}"/>`;
    return hairStyle === 'curly' ? cap + curls(u, hair, 0.03) : cap;
  }
  if (hairStyle === 'curly') return curls(u, hair, 0.026);
  const line = {
    short: -0.112,
    crop: -0.12,
    fade: -0.122,
    bun: -0.122,
    ponytail: -0.118,
    long: -0.116,
    braids: -0.118,
  }[hairStyle];
  const top = hairStyle === 'crop' || hairStyle === 'fade' ? -0.194 : -0.212;
  const side = hairStyle === 'fade' ? -0.1 : -0.078;
  return `<path d="M${u(-0.0555)},${u(side)} C${u(-0.066)},${u(top)} ${u(0.066)},${u(top)} ${u(0.0555)},${u(side)} C${u(0.05)},${u(-0.098)} ${u(0.044)},${u(line)} ${u(0.018)},${u(line - 0.006)} Q${u(-0.012)},${u(line + 0.004)} ${u(-0.034)},${u(line)} C${u(-0.048)},${u(-0.105)} ${u(-0.05)},${u(-0.095)} ${u(-0.0545)},${u(side)}Z" fill="${hair}"/>`;
}

export function headSvg(options: HeadOptions): string {
  const u = (value: number): string => n(value * options.size);
  const { skin, view } = options;
  const neck = `<path d="M${u(-0.029)},${u(-0.06)} L${u(-0.036)},${u(0.012)} Q0,${u(0.032)} ${u(0.036)},${u(0.012)} L${u(0.029)},${u(-0.06)}Z" fill="${skin}"/><path d="M${u(-0.029)},${u(-0.045)} Q0,${u(-0.012)} ${u(0.029)},${u(-0.045)} L${u(0.029)},${u(-0.03)} Q0,${u(0.002)} ${u(-0.029)},${u(-0.03)}Z" fill="#000" opacity="0.2"/>`;
  const ear = (x: number): string =>
    `<ellipse cx="${u(x)}" cy="${u(-0.082)}" rx="${u(0.009)}" ry="${u(0.015)}" fill="${skin}"/>`;
  const skull =
    view === 'side'
      ? `<path d="M${u(-0.052)},${u(-0.1)} C${u(-0.055)},${u(-0.165)} ${u(0.045)},${u(-0.168)} ${u(0.047)},${u(-0.105)} L${u(0.046)},${u(-0.088)} L${u(0.06)},${u(-0.066)} L${u(0.049)},${u(-0.06)} L${u(0.049)},${u(-0.04)} Q${u(0.046)},${u(-0.024)} ${u(0.026)},${u(-0.022)} L${u(-0.01)},${u(-0.035)} Q${u(-0.05)},${u(-0.055)} ${u(-0.052)},${u(-0.1)}Z" fill="${skin}"/><ellipse cx="${u(0.034)}" cy="${u(-0.09)}" rx="${u(0.005)}" ry="${u(0.005)}" fill="#22140d"/><path d="M${u(0.024)},${u(-0.102)} L${u(0.044)},${u(-0.104)}" stroke="${options.hair}" stroke-width="${u(0.006)}" stroke-linecap="round"/><path d="M${u(0.034)},${u(-0.044)} L${u(0.048)},${u(-0.045)}" stroke="#5b241c" stroke-width="${u(options.mood === 'joy' || options.mood === 'effort' ? 0.01 : 0.004)}"/>`
      : `<path d="M${u(-0.052)},${u(-0.095)} C${u(-0.056)},${u(-0.17)} ${u(0.056)},${u(-0.17)} ${u(0.052)},${u(-0.095)} C${u(0.051)},${u(-0.055)} ${u(0.032)},${u(-0.018)} 0,${u(-0.016)} C${u(-0.032)},${u(-0.018)} ${u(-0.051)},${u(-0.055)} ${u(-0.052)},${u(-0.095)}Z" fill="${skin}"/>`;
  const face = view === 'front' ? features(u, options) : '';
  const ears = view === 'side' ? '' : ear(-0.053) + ear(0.053);
  const sideEar =
    view === 'side'
      ? `<ellipse cx="${u(-0.008)}" cy="${u(-0.08)}" rx="${u(0.01)}" ry="${u(0.015)}" fill="${skin}" stroke="#000" stroke-opacity="0.25" stroke-width="${u(0.002)}"/>`
      : '';
  return backHair(u, options) + neck + ears + skull + face + frontHair(u, options) + sideEar;
}
