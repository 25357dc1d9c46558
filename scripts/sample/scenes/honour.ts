/** Scenes with the two real faces: guest of honour and club photographer, at many places and sizes in the frame. */
import type { Layer, Picture } from '../canvas.ts';
import { FONT } from '../canvas.ts';
import { PEOPLE, placePerson, printOf } from '../cutouts.ts';
import type { Box, PersonKey, PlacedPerson } from '../cutouts.ts';
import { figure } from '../figure.ts';
import { ball, microphone, sponsorWall, trophy } from '../props.ts';
import { CLUBS } from '../world.ts';
import { anyoneOf, COACH, groundShot, LOOKS, playerLook } from './frame.ts';
import type { SceneContext } from './frame.ts';
import { supporters } from './place.ts';

export interface FaceRegion {
  readonly who: PersonKey;
  /** Pixels of the finished picture. */
  readonly box: Box;
}
export interface HonourPicture {
  readonly picture: Picture;
  readonly faces: readonly FaceRegion[];
}

const n = (value: number): string => value.toFixed(1);
const layerOf = (placed: PlacedPerson): Layer => ({ image: placed.image, leftPx: placed.leftPx, topPx: placed.topPx });
const canvasOf = (context: SceneContext) => ({ widthPx: context.widthPx, heightPx: context.heightPx });
/** Where the face is across the frame, as a share of the width; never in the middle. */
const across = (context: SceneContext): number => [0.27, 0.72, 0.38, 0.64][context.variant % 4] ?? 0.3;

export async function inTheStand(context: SceneContext): Promise<HonourPicture> {
  const { widthPx: w, heightPx: h, random } = context;
  const crowd = supporters({ ...context, variant: 0 });
  const faceHeightPx = h * ([0.13, 0.2, 0.16][context.variant % 3] ?? 0.15);
  const placed = await placePerson({
    who: 'guest',
    faceX: w * across(context),
    faceY: h * 0.42,
    faceHeightPx,
    bottomPx: h,
    light: context.light,
    canvas: canvasOf(context),
    mirror: context.variant % 2 === 1,
  });
  const seats = Array.from(
    { length: 9 },
    (_, i) =>
      `<rect x="${n((i - 0.3) * w * 0.125)}" y="${n(h * 0.83 + (i % 2) * 6)}" width="${n(w * 0.115)}" height="${n(h * 0.3)}" rx="26" fill="${CLUBS[context.home].kit.shirt}"/><rect x="${n((i - 0.3) * w * 0.125 + 8)}" y="${n(h * 0.835)}" width="${n(w * 0.1)}" height="14" rx="7" fill="#fff" opacity="0.16"/>`,
  ).join('');
  const row = [across(context) < 0.5 ? 0.62 : 0.12, across(context) < 0.5 ? 0.88 : 0.4]
    .map((x) =>
      figure({
        x: w * x,
        y: h * 0.4 + h * 1.05,
        heightPx: h * 1.18,
        pose: random.pick(['clap', 'stand'] as const),
        view: 'front',
        look: anyoneOf(context.home, random),
        mood: 'joy',
        shadow: 0,
      }),
    )
    .join('');
  return {
    picture: {
      ...crowd,
      layers: [
        ...crowd.layers.slice(0, 4).map((layer) => ({ ...layer, blurPx: (layer.blurPx ?? 0) + 5 })),
        { svg: row, blurPx: 2.4 },
        layerOf(placed),
        { svg: seats, blurPx: 3.5 },
      ],
    },
    faces: [{ who: 'guest', box: placed.face }],
  };
}

