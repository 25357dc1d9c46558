/** A footballer as shaded shapes: two-bone limbs, shirt with name and number, head with hair. Sizes are shares of the body height. */
import { FONT, escapeXml } from './canvas.ts';
import { headSvg } from './head.ts';
import { POSES } from './poses.ts';
import type { Pose, PoseName } from './poses.ts';
import type { HairStyle } from './squads.ts';
import type { Kit } from './world.ts';

export interface FigureLook {
  readonly skin: string;
  readonly hair: string;
  readonly hairStyle: HairStyle;
  readonly shirt: string;
  readonly trim: string;
  readonly shorts: string;
  readonly socks: string;
  readonly numberColour: string;
  readonly boots: string;
  readonly gloves?: string;
  readonly longSleeves?: boolean;
  readonly longTrousers?: boolean;
  readonly name?: string;
  readonly number?: number;
  readonly sponsor?: string;
}
export interface FigureOptions {
  /** Where the body stands: middle of the feet. */
  readonly x: number;
  readonly y: number;
  readonly heightPx: number;
  readonly pose: PoseName;
  readonly view: 'front' | 'back' | 'side';
  /** Mirrors a profile so that it looks left. */
  readonly mirror?: boolean;
  readonly look: FigureLook;
  readonly mood?: 'joy' | 'calm' | 'sad' | 'effort';
  /** Direction of the main light in degrees, 225 = from the upper left. */
  readonly lightDeg?: number;
  readonly rim?: string;
  readonly shadow?: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

export function kitLook(
  kit: Kit,
  options: { readonly keeper?: boolean } = {},
): Pick<FigureLook, 'shirt' | 'trim' | 'shorts' | 'socks' | 'numberColour'> {
  const shirt = options.keeper === true ? kit.keeper : kit.shirt;
  return {
    shirt,
    trim: kit.trim,
    shorts: options.keeper === true ? '#23262b' : kit.shorts,
    socks: options.keeper === true ? kit.keeper : kit.socks,
    numberColour: options.keeper === true ? '#16181b' : kit.number,
  };
}

const along = (from: Point, angleDeg: number, length: number): Point => ({
  x: from.x + Math.sin((angleDeg * Math.PI) / 180) * length,
  y: from.y + Math.cos((angleDeg * Math.PI) / 180) * length,
});
const mix = (a: Point, b: Point, t: number): Point => ({ x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t });
const n = (value: number): string => value.toFixed(1);

/** A limb between two joints, thicker in the middle where the muscle is. */
function limb(
  a: Point,
  b: Point,
  options: { readonly from: number; readonly to: number; readonly bulge?: number; readonly fill: string },
): string {
  const { from, to, bulge = 0, fill } = options;
  const angle = Math.atan2(b.y - a.y, b.x - a.x) + Math.PI / 2;
  const nx = Math.cos(angle);
  const ny = Math.sin(angle);
  const third = mix(a, b, 0.4);
  const middle = (from + to) / 2 + bulge;
  const side = (p: Point, r: number): string => `${n(p.x + nx * r)},${n(p.y + ny * r)}`;
  return (
    `<path fill="${fill}" d="M${side(a, from)} Q${side(third, middle * 1.08)} ${side(b, to)} A${n(to)},${n(to)} 0 0 0 ${side(b, -to)}` +
    ` Q${side(third, -middle * 1.08)} ${side(a, -from)} A${n(from)},${n(from)} 0 0 0 ${side(a, from)}Z"/>`
  );
}

/** A stripe across a limb at `t` of its length. */
function band(
  a: Point,
  b: Point,
  options: { readonly t: number; readonly half: number; readonly width: number; readonly fill: string },
): string {
  const at = mix(a, b, options.t);
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  const nx = (-(b.y - a.y) / length) * options.half;
  const ny = ((b.x - a.x) / length) * options.half;
  return `<path d="M${n(at.x + nx)},${n(at.y + ny)} L${n(at.x - nx)},${n(at.y - ny)}" stroke="${options.fill}" stroke-width="${n(options.width)}"/>`;
}

function arm(shoulder: Point, angles: readonly [number, number], look: FigureLook, h: number): string {
  const elbow = along(shoulder, angles[0], 0.163 * h);
  const wrist = along(elbow, angles[1], 0.142 * h);
  const hand = along(wrist, angles[1], 0.035 * h);
  const cuff = mix(shoulder, elbow, look.longSleeves === true ? 1 : 0.72);
  const lower = look.longSleeves === true ? look.shirt : look.skin;
  return (
    limb(shoulder, elbow, { from: 0.034 * h, to: 0.026 * h, bulge: 0.003 * h, fill: look.skin }) +
    limb(elbow, wrist, { from: 0.026 * h, to: 0.018 * h, bulge: 0.004 * h, fill: lower }) +
    limb(wrist, hand, { from: 0.019 * h, to: 0.017 * h, bulge: 0.005 * h, fill: look.gloves ?? look.skin }) +
    limb(shoulder, cuff, { from: 0.043 * h, to: 0.042 * h, fill: look.shirt }) +
    band(shoulder, cuff, { t: 0.98, half: 0.041 * h, width: 0.012 * h, fill: look.trim })
  );
}

function foot(
  ankle: Point,
  shinDeg: number,
  options: { readonly h: number; readonly fill: string; readonly profile: boolean; readonly out: number },
): string {
  const { h, fill, profile, out } = options;
  const heel = along(ankle, shinDeg, 0.018 * h);
  const toe = profile ? along(heel, shinDeg + 78, 0.085 * h) : { x: heel.x + out * 0.022 * h, y: heel.y + 0.02 * h };
  return limb(heel, toe, { from: 0.026 * h, to: 0.018 * h, fill });
}

interface Leg {
  readonly svg: string;
  readonly lowest: number;
}
function leg(
  hip: Point,
  angles: readonly [number, number],
  look: FigureLook,
  options: { readonly h: number; readonly profile: boolean; readonly out: number },
): Leg {
  const { h } = options;
  const knee = along(hip, angles[0], 0.235 * h);
  const ankle = along(knee, angles[1], 0.225 * h);
  const hem = mix(hip, knee, 0.68);
  const sockTop = mix(knee, ankle, 0.18);
  const trousers = look.longTrousers === true;
  const svg =
    limb(hip, knee, { from: 0.062 * h, to: 0.04 * h, bulge: 0.004 * h, fill: trousers ? look.shorts : look.skin }) +
    limb(knee, ankle, { from: 0.039 * h, to: 0.024 * h, bulge: 0.009 * h, fill: trousers ? look.shorts : look.skin }) +
    (trousers
      ? ''
      : limb(sockTop, ankle, { from: 0.04 * h, to: 0.025 * h, bulge: 0.008 * h, fill: look.socks }) +
        band(sockTop, ankle, { t: 0.04, half: 0.041 * h, width: 0.014 * h, fill: look.trim })) +
    foot(ankle, angles[1], { h, fill: look.boots, profile: options.profile, out: options.out }) +
    limb(hip, hem, { from: 0.066 * h, to: 0.062 * h, fill: look.shorts });
  const toe = along(ankle, angles[1], 0.045 * h).y;
  return { svg, lowest: Math.max(knee.y + 0.04 * h, ankle.y + 0.025 * h, toe) };
}

function torso(hip: Point, lean: number, options: FigureOptions): string {
  const { heightPx: h, look, view } = options;
  const w = view === 'side' ? 0.78 : 1;
  const p = (x: number, y: number): string => `${n(x * h * w)},${n(-y * h)}`;
  const body = `M${p(-0.035, 0.318)} C${p(-0.07, 0.312)} ${p(-0.11, 0.302)} ${p(-0.122, 0.272)} L${p(-0.098, 0.19)} C${p(-0.086, 0.12)} ${p(-0.084, 0.06)} ${p(-0.094, -0.026)} Q${p(0, -0.042)} ${p(0.094, -0.026)} C${p(0.084, 0.06)} ${p(0.086, 0.12)} ${p(0.098, 0.19)} L${p(0.122, 0.272)} C${p(0.11, 0.302)} ${p(0.07, 0.312)} ${p(0.035, 0.318)} Q${p(0, view === 'back' ? 0.312 : 0.288)} ${p(-0.035, 0.318)}Z`;
  const text = (content: string, at: { y: number; size: number; weight?: number; length?: number }): string =>
    `<text x="0" y="${n(-at.y * h)}" font-family="${FONT}" font-weight="700" font-size="${n(at.size * h)}" text-anchor="middle" fill="${look.numberColour}"${at.length === undefined ? '' : ` textLength="${n(at.length * h)}" lengthAdjust="spacingAndGlyphs"`}>${escapeXml(content)}</text>`;
  const flip = options.mirror === true ? ' transform="scale(-1,1)"' : '';
  let print = '';
  if (view === 'back') {
    const name = (look.name ?? '').toUpperCase();
    print =
      (name === '' ? '' : text(name, { y: 0.245, size: 0.03, ...(name.length > 8 ? { length: 0.155 } : {}) })) +
      (look.number === undefined ? '' : text(String(look.number), { y: 0.098, size: 0.15 }));
  } else if (view === 'front') {
    print =
      (look.sponsor === undefined ? '' : text(look.sponsor, { y: 0.165, size: 0.023, length: 0.116 })) +
      `<circle cx="${n(0.05 * h)}" cy="${n(-0.232 * h)}" r="${n(0.013 * h)}" fill="${look.trim}"/><circle cx="${n(0.05 * h)}" cy="${n(-0.232 * h)}" r="${n(0.008 * h)}" fill="${look.shirt}"/>` +
      (look.number === undefined
        ? ''
        : `<g transform="translate(${n(-0.05 * h)},0)">${text(String(look.number), { y: 0.222, size: 0.026 })}</g>`);
  }
  const seam = `<path d="M${p(-0.098, 0.19)} C${p(-0.086, 0.12)} ${p(-0.084, 0.06)} ${p(-0.094, -0.026)} l${n(0.012 * h)},0 C${p(-0.072, 0.06)} ${p(-0.072, 0.12)} ${p(-0.086, 0.19)}Z" fill="${look.trim}" opacity="0.85"/>`;
  const collar = `<path d="M${p(-0.037, 0.32)} Q${p(0, view === 'back' ? 0.312 : 0.286)} ${p(0.037, 0.32)}" fill="none" stroke="${look.trim}" stroke-width="${n(0.011 * h)}"/>`;
  return `<g transform="translate(${n(hip.x)},${n(hip.y)}) rotate(${lean})"><path d="${body}" fill="${look.shirt}"/>${view === 'side' ? '' : seam}${collar}<g${flip}>${print}</g></g>`;
}

let filterCount = 0;
/** Height from blurred outline plus cloth noise, lit from one side: gives flat shapes volume and folds. */
function volumeFilter(h: number, options: FigureOptions): { id: string; svg: string } {
  filterCount += 1;
  const id = `vol${filterCount}`;
  const azimuth = options.mirror === true ? 180 - (options.lightDeg ?? 235) : (options.lightDeg ?? 235);
  return {
    id,
    svg:
      `<filter id="${id}" x="-20%" y="-20%" width="140%" height="140%" color-interpolation-filters="sRGB"><feGaussianBlur in="SourceAlpha" stdDeviation="${n(h * 0.017)}" result="b"/>` +
      `<feTurbulence type="fractalNoise" baseFrequency="${(7 / h).toFixed(4)} ${(11 / h).toFixed(4)}" numOctaves="2" seed="${filterCount}" result="t"/>` +
      `<feComposite in="b" in2="t" operator="arithmetic" k1="0.42" k2="0.72" result="height"/>` +
      `<feDiffuseLighting in="height" surfaceScale="${n(h * 0.036)}" diffuseConstant="1.18" lighting-color="#fff6ea" result="d"><feDistantLight azimuth="${azimuth}" elevation="52"/></feDiffuseLighting>` +
      `<feComposite in="SourceGraphic" in2="d" operator="arithmetic" k1="0.98" k2="0.12" result="lit"/>` +
      `<feSpecularLighting in="b" surfaceScale="${n(h * 0.04)}" specularConstant="0.5" specularExponent="14" lighting-color="${options.rim ?? '#cfe4ff'}" result="s"><feDistantLight azimuth="${azimuth + 165}" elevation="22"/></feSpecularLighting>` +
      `<feComposite in="lit" in2="s" operator="arithmetic" k2="1" k3="0.55" result="sum"/><feComposite in="sum" in2="SourceAlpha" operator="in"/></filter>`,
  };
}

export function figure(options: FigureOptions): string {
  const { heightPx: h, look, view } = options;
  const pose: Pose = POSES[options.pose];
  const profile = view === 'side';
  const hip: Point = { x: 0, y: 0 };
  const half = profile ? 0.02 : 0.052;
  const legs = [
    leg({ x: -half * h, y: 0 }, pose.legL, look, { h, profile, out: -1 }),
    leg({ x: half * h, y: 0 }, pose.legR, look, { h, profile, out: 1 }),
  ] as const;
  const rad = (pose.lean * Math.PI) / 180;
  const local = (x: number, y: number): Point => ({
    x: (x * Math.cos(rad) + y * Math.sin(rad)) * h,
    y: (x * Math.sin(rad) - y * Math.cos(rad)) * h,
  });
  const reach = profile ? 0.03 : 0.1;
  const armL = arm(local(-reach, 0.272), pose.armL, look, h);
  const armR = arm(local(reach, 0.272), pose.armR, look, h);
  const neck = local(0, 0.31);
  const head = `<g transform="translate(${n(neck.x)},${n(neck.y)}) rotate(${pose.lean * 0.55 + (pose.headTilt ?? 0)})">${headSvg({ size: h, view, skin: look.skin, hair: look.hair, hairStyle: look.hairStyle, mood: options.mood ?? 'calm', mirrored: options.mirror === true })}</g>`;
  const filter = volumeFilter(h, options);
  const lit = (svg: string): string => `<g filter="url(#${filter.id})">${svg}</g>`;
  const body = torso(hip, pose.lean, options);
  const order = profile
    ? [armL, legs[0].svg, legs[1].svg, body + head, armR]
    : view === 'back'
      ? [legs[0].svg + legs[1].svg, armL + armR, head, body]
      : [legs[0].svg + legs[1].svg, body, head, armL + armR];
  const lowest = Math.max(legs[0].lowest, legs[1].lowest);
  const lift = (pose.lift ?? 0) * h;
  const shade = options.shadow ?? 0.5;
  const shadow =
    shade === 0
      ? ''
      : `<ellipse cx="${n(options.x + 0.06 * h)}" cy="${n(options.y)}" rx="${n((profile ? 0.3 : 0.22) * h)}" ry="${n(0.028 * h)}" fill="#04110a" opacity="${shade * (lift > 0 ? 0.6 : 1)}" filter="url(#${filter.id}s)"/>`;
  return (
    `<defs>${filter.svg}<filter id="${filter.id}s" x="-30%" y="-200%" width="160%" height="500%"><feGaussianBlur stdDeviation="${n(h * 0.014)}"/></filter></defs>${shadow}` +
    `<g transform="translate(${n(options.x)},${n(options.y - lowest - lift)})${options.mirror === true ? ' scale(-1,1)' : ''}">${order.map(lit).join('')}</g>`
  );
}
