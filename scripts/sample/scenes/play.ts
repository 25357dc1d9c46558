/** Football being played. */
import type { Picture } from '../canvas.ts';
import { cornerFlag, scoreboard } from '../props.ts';
import { CLUBS } from '../world.ts';
import { anyoneOf, groundCamera, groundShot, playerLook, REFEREE } from './frame.ts';
import type { Actor, SceneContext } from './frame.ts';

function first(context: SceneContext, index = 0) {
  const player = context.players[index];
  if (player === undefined)
    throw new Error(`expected at least ${index + 1} players for this scene, received ${context.players.length}`);
  return player;
}
const rival = (context: SceneContext): 'home' | 'away' => (first(context).club === context.home ? 'away' : 'home');
/** The second named player, or somebody of the other side. */
const opponent = (context: SceneContext) => {
  const named = context.players[1];
  return named === undefined ? anyoneOf(context[rival(context)], context.random) : playerLook(named);
};

export function wideStadium(context: SceneContext): Picture {
  const { random, variant } = context;
  const spots: Actor[] = [];
  for (let i = 0; i < 21; i += 1)
    spots.push({
      at: [random.range(-38, 38), random.range(-24, 24)],
      pose: random.pick(['run', 'walk', 'stand', 'dribble'] as const),
      view: random.pick(['side', 'back', 'side', 'front'] as const),
      mirror: random.chance(0.5),
      look: anyoneOf(i % 2 === 0 ? context.home : context.away, random),
    });
  const views = [
    { at: [-4, 26, 66], target: [2, 1, -6], fovDeg: 78 },
    { at: [-58, 19, 46], target: [4, 2, -4], fovDeg: 74 },
    { at: [66, 16, 4], target: [0, 3, 0], fovDeg: 76 },
    { at: [30, 9, 52], target: [-8, 4, -14], fovDeg: 84 },
  ] as const;
  const view = views[variant % views.length] ?? views[0];
  const shot = {
    ...view,
    actors: spots,
    ball: [random.range(-20, 20), 0, random.range(-10, 10)] as const,
    backgroundBlurPx: 0.4,
    goalSide: variant % 2 === 0 ? (1 as const) : (-1 as const),
    grassTufts: 400,
    over: (camera: ReturnType<typeof groundCamera>): string => {
      const corner = camera.project([-60, 24, -52]) ?? camera.project([60, 24, -52]);
      if (corner === undefined || variant % 4 === 3) return '';
      const w = Math.max(150, corner.scale * 16);
      const x = Math.min(Math.max(corner.x, 40), context.widthPx - w - 40);
      return scoreboard({
        x,
        y: Math.max(30, corner.y - w * 0.3),
        widthPx: w,
        home: CLUBS[context.home].code,
        away: CLUBS[context.away].code,
        score: context.score,
        clock: context.clock,
        title: context.light === 'night-rain' ? 'NORRSKENSVALLEN' : 'LANTERN QUAY',
        homeColour: CLUBS[context.home].kit.shirt,
        awayColour: CLUBS[context.away].kit.shirt,
      });
    },
  };
  return groundShot(context, shot);
}

export function duel(context: SceneContext): Picture {
  const { random, variant } = context;
  const mirror = variant % 2 === 1;
  const side = mirror ? -1 : 1;
  const poses = [
    ['dribble', 'sprint'],
    ['sprint', 'run'],
    ['dribble', 'tackle'],
    ['run', 'run'],
  ] as const;
  const [mine, theirs] = poses[variant % poses.length] ?? poses[0];
  const x = random.range(-14, 14);
  const actors: Actor[] = [
    { at: [x, 18], pose: mine, view: 'side', mirror, look: playerLook(first(context)), mood: 'effort' },
    theirs === 'tackle'
      ? {
          at: [x + side * 1.5, 18.4],
          pose: theirs,
          view: 'side',
          mirror: !mirror,
          look: opponent(context),
          mood: 'effort',
        }
      : { at: [x - side * 0.95, 17.3], pose: theirs, view: 'side', mirror, look: opponent(context), mood: 'effort' },
    {
      at: [x + side * random.range(4, 7), 2],
      pose: 'run',
      view: 'side',
      mirror: !mirror,
      look: anyoneOf(context.away, random),
      blurPx: 4,
    },
    {
      at: [x - side * random.range(5, 8), -6],
      pose: 'walk',
      view: 'front',
      look: anyoneOf(context.home, random),
      blurPx: 6,
    },
  ];
  return groundShot(context, {
    at: [x + side * random.range(-2, 2), 1.15, 33],
    target: [x - side * 0.1, 1.05, 18],
    fovDeg: context.heightPx > context.widthPx ? 11.5 : 17,
    actors,
    ball: [x + side * 0.85, 0.02, 18.2],
    backgroundBlurPx: 9,
  });
}

