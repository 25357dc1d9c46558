/** The guest of honour before microphones and on the big screen. */
import { FONT } from '../canvas.ts';
import { PEOPLE, placePerson, printOf } from '../cutouts.ts';
import type { Box } from '../cutouts.ts';
import { figure } from '../figure.ts';
import { microphone, sponsorWall } from '../props.ts';
import type { Player } from '../squads.ts';
import { CLUBS } from '../world.ts';
import { across, canvasOf, layerOf } from './face-scene.ts';
import type { HonourPicture } from './face-scene.ts';
import { COACH, groundShot, LOOKS, playerLook } from './frame.ts';
import type { SceneContext } from './frame.ts';

const n = (value: number): string => value.toFixed(1);

function beside(context: SceneContext): Player {
  const player = context.players[0];
  if (player === undefined) throw new Error('expected a player beside the guest, received none');
  return player;
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
    look: variant % 2 === 0 ? COACH : playerLook(beside(context)),
    mood: 'calm',
    shadow: 0,
  });
  const table = `<defs><linearGradient id="dk" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#2b333e"/><stop offset="1" stop-color="#0d1117"/></linearGradient></defs><rect y="${n(desk)}" width="100%" height="${n(h - desk)}" fill="url(#dk)"/><rect y="${n(desk)}" width="100%" height="12" fill="#59636f"/><text x="${n(w / 2)}" y="${n(desk + h * 0.17)}" text-anchor="middle" font-family="${FONT}" font-weight="700" font-size="${n(Math.min(h * 0.075, w * 0.07))}" letter-spacing="6" fill="${club.kit.trim}">${club.label.toUpperCase()}</text>`;
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
        // Heads of reporters; a tall frame has no room for them.
        ...(h > w
          ? []
          : [
              {
                svg: `<path d="M${n(w * 0.05)},${h} q20,${n(-h * 0.2)} ${n(h * 0.13)},${n(-h * 0.2)} q${n(h * 0.1)},0 ${n(h * 0.13)},${n(h * 0.2)}Z" fill="#0a0c10"/><path d="M${n(w * 0.83)},${h} q20,${n(-h * 0.16)} ${n(h * 0.1)},${n(-h * 0.16)} q${n(h * 0.1)},0 ${n(h * 0.12)},${n(h * 0.16)}Z" fill="#0a0c10"/>`,
                blurPx: 12,
              },
            ]),
      ],
    },
    faces: [{ who: 'guest', box: placed.face }],
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
