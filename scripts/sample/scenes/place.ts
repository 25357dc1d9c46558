/** Places around the game: studio, tunnel, kit room, turnstiles, the stand. */
import { FONT, escapeXml } from '../canvas.ts';
import type { Layer, Picture } from '../canvas.ts';
import { figure } from '../figure.ts';
import { bokeh } from '../props.ts';
import { rain } from '../weather.ts';
import { createCamera } from '../camera.ts';
import { CLUBS } from '../world.ts';
import { anyoneOf, LOOKS, playerLook } from './frame.ts';
import type { SceneContext } from './frame.ts';

const n = (value: number): string => value.toFixed(1);

/** Studio portrait with two coloured lamps, as on media day. */
export function portrait(context: SceneContext): Picture {
  const { widthPx: w, heightPx: h, variant } = context;
  const player = context.players[0];
  if (player === undefined) throw new Error('expected a player for a portrait, received none');
  const kit = CLUBS[player.club].kit;
  const size = h * 1.55;
  const look = playerLook(player);
  const person = figure({
    x: w * (0.5 + (variant % 3 === 1 ? -0.08 : variant % 3 === 2 ? 0.07 : 0)),
    y: h * 0.16 + size * 0.99,
    heightPx: size,
    pose: variant % 2 === 0 ? 'crossed' : 'stand',
    view: 'front',
    look,
    mood: variant % 3 === 0 ? 'calm' : 'joy',
    rim: kit.trim,
    lightDeg: variant % 2 === 0 ? 230 : 310,
    shadow: 0,
  });
  const stripes = Array.from(
    { length: 9 },
    (_, i) =>
      `<path d="M${n(w * (i * 0.17 - 0.3))},${h} l${n(h * 0.42)},${-h} h${n(w * 0.05)} l${n(-h * 0.42)},${h}Z" fill="${kit.trim}" opacity="0.07"/>`,
  ).join('');
  const backdrop = `<defs><radialGradient id="bd" cx="38%" cy="34%" r="85%"><stop offset="0" stop-color="${kit.shirt}"/><stop offset="0.55" stop-color="${kit.shirt}" stop-opacity="0.55"/><stop offset="1" stop-color="#05070c"/></radialGradient></defs><rect width="100%" height="100%" fill="#0b0e14"/><rect width="100%" height="100%" fill="url(#bd)"/>${stripes}<text x="${n(w * 0.5)}" y="${n(h * 0.62)}" text-anchor="middle" font-family="${FONT}" font-weight="700" font-size="${n(h * 0.62)}" fill="#fff" opacity="0.07">${player.shirt}</text>`;
  return {
    widthPx: w,
    heightPx: h,
    look: { contrast: 1.08, glow: 0.3, vignette: 0.5, grain: 18, saturation: 1.05 },
    layers: [
      { svg: backdrop, blurPx: 5 },
      {
        svg: `<ellipse cx="${n(w * 0.16)}" cy="${n(h * 0.2)}" rx="${n(w * 0.3)}" ry="${n(h * 0.35)}" fill="${kit.trim}" opacity="0.3"/>`,
        blurPx: 90,
        blend: 'screen',
      },
      { svg: person },
    ],
  };
}