export async function pressConference(context: SceneContext): Promise<HonourPicture> {
  const { widthPx: w, heightPx: h, variant } = context;
  const club = CLUBS[context.home];
  const desk = h * 0.74;
  const guestX = w * across(context);
  const other = across(context) < 0.5 ? w * 0.7 : w * 0.28;
  const placed = await placePerson({
    who: 'guest',
    faceX: guestX,
    faceY: desk - h * 0.36,
    faceHeightPx: h * ([0.19, 0.23, 0.16][variant % 3] ?? 0.19),
    bottomPx: desk + 20,
    light: 'day',
    canvas: canvasOf(context),
  });
  const coach = figure({
    x: other,
    y: desk + h * 0.62,
    heightPx: h * 1.2,
    pose: 'stand',
    view: 'front',
    look: variant % 2 === 0 ? COACH : playerLook(context.players[0] ?? { ...failPlayer() }),
    mood: 'calm',
    shadow: 0,
  });
  const table = `<defs><linearGradient id="dk" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#2b333e"/><stop offset="1" stop-color="#0d1117"/></linearGradient></defs><rect y="${n(desk)}" width="100%" height="${n(h - desk)}" fill="url(#dk)"/><rect y="${n(desk)}" width="100%" height="12" fill="#59636f"/><text x="${n(w / 2)}" y="${n(desk + h * 0.17)}" text-anchor="middle" font-family="${FONT}" font-weight="700" font-size="${n(h * 0.075)}" letter-spacing="8" fill="${club.kit.trim}">${club.label.toUpperCase()}</text>`;
  const mics = [guestX - w * 0.09, guestX + w * 0.1, other - w * 0.07]
    .map((x, i) => microphone(x, desk + 14, h * 0.17, [club.kit.shirt, '#c7372f', '#2a62b8'][i] ?? '#444'))
    .join('');
  const bottles = [guestX + w * 0.18, other + w * 0.1]
    .map(
      (x) =>
        `<rect x="${n(x)}" y="${n(desk - h * 0.11)}" width="${n(h * 0.035)}" height="${n(h * 0.115)}" rx="8" fill="#bfe3f0" opacity="0.8"/><rect x="${n(x)}" y="${n(desk - h * 0.07)}" width="${n(h * 0.035)}" height="${n(h * 0.035)}" fill="#1c7fa8"/><rect x="${n(x + 6)}" y="${n(desk - h * 0.13)}" width="${n(h * 0.024)}" height="${n(h * 0.02)}" fill="#fff"/>`,
    )
    .join('');
  return {
    picture: {
      ...canvasOf(context),
      look: { contrast: 1.06, glow: 0.25, vignette: 0.42, grain: 20 },
      layers: [
        {
          svg: sponsorWall({
            ...canvasOf(context),
            names: ['VELMORA AIR', 'ORSTEN BANK', 'QUILLMARK', 'BRISEWATER'],
            base: variant % 2 === 0 ? '#10304d' : '#e8ebee',
            ink: variant % 2 === 0 ? '#dfeaf5' : '#23364d',
          }),
          blurPx: 2.6,
        },
        {
          svg: `<ellipse cx="${n(w / 2)}" cy="${n(h * 0.2)}" rx="${n(w * 0.5)}" ry="${n(h * 0.4)}" fill="#fff" opacity="0.14"/>`,
          blurPx: 80,
          blend: 'screen',
        },
        { svg: coach, blurPx: 1.2 },
        layerOf(placed),
        { svg: table + mics + bottles },
        {
          svg: `<path d="M${n(w * 0.05)},${h} q20,${n(-h * 0.2)} ${n(h * 0.13)},${n(-h * 0.2)} q${n(h * 0.1)},0 ${n(h * 0.13)},${n(h * 0.2)}Z" fill="#0a0c10"/><path d="M${n(w * 0.83)},${h} q20,${n(-h * 0.16)} ${n(h * 0.1)},${n(-h * 0.16)} q${n(h * 0.1)},0 ${n(h * 0.12)},${n(h * 0.16)}Z" fill="#0a0c10"/>`,
          blurPx: 12,
        },
      ],
    },
    faces: [{ who: 'guest', box: placed.face }],
  };
}

function failPlayer(): never {
  throw new Error('expected a player beside the guest, received none');
}

