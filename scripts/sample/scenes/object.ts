/** Things and drills: scoreboard, trophy, ball, training cones. */
import type { Picture } from '../canvas.ts';
import { ball, bokeh, cone, scoreboard, trophy } from '../props.ts';
import { CLUBS, MATCHES } from '../world.ts';
import { groundShot, playerLook } from './frame.ts';
import type { Actor, SceneContext } from './frame.ts';

const n = (value: number): string => value.toFixed(1);

export function scoreboardDetail(context: SceneContext): Picture {
  const match = Object.values(MATCHES).find((one) => one.home === context.home && one.away === context.away);
  return groundShot(context, {
    at: [10, 3, 30],
    target: [-6, 15.5, -40],
    fovDeg: 42,
    backgroundBlurPx: 4,
    attendance: 0.95,
    over: () =>
      scoreboard({
        x: context.widthPx * 0.22,
        y: context.heightPx * 0.12,
        widthPx: context.widthPx * 0.54,
        home: CLUBS[context.home].code,
        away: CLUBS[context.away].code,
        score: context.score,
        clock: context.clock,
        title: (match?.stadium.split(':')[1] ?? '').replaceAll('-', ' ').toUpperCase(),
        homeColour: CLUBS[context.home].kit.shirt,
        awayColour: CLUBS[context.away].kit.shirt,
      }),
  });
}

export function trophyDetail(context: SceneContext): Picture {
  const { widthPx: w, heightPx: h, random } = context;
  const kits = [CLUBS[context.home].kit, CLUBS[context.away].kit] as const;
  const picture = groundShot(context, { at: [-10, 1.3, 33], target: [-10, 1.9, 0], fovDeg: 22, backgroundBlurPx: 16 });
  const lights = bokeh(
    Array.from({ length: 26 }, () => ({
      x: random.range(0, w),
      y: random.range(0, h * 0.55),
      r: random.range(18, 62),
      colour: random.pick(['#ffe9c4', '#dfeaff', kits[0].trim]),
      opacity: random.range(0.06, 0.2),
    })),
  );
  const x = w * (context.variant % 2 === 0 ? 0.4 : 0.62);
  const plinth = `<defs><linearGradient id="pl" x1="0" x2="1"><stop offset="0" stop-color="#10141a"/><stop offset="0.4" stop-color="#46505c"/><stop offset="1" stop-color="#0b0d11"/></linearGradient></defs><rect x="${n(x - h * 0.22)}" y="${n(h * 0.84)}" width="${n(h * 0.44)}" height="${n(h * 0.2)}" fill="url(#pl)"/><rect x="${n(x - h * 0.24)}" y="${n(h * 0.82)}" width="${n(h * 0.48)}" height="${n(h * 0.035)}" fill="#59636f"/>`;
  return {
    ...picture,
    layers: [
      ...picture.layers,
      { svg: lights, blend: 'screen', blurPx: 1.5 },
      { svg: plinth + trophy(x, h * 0.825, h * 0.66, [kits[0].shirt, kits[1].shirt]) },
    ],
  };
}

export function ballDetail(context: SceneContext): Picture {
  const { widthPx: w, heightPx: h, random, variant } = context;
  const picture = groundShot(context, {
    at: [-2, 0.22, 2.4],
    target: [-2, 0.34, -20],
    fovDeg: 34,
    backgroundBlurPx: 18,
    grassTufts: 7000,
  });
  const drops =
    context.light === 'night-rain'
      ? Array.from(
          { length: 130 },
          () =>
            `<circle cx="${n(random.range(0, w))}" cy="${n(random.range(h * 0.4, h))}" r="${n(random.range(1, 4.5))}" fill="#eef6ff" opacity="${n(random.range(0.2, 0.7))}"/>`,
        ).join('')
      : '';
  const r = h * 0.23;
  return {
    ...picture,
    layers: [
      ...picture.layers,
      { svg: ball(w * (variant % 2 === 0 ? 0.36 : 0.64), h * 0.62, r, { turnDeg: variant * 31 }) + drops },
    ],
  };
}

export function training(context: SceneContext): Picture {
  const { random, variant } = context;
  const bibs = ['#ff7a2f', '#c8e03a'] as const;
  const looks = context.players.map((player) => ({
    ...playerLook(player),
    ...(player.shirt % 2 === 0 ? { shirt: bibs[variant % 2] ?? bibs[0], numberColour: '#20242a' } : {}),
  }));
  const actors: Actor[] = looks.map((look, i) => ({
    at: [-4.5 + i * 3, 16 - (i % 2) * 2],
    pose: (['dribble', 'run', 'sprint', 'clap'] as const)[(i + variant) % 4] ?? 'run',
    view: (i + variant) % 4 === 3 ? 'front' : 'side',
    look,
    blurPx: i === 0 ? 0 : 1 + i * 0.5,
  }));
  const cones = [0, 1, 2, 3, 4, 5].map((i) => ({ x: -6 + i * 2.3, z: 18.3 + (i % 2) * 0.6 }));
  return groundShot(context, {
    at: [-3, 0.75, 27],
    target: [-2, 1.05, 15],
    fovDeg: context.heightPx > context.widthPx ? 16 : 34,
    actors,
    ball: [-3.6, 0, 16.3],
    backgroundBlurPx: 7,
    attendance: 0.02,
    goalSide: variant % 2 === 0 ? 1 : -1,
    behind: (camera) =>
      cones
        .map(({ x, z }) => {
          const p = camera.project([x, 0, z]);
          return p === undefined ? '' : cone(p.x, p.y, 0.34 * p.scale, random.pick(['#f26a1b', '#f7d31e']));
        })
        .join(''),
    foreground: [{ svg: cone(context.widthPx * 0.87, context.heightPx * 1.04, context.heightPx * 0.42), blurPx: 9 }],
  });
}