export function tunnel(context: SceneContext): Picture {
  const { widthPx: w, heightPx: h, variant } = context;
  const cx = w * 0.52;
  const cy = h * 0.52;
  const dw = w * 0.15;
  const dh = h * 0.2;
  let walls = '';
  for (let i = 0; i < 9; i += 1) {
    const t = (i / 9) ** 1.7;
    const u = ((i + 0.45) / 9) ** 1.7;
    const at = (k: number, sx: number, sy: number): string =>
      `${n(cx + sx * (dw + (w * 0.62 - dw) * k))},${n(cy + sy * (dh + (h * 0.62 - dh) * k))}`;
    walls += `<polygon points="${at(t, -1, -1)} ${at(t, 1, -1)} ${at(u, 1, -1)} ${at(u, -1, -1)}" fill="#dfe9f2" opacity="${n(0.5 - t * 0.3)}"/>`;
    walls += `<polygon points="${at(t, -1, -0.2)} ${at(u, -1, -0.2)} ${at(u, -1, 0.5)} ${at(t, -1, 0.5)}" fill="${CLUBS[context.home].kit.shirt}" opacity="0.75"/><polygon points="${at(t, 1, -0.2)} ${at(u, 1, -0.2)} ${at(u, 1, 0.5)} ${at(t, 1, 0.5)}" fill="${CLUBS[context.away].kit.shirt}" opacity="0.6"/>`;
  }
  const people = context.players.map((player, i) => {
    const left = i % 2 === 0;
    const k = 0.34 + Math.floor(i / 2) * 0.2;
    return figure({
      x: cx + (left ? -1 : 1) * w * (0.06 + k * 0.13),
      y: cy + dh + h * 0.47 * k,
      heightPx: h * (0.34 + k * 0.62),
      pose: variant % 2 === 0 ? 'walk' : 'stand',
      view: 'back',
      look: playerLook(player),
      rim: '#eaf6ff',
      lightDeg: 270,
      shadow: 0.6,
    });
  });
  const glow = `<defs><radialGradient id="tg"><stop offset="0" stop-color="#fff" stop-opacity="1"/><stop offset="0.4" stop-color="#eef6ff" stop-opacity="0.5"/><stop offset="1" stop-color="#cfe3ff" stop-opacity="0"/></radialGradient></defs><ellipse cx="${n(cx)}" cy="${n(cy)}" rx="${n(dw * 3)}" ry="${n(dh * 3)}" fill="url(#tg)"/>`;
  return {
    widthPx: w,
    heightPx: h,
    look: { ...LOOKS[context.light], contrast: 1.14, glow: 0.6, vignette: 0.55 },
    layers: [
      {
        svg: `<rect width="100%" height="100%" fill="#12161d"/><polygon points="0,${h} ${w},${h} ${n(cx + dw)},${n(cy + dh)} ${n(cx - dw)},${n(cy + dh)}" fill="#2c343d"/>${walls}<rect x="${n(cx - dw)}" y="${n(cy - dh)}" width="${n(dw * 2)}" height="${n(dh * 2)}" fill="#f4f9ff"/><rect x="${n(cx - dw)}" y="${n(cy + dh * 0.45)}" width="${n(dw * 2)}" height="${n(dh * 0.55)}" fill="#5aa05a"/>`,
        blurPx: 3,
      },
      { svg: glow, blend: 'screen' },
      { svg: people.slice(0, 2).join(''), blurPx: 2 },
      { svg: people.slice(2, 4).join('') },
      { svg: people.slice(4).join(''), blurPx: 4 },
    ],
  };
}

export function kitRoom(context: SceneContext): Picture {
  const { widthPx: w, heightPx: h, variant } = context;
  const named = context.players;
  const count = Math.max(3, named.length);
  const cell = w / count;
  const focus = Math.min(variant % count, count - 1);
  const layers: Layer[] = [
    {
      svg: `<defs><linearGradient id="kw" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#6e5844"/><stop offset="1" stop-color="#2c231c"/></linearGradient></defs><rect width="100%" height="100%" fill="url(#kw)"/>${Array.from({ length: 26 }, (_, i) => `<path d="M0,${n((i * h) / 26)} h${w}" stroke="#1d1611" stroke-opacity="0.35" stroke-width="3"/>`).join('')}<rect y="${n(h * 0.86)}" width="100%" height="${n(h * 0.14)}" fill="#7f6a52"/><rect y="${n(h * 0.86)}" width="100%" height="10" fill="#c0a684"/>`,
      blurPx: 2,
    },
  ];
  named.forEach((player, i) => {
    const look = {
      ...playerLook(player),
      skin: 'none',
      shorts: 'none',
      socks: 'none',
      boots: 'none',
      hairStyle: 'bald' as const,
    };
    const size = Math.min(h * 1.5, cell * 3.3);
    const x = cell * (i + 0.5);
    const hook = `<path d="M${n(x)},${n(h * 0.1)} q16,20 0,34 L${n(x - size * 0.1)},${n(h * 0.23)} M${n(x)},${n(h * 0.14)} L${n(x + size * 0.1)},${n(h * 0.23)}" stroke="#d9dde2" stroke-width="6" fill="none"/><rect x="${n(x - cell * 0.47)}" y="0" width="10" height="100%" fill="#241c15"/>`;
    const plate = `<rect x="${n(x - cell * 0.25)}" y="${n(h * 0.03)}" width="${n(cell * 0.5)}" height="${n(h * 0.055)}" rx="4" fill="#e9e2d4"/><text x="${n(x)}" y="${n(h * 0.071)}" text-anchor="middle" font-family="${FONT}" font-weight="700" font-size="${n(h * 0.03)}" fill="#1c2530">${player.shirt}</text>`;
    const shirt = figure({ x, y: 0, heightPx: size, pose: 'stand', view: 'back', look, shadow: 0 });
    // Only the shirt of the figure is wanted: cut the rest away below its hem.
    layers.push({
      svg: `${hook}${plate}<defs><clipPath id="kr${i}"><rect x="${n(x - cell * 0.48)}" y="${n(h * 0.12)}" width="${n(cell * 0.96)}" height="${n(h * 0.21 + size * 0.335 - h * 0.12)}"/></clipPath></defs><g clip-path="url(#kr${i})"><g transform="translate(0,${n(h * 0.21 + size * 0.82)})">${shirt}</g></g>`,
      blurPx: i === focus ? 0 : 0.8 + Math.abs(i - focus) * 1.1,
    });
    layers.push({
      svg: `<g>${[0, 1].map((k) => `<path d="M${n(x - 70 + k * 80)},${n(h * 0.858)} q4,-44 22,-40 q26,6 44,26 q10,12 0,16Z" fill="${playerLook(player).boots}" stroke="#000" stroke-opacity="0.3"/>`).join('')}</g>`,
      blurPx: i === focus ? 0 : 2,
    });
  });
  layers.push({
    svg: `<polygon points="${n(w * 0.3)},0 ${n(w * 0.7)},0 ${n(w * 1.05)},${h} ${n(w * -0.05)},${h}" fill="#ffe2b0" opacity="0.2"/>`,
    blurPx: 60,
    blend: 'screen',
  });
  return {
    widthPx: w,
    heightPx: h,
    look: { warmth: 0.06, contrast: 1.08, glow: 0.3, vignette: 0.5, grain: 22 },
    layers,
  };
}