/** The photographer kneels behind the boards or stands at the line; the board hides the tripod's feet. */
export async function atTheTouchline(context: SceneContext): Promise<HonourPicture> {
  const { widthPx: w, heightPx: h, variant, random } = context;
  const mirror = variant % 2 === 1;
  const ground = groundShot(context, {
    at: [mirror ? 20 : -20, 1.5, 33],
    target: [mirror ? 12 : -12, 1.6, 0],
    fovDeg: 32,
    backgroundBlurPx: 6,
    goalSide: mirror ? 1 : -1,
    actors: [
      {
        at: [mirror ? 8 : -8, 12],
        pose: 'run',
        view: 'side',
        mirror,
        look: context.players[0] === undefined ? anyoneOf(context.home, random) : playerLook(context.players[0]),
        blurPx: 3.2,
      },
      {
        at: [mirror ? 5.5 : -5.5, 8],
        pose: 'sprint',
        view: 'side',
        mirror,
        look: anyoneOf(context.away, random),
        blurPx: 4,
      },
    ],
  });
  const board = h * 0.8;
  const placed = await placePerson({
    who: 'photographer',
    faceX: w * (mirror ? 0.74 : 0.26),
    faceY: h * 0.36,
    faceHeightPx: h * ([0.17, 0.21, 0.18][variant % 3] ?? 0.17),
    bottomPx: board + 6,
    light: context.light,
    canvas: canvasOf(context),
    mirror,
  });
  const names = ['VELMORA AIR', 'BRISEWATER'];
  const panel = `<rect y="${n(board)}" width="100%" height="${n(h - board)}" fill="#10304d"/><rect y="${n(board)}" width="100%" height="10" fill="#dfe6ec"/>${[0, 1].map((i) => `<text x="${n(w * (0.26 + i * 0.52))}" y="${n(board + h * 0.135)}" text-anchor="middle" font-family="${FONT}" font-weight="700" font-size="${n(h * 0.1)}" fill="#f5f2e6">${names[(variant + i) % names.length] ?? ''}</text>`).join('')}`;
  return {
    picture: { ...ground, layers: [...ground.layers, layerOf(placed), { svg: panel, blurPx: 1.6 }] },
    faces: [{ who: 'photographer', box: placed.face }],
  };
}

/** Guest and photographer together at the line, with the trophy or with players. */
export async function bothAtTheLine(context: SceneContext): Promise<HonourPicture> {
  const { widthPx: w, heightPx: h, variant } = context;
  const mirror = variant % 2 === 1;
  const ground = groundShot(context, { at: [4, 1.5, 30], target: [2, 1.9, 0], fovDeg: 30, backgroundBlurPx: 8 });
  const photographer = await placePerson({
    who: 'photographer',
    faceX: w * (mirror ? 0.82 : 0.17),
    faceY: h * 0.35,
    faceHeightPx: h * 0.135,
    bottomPx: h * 0.86,
    light: context.light,
    canvas: canvasOf(context),
    mirror,
  });
  const guest = await placePerson({
    who: 'guest',
    faceX: w * (mirror ? 0.3 : 0.72),
    faceY: h * 0.36,
    faceHeightPx: h * ([0.17, 0.21][variant % 2] ?? 0.17),
    bottomPx: h,
    light: context.light,
    canvas: canvasOf(context),
  });
  const table = `<rect y="${n(h * 0.84)}" width="100%" height="${n(h * 0.2)}" fill="${CLUBS[context.home].kit.shirt}"/><rect y="${n(h * 0.84)}" width="100%" height="9" fill="#fff" opacity="0.7"/>`;
  const prize = trophy(w * 0.5, h * 0.85, h * 0.36, [CLUBS[context.home].kit.shirt, CLUBS[context.away].kit.shirt]);
  return {
    picture: {
      ...ground,
      layers: [
        ...ground.layers,
        layerOf(photographer),
        layerOf(guest),
        { svg: table + prize + ball(w * (mirror ? 0.62 : 0.4), h * 0.81, h * 0.045) },
      ],
    },
    faces: [
      { who: 'guest', box: guest.face },
      { who: 'photographer', box: photographer.face },
    ],
  };
}