export function strike(context: SceneContext): Picture {
  const { random, variant } = context;
  const mirror = variant % 2 === 1;
  const side = mirror ? -1 : 1;
  const after = variant % 3 !== 2;
  const x = side * 30;
  return groundShot(context, {
    at: [x - side * 1.5, 0.9, 30],
    target: [x + side * 0.7, 1.1, 12],
    fovDeg: context.heightPx > context.widthPx ? 8.2 : 15,
    actors: [
      {
        at: [x, 12],
        pose: after ? 'strike' : 'windUp',
        view: 'side',
        mirror,
        look: playerLook(first(context)),
        mood: 'effort',
      },
      { at: [x + side * 2.7, 8], pose: 'spread', view: 'back', look: opponent(context), blurPx: 2.5 },
      {
        at: [x - side * 3.4, 2],
        pose: 'run',
        view: 'side',
        mirror,
        look: anyoneOf(first(context).club, random),
        blurPx: 5,
      },
    ],
    ball: after ? [x + side * 1.55, 0.75, 12] : [x + side * 0.3, 0, 12.1],
    backgroundBlurPx: 10,
    goalSide: side,
  });
}

/** From behind the net: the shooter runs in, the keeper flies. */
export function save(context: SceneContext): Picture {
  const { random, variant } = context;
  const mirror = variant % 2 === 1;
  const side = mirror ? -1 : 1;
  const keeper =
    first(context).position === 'Goalkeeper'
      ? playerLook(first(context))
      : anyoneOf(context[rival(context)], random, { keeper: true });
  return groundShot(context, {
    at: [41, 1.5, -13 * side],
    target: [50.8, 1.25, -0.4 * side],
    fovDeg: 21,
    actors: [
      { at: [51.4, 1.2 * side], pose: 'dive', view: 'side', mirror: !mirror, look: keeper, mood: 'effort' },
      { at: [44.6, -3.9 * side], pose: 'stand', view: 'back', look: anyoneOf(context.home, random), blurPx: 7 },
    ],
    ball: [51.2, 1.85, -0.75 * side],
    backgroundBlurPx: 7,
    goalSide: 1,
  });
}

export function corner(context: SceneContext): Picture {
  const { random, variant } = context;
  const mirror = variant % 2 === 1;
  const side = mirror ? 1 : -1;
  return groundShot(context, {
    at: [side * 57, 0.9, 39],
    target: [side * 49.5, 1.05, 30],
    fovDeg: context.heightPx > context.widthPx ? 17 : 34,
    actors: [
      {
        at: [side * 50.9, 33.2],
        pose: variant % 3 === 0 ? 'armsUp' : 'run',
        view: variant % 3 === 0 ? 'back' : 'side',
        mirror: !mirror,
        look: playerLook(first(context)),
        mood: 'effort',
      },
      ...[0, 1, 2, 3, 4, 5].map(
        (i): Actor => ({
          at: [side * (44 + (i % 3) * 2.2), -4 + i * 2.4],
          pose: random.pick(['stand', 'hips', 'run'] as const),
          view: 'front',
          look: anyoneOf(i % 2 === 0 ? context.home : context.away, random),
          blurPx: 3.5,
        }),
      ),
    ],
    ball: [side * 51.8, 0, 33.5],
    backgroundBlurPx: 6,
    goalSide: side,
    over: (camera) => {
      const p = camera.project([side * 52.4, 0, 34]);
      return p === undefined ? '' : cornerFlag(p.x, p.y, 1.5 * p.scale, CLUBS[context.home].kit.trim);
    },
  });
}

export function aerial(context: SceneContext): Picture {
  const { random, variant } = context;
  const mirror = variant % 2 === 1;
  const side = mirror ? -1 : 1;
  return groundShot(context, {
    at: [38 * side, 0.7, 26],
    target: [40 * side, 1.75, 6],
    fovDeg: context.heightPx > context.widthPx ? 7.6 : 13.5,
    actors: [
      { at: [40 * side, 6], pose: 'header', view: 'side', mirror, look: playerLook(first(context)), mood: 'effort' },
      {
        at: [40 * side + side * 0.75, 5.6],
        pose: 'header',
        view: 'side',
        mirror: !mirror,
        look: opponent(context),
        mood: 'effort',
        tallM: 1.72,
      },
      {
        at: [40 * side - side * 3.2, 0],
        pose: 'stand',
        view: 'front',
        look: anyoneOf(context.home, random),
        blurPx: 5,
      },
    ],
    ball: [40 * side + side * 0.42, 2.42, 6.1],
    backgroundBlurPx: 10,
  });
}

export function booking(context: SceneContext): Picture {
  const { random, variant } = context;
  const x = variant % 2 === 0 ? -6 : 8;
  return groundShot(context, {
    at: [x, 1.4, 27],
    target: [x + 0.2, 1.2, 10],
    fovDeg: 14,
    actors: [
      { at: [x - 0.8, 10], pose: 'point', view: 'front', look: REFEREE, mood: 'calm' },
      {
        at: [x + 1.0, 9.6],
        pose: 'hips',
        view: variant % 2 === 0 ? 'front' : 'back',
        look: playerLook(first(context)),
        mood: 'sad',
      },
      { at: [x + 3, 3], pose: 'spread', view: 'front', look: anyoneOf(first(context).club, random), blurPx: 4 },
    ],
    backgroundBlurPx: 9,
    over: (camera) => {
      const p = camera.project([x - 0.48, 2.27, 10]);
      return p === undefined
        ? ''
        : `<rect x="${p.x - 0.06 * p.scale}" y="${p.y - 0.1 * p.scale}" width="${0.13 * p.scale}" height="${0.19 * p.scale}" rx="3" fill="#ffd21f" transform="rotate(12 ${p.x} ${p.y})"/>`;
    },
  });
}
