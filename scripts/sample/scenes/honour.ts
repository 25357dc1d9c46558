/** Scenes with the two real faces: guest of honour and club photographer, at many places and sizes in the frame. */
import { FONT } from '../canvas.ts';
import { placePerson } from '../cutouts.ts';
import { figure } from '../figure.ts';
import { ball, trophy } from '../props.ts';
import { CLUBS } from '../world.ts';
import { across, canvasOf, layerOf } from './face-scene.ts';
import type { HonourPicture } from './face-scene.ts';
import { anyoneOf, groundShot, playerLook } from './frame.ts';
import type { SceneContext } from './frame.ts';
import { supporters } from './place.ts';

const n = (value: number): string => value.toFixed(1);

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
  const people = context.players.slice(0, spots.length).map((player, i) =>
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