/** The guest between the two captains, behind the table with the trophy. */
export async function presentation(context: SceneContext): Promise<HonourPicture> {
  const { widthPx: w, heightPx: h, variant } = context;
  const ground = groundShot(context, { at: [-6, 1.5, 32], target: [-6, 2, 0], fovDeg: 30, backgroundBlurPx: 9 });
  const guestX = w * across(context);
  const spots = [0.13, 0.5, 0.87].filter((x) => Math.abs(x * w - guestX) > w * 0.19);
  const people = context.players
    .slice(0, spots.length)
    .map((player, i) =>
      figure({
        x: w * (spots[i] ?? 0.5),
        y: h * 1.42,
        heightPx: h * 1.24,
        pose: (['stand', 'clap', 'stand'] as const)[(i + variant) % 3] ?? 'stand',
        view: 'front',
        look: playerLook(player),
        mood: 'joy',
        shadow: 0,
      }),
    );
  const guest = await placePerson({
    who: 'guest',
    faceX: guestX,
    faceY: h * 0.36,
    faceHeightPx: h * 0.18,
    bottomPx: h,
    light: context.light,
    canvas: canvasOf(context),
  });
  const prize = trophy(guestX + (guestX < w / 2 ? 1 : -1) * w * 0.2, h * 0.88, h * 0.34, [
    CLUBS[context.home].kit.shirt,
    CLUBS[context.away].kit.shirt,
  ]);
  const table = `<rect y="${n(h * 0.87)}" width="100%" height="${n(h * 0.2)}" fill="#12202e"/><rect y="${n(h * 0.87)}" width="100%" height="8" fill="#e4c66a"/>`;
  return {
    picture: {
      ...ground,
      layers: [...ground.layers, { svg: people.join(''), blurPx: 0.8 }, layerOf(guest), { svg: table + prize }],
    },
    faces: [{ who: 'guest', box: guest.face }],
  };
}

/** The guest's portrait on the big screen, over a full stand. */
export async function onTheBigScreen(context: SceneContext): Promise<HonourPicture> {
  const { widthPx: w, heightPx: h, variant } = context;
  const ground = groundShot(context, { at: [10, 3, 28], target: [-6, 14, -40], fovDeg: 44, backgroundBlurPx: 3.4 });
  const crop: Box = { x: 0.02, y: 0.02, w: 0.96, h: 0.62 };
  const screenW = w * 0.5;
  const left = Math.round(w * (variant % 2 === 0 ? 0.12 : 0.4));
  const top = Math.round(h * 0.12);
  const scale = screenW / (crop.w * 512);
  const screenH = crop.h * 512 * scale;
  const image = await printOf('guest', { crop, widthPx: screenW });
  const face = PEOPLE.guest.face;
  const lines = Array.from(
    { length: 120 },
    (_, i) =>
      `<path d="M${left},${n(top + (i * screenH) / 120)} h${n(screenW)}" stroke="#000" stroke-opacity="0.22" stroke-width="1.4"/>`,
  ).join('');
  const caption = `<rect x="${left}" y="${n(top + screenH * 0.84)}" width="${n(screenW)}" height="${n(screenH * 0.16)}" fill="#10304d" opacity="0.92"/><text x="${n(left + screenW / 2)}" y="${n(top + screenH * 0.955)}" text-anchor="middle" font-family="${FONT}" font-weight="700" font-size="${n(screenH * 0.095)}" fill="#ffe08a">OUR GUEST OF HONOUR</text>`;
  const frame = `<rect x="${n(left - 14)}" y="${n(top - 14)}" width="${n(screenW + 28)}" height="${n(screenH + 28)}" rx="6" fill="#1b2129"/>`;
  return {
    picture: {
      ...ground,
      look: LOOKS[context.light],
      layers: [...ground.layers, { svg: frame }, { image, leftPx: left, topPx: top }, { svg: lines + caption }],
    },
    faces: [
      {
        who: 'guest',
        box: {
          x: left + (face.x - crop.x) * 512 * scale,
          y: top + (face.y - crop.y) * 512 * scale,
          w: face.w * 512 * scale,
          h: face.h * 512 * scale,
        },
      },
    ],
  };
}