export function queue(context: SceneContext): Picture {
  const { widthPx: w, heightPx: h, random, light } = context;
  const club = CLUBS[context.home];
  const ground = h * 0.72;
  let bricks = '';
  for (let row = 0; row < 26; row += 1)
    for (let column = -1; column < 30; column += 1)
      bricks += `<rect x="${n(column * 58 + (row % 2) * 29)}" y="${n(h * 0.08 + row * 26)}" width="55" height="23" fill="${random.pick(['#7c4634', '#854d39', '#71402f', '#8d5741'])}"/>`;
  const gates = [0.12, 0.4, 0.68]
    .map(
      (x, i) =>
        `<rect x="${n(w * x)}" y="${n(h * 0.34)}" width="${n(w * 0.17)}" height="${n(ground - h * 0.34)}" fill="#12161c"/><rect x="${n(w * x + 12)}" y="${n(h * 0.36)}" width="${n(w * 0.17 - 24)}" height="${n(ground - h * 0.36)}" fill="#ffdf9e" opacity="0.5"/><rect x="${n(w * x)}" y="${n(h * 0.27)}" width="${n(w * 0.17)}" height="${n(h * 0.06)}" fill="${club.kit.shirt}"/><text x="${n(w * (x + 0.085))}" y="${n(h * 0.312)}" text-anchor="middle" font-family="${FONT}" font-weight="700" font-size="34" fill="#fff">TURNSTILE ${i + 1 + (context.variant % 3) * 3}</text>`,
    )
    .join('');
  const sign = `<rect x="${n(w * 0.06)}" y="${n(h * 0.08)}" width="${n(w * 0.88)}" height="${n(h * 0.13)}" fill="#10151c"/><text x="${n(w * 0.5)}" y="${n(h * 0.175)}" text-anchor="middle" font-family="${FONT}" font-weight="700" font-size="${n(h * 0.085)}" letter-spacing="10" fill="${club.kit.trim}">${escapeXml((context.home === 'pav' ? 'Lantern Quay' : 'Norrskensvallen').toUpperCase())}</text>`;
  const layers: Layer[] = [
    {
      svg: `<rect width="100%" height="100%" fill="#4e3a33"/>${bricks}${gates}${sign}<rect y="${n(ground)}" width="100%" height="${n(h - ground)}" fill="#474c52"/>`,
      blurPx: 2.2,
    },
  ];
  for (let row = 0; row < 3; row += 1) {
    let people = '';
    for (let i = 0; i < 9 - row * 2; i += 1) {
      const look = anyoneOf(random.chance(0.7) ? context.home : context.away, random);
      const trousers = {
        longTrousers: true,
        shorts: random.pick(['#27313f', '#3d3a36', '#1b1e24', '#5c6b7f']),
        boots: '#e8e4dc',
        longSleeves: random.chance(0.5),
        number: random.int(1, 23),
        name: '',
      };
      people += figure({
        x: (i + random.range(0.2, 0.8)) * (w / (8.6 - row * 2)),
        y: ground + 40 + row * h * 0.12,
        heightPx: h * (0.36 + row * 0.17) * random.range(0.94, 1.05),
        pose: random.pick(['stand', 'walk', 'hips', 'walk'] as const),
        view: random.chance(0.7) ? 'back' : 'side',
        mirror: random.chance(0.5),
        look: { ...look, ...trousers },
        shadow: 0.45,
      });
    }
    layers.push({ svg: people, blurPx: [1.2, 0, 5][row] ?? 0 });
  }
  layers.push({
    svg: bokeh(
      Array.from({ length: 5 }, () => ({
        x: random.range(0, w),
        y: random.range(0, h * 0.4),
        r: random.range(14, 44),
        colour: '#ffd9a0',
        opacity: 0.22,
      })),
    ),
    blend: 'screen',
  });
  if (light === 'night-rain')
    layers.push({
      svg: rain(createCamera({ at: [0, 2, 20], target: [0, 2, 0], fovDeg: 50, widthPx: w, heightPx: h }), random, 300),
      blurPx: 0.6,
    });
  return { widthPx: w, heightPx: h, look: LOOKS[light], layers };
}

function scarf(
  x: number,
  y: number,
  options: {
    readonly widthPx: number;
    readonly base: string;
    readonly trim: string;
    readonly text: string;
    readonly tiltDeg: number;
  },
): string {
  const { widthPx: w, base, trim, text, tiltDeg } = options;
  const t = w * 0.2;
  const drape = (dy: number): string => `Q${n(w / 2)},${n(dy + t * 0.25)} ${n(w)},${n(dy)}`;
  return `<g transform="translate(${n(x)},${n(y)}) rotate(${tiltDeg})"><path d="M0,0 ${drape(0)} L${n(w)},${n(t)} Q${n(w / 2)},${n(t * 1.25)} 0,${n(t)}Z" fill="${base}"/><path d="M0,${n(t * 0.1)} ${drape(t * 0.1)} M0,${n(t * 0.9)} ${drape(t * 0.9)}" stroke="${trim}" stroke-width="${n(t * 0.1)}" fill="none"/><path d="M0,0 v${n(t)} M${n(w)},0 v${n(t)}" stroke="${trim}" stroke-width="${n(t * 0.16)}" stroke-dasharray="3 3"/><text x="${n(w / 2)}" y="${n(t * 0.8)}" text-anchor="middle" font-family="${FONT}" font-weight="700" font-size="${n(t * 0.62)}" letter-spacing="3" fill="${trim}">${text} ${text}</text></g>`;
}

export function supporters(context: SceneContext): Picture {
  const { widthPx: w, heightPx: h, random, variant } = context;
  const club = CLUBS[variant % 2 === 0 ? context.home : context.away];
  const layers: Layer[] = [{ svg: `<rect width="100%" height="100%" fill="#1a2029"/>` }];
  for (let row = 0; row < 6; row += 1) {
    let people = '';
    const size = h * (0.42 + row * 0.075);
    for (let i = 0; i < 12 - row; i += 1) {
      const look = anyoneOf(variant % 2 === 0 ? context.home : context.away, random);
      people += figure({
        x: (i + (row % 2) * 0.5 + random.range(0, 0.3)) * (w / (10.6 - row)),
        y: h * (0.36 + row * 0.16) + size * 0.62,
        heightPx: size,
        pose: random.pick(['armsUp', 'clap', 'lift', 'stand', 'spread'] as const),
        view: 'front',
        look: {
          ...look,
          ...(random.chance(0.4) ? { shirt: random.pick(['#28303c', '#5a2a2a', '#d7d2c6']) } : {}),
          number: 12,
        },
        mood: random.pick(['joy', 'joy', 'effort'] as const),
        shadow: 0,
      });
      if (random.chance(0.3))
        people += scarf(random.range(0, w), h * (0.12 + row * 0.155), {
          widthPx: size * 0.42,
          base: club.kit.shirt,
          trim: club.kit.trim,
          text: club.code,
          tiltDeg: random.int(-9, 9),
        });
    }
    layers.push({ svg: people, blurPx: [7, 4.5, 2, 0.3, 0.3, 5][row] ?? 0 });
  }
  return { widthPx: w, heightPx: h, look: LOOKS[context.light], layers };
}
