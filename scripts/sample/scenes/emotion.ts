/** What the game does to people: goals, endings, line-ups, numbers on backs. */
import type { Picture } from '../canvas.ts';
import { trophy } from '../props.ts';
import { CLUBS } from '../world.ts';
import { anyoneOf, COACH, groundShot, playerLook } from './frame.ts';
import type { Actor, SceneContext } from './frame.ts';

const main = (context: SceneContext, index = 0) => {
  const player = context.players[index];
  if (player === undefined)
    throw new Error(`expected at least ${index + 1} players for this scene, received ${context.players.length}`);
  return player;
};

export function celebration(context: SceneContext): Picture {
  const { random, variant } = context;
  const hero = main(context);
  const poses = ['armsUp', 'kneeSlide', 'leap', 'spread', 'point'] as const;
  const pose = poses[variant % poses.length] ?? 'armsUp';
  const mate = context.players[1];
  const actors: Actor[] = [
    {
      at: [20, 22],
      pose,
      view: pose === 'kneeSlide' ? 'side' : 'front',
      look: playerLook(hero),
      mood: 'joy',
      mirror: variant % 2 === 1,
    },
    {
      at: [20 + (variant % 2 === 0 ? 1.6 : -1.6), 20.6],
      pose: 'armsUp',
      view: 'front',
      look: mate === undefined ? anyoneOf(hero.club, random) : playerLook(mate),
      mood: 'joy',
      blurPx: mate === undefined ? 2 : 0,
    },
    { at: [18.3, 16], pose: 'sprint', view: 'side', look: anyoneOf(hero.club, random), mood: 'joy', blurPx: 3.4 },
    { at: [24.2, 14], pose: 'leap', view: 'front', look: anyoneOf(hero.club, random), mood: 'joy', blurPx: 4 },
    {
      at: [13.6, 8],
      pose: 'handsOnHead',
      view: 'back',
      look: anyoneOf(hero.club === context.home ? context.away : context.home, random),
      blurPx: 6,
    },
  ];
  return groundShot(context, {
    at: [19.5, 1.0, 36],
    target: [20.4, 1.15, 22],
    fovDeg: context.heightPx > context.widthPx ? 8.5 : 18,
    actors,
    backgroundBlurPx: 9,
  });
}

/** Arms around each other in a row, seen from behind or from the front. */
export function embrace(context: SceneContext): Picture {
  const { random, variant } = context;
  const club = main(context).club;
  const named = context.players.map((player) => playerLook(player));
  const row: Actor[] = [0, 1, 2, 3].map((i) => ({
    at: [-2.1 + i * 1.02, 20 + (i % 2) * 0.12],
    pose: i === 1 || i === 2 ? 'huddle' : 'armsUp',
    view: variant % 2 === 0 ? 'front' : 'back',
    look: named[i] ?? anyoneOf(club, random),
    mood: 'joy',
    tallM: 1.74 + ((i * 37) % 10) / 100,
  }));
  return groundShot(context, {
    at: [-0.5, 1.25, 33],
    target: [-0.55, 1.1, 20],
    fovDeg: 20,
    actors: row,
    backgroundBlurPx: 9,
  });
}

export function dejection(context: SceneContext): Picture {
  const { random, variant } = context;
  const pose = (['handsOnHead', 'handsOnKnees', 'hips'] as const)[variant % 3] ?? 'hips';
  return groundShot(context, {
    at: [-8, 1.3, 30],
    target: [-7.2, 1.05, 12],
    fovDeg: context.heightPx > context.widthPx ? 6.8 : 12,
    actors: [
      {
        at: [-7.8, 12],
        pose,
        view: pose === 'handsOnKnees' ? 'side' : 'front',
        look: playerLook(main(context)),
        mood: 'sad',
      },
      {
        at: [-3.4, 0],
        pose: 'armsUp',
        view: 'back',
        look: anyoneOf(main(context).club === context.home ? context.away : context.home, random),
        blurPx: 6,
      },
      {
        at: [-4.8, -1],
        pose: 'leap',
        view: 'front',
        look: anyoneOf(main(context).club === context.home ? context.away : context.home, random),
        blurPx: 7,
      },
    ],
    backgroundBlurPx: 11,
  });
}

export function fromBehind(context: SceneContext): Picture {
  const { variant } = context;
  const mate = context.players[1];
  return groundShot(context, {
    at: [variant * 3, 1.55, 14],
    target: [variant * 3 + (context.heightPx > context.widthPx ? 0 : 0.5), 1.62, 0],
    fovDeg: context.heightPx > context.widthPx ? 17 : 26,
    actors: [
      {
        at: [variant * 3, 9],
        pose: variant % 2 === 0 ? 'hips' : 'clap',
        view: 'back',
        look: playerLook(main(context)),
      },
      ...(mate === undefined
        ? []
        : [
            {
              at: [variant * 3 + 1.25, 7.6] as const,
              pose: 'stand' as const,
              view: 'back' as const,
              look: playerLook(mate),
              blurPx: 1.6,
            },
          ]),
    ],
    backgroundBlurPx: 10,
  });
}

export function lineUp(context: SceneContext): Picture {
  const { random } = context;
  const club = main(context).club;
  const looks = context.players.map((player) => playerLook(player));
  while (looks.length < 11) looks.push(anyoneOf(club, random));
  const actors: Actor[] = looks.slice(0, 11).map((look, i) => ({
    at: i < 6 ? [-2.75 + i * 1.1, 20] : [-2.2 + (i - 6) * 1.1, 21.3],
    pose: i < 6 ? 'stand' : 'hips',
    view: 'front',
    look,
    mood: 'calm',
    tallM: i < 6 ? 1.92 : 1.6,
  }));
  return groundShot(context, { at: [0, 1.5, 36], target: [0, 1.02, 20], fovDeg: 26, actors, backgroundBlurPx: 7 });
}

export function trophyLift(context: SceneContext): Picture {
  const { random, variant } = context;
  const hero = main(context);
  const kit = CLUBS[hero.club].kit;
  const confetti = (count: number, size: number): string => {
    let svg = '';
    for (let i = 0; i < count; i += 1) {
      const x = random.range(0, context.widthPx);
      const y = random.range(0, context.heightPx * 0.9);
      svg += `<rect x="${x}" y="${y}" width="${random.range(0.4, 1) * size}" height="${random.range(0.3, 0.8) * size}" fill="${random.pick([kit.shirt, kit.trim, '#f6d365', '#ffffff'])}" opacity="${random.range(0.5, 0.95)}" transform="rotate(${random.int(0, 180)} ${x} ${y})"/>`;
    }
    return svg;
  };
  const others = context.players.slice(1);
  const picture = groundShot(context, {
    at: [0, 1.1, 34],
    target: [0.1, 1.42, 20],
    fovDeg: context.heightPx > context.widthPx ? 11 : 21,
    actors: [
      { at: [0, 20.4], pose: 'lift', view: 'front', look: playerLook(hero), mood: 'joy' },
      ...[-2.1, -1.05, 1.05, 2.1].map(
        (dx, i): Actor => ({
          at: [dx, 19.3],
          pose: i % 2 === variant % 2 ? 'armsUp' : 'leap',
          view: 'front',
          look: others[i] === undefined ? anyoneOf(hero.club, random) : playerLook(others[i]),
          mood: 'joy',
          blurPx: 0.8,
        }),
      ),
      ...[-3.2, -0.4, 0.6, 3.1].map(
        (dx): Actor => ({
          at: [dx, 17.4],
          pose: 'armsUp',
          view: 'front',
          look: anyoneOf(hero.club, random),
          mood: 'joy',
          blurPx: 2.4,
        }),
      ),
    ],
    backgroundBlurPx: 9,
    over: (camera) => {
      const p = camera.project([0, 2.2, 20.4]);
      return p === undefined ? '' : trophy(p.x, p.y + 0.34 * p.scale, 0.62 * p.scale, [kit.shirt, kit.trim]);
    },
  });
  return {
    ...picture,
    layers: [...picture.layers, { svg: confetti(180, 13), blurPx: 0.7 }, { svg: confetti(26, 46), blurPx: 8 }],
  };
}

export function bench(context: SceneContext): Picture {
  const { random } = context;
  const club = main(context).club;
  return groundShot(context, {
    at: [-6, 1.35, 20],
    target: [-5.4, 1.1, 36],
    fovDeg: 20,
    actors: [
      { at: [-6.3, 33.5], pose: 'crossed', view: 'front', look: COACH, mood: 'calm' },
      {
        at: [-4.2, 34.4],
        pose: 'clap',
        view: 'front',
        look: {
          ...playerLook(main(context)),
          shirt: '#3b4350',
          trim: CLUBS[club].kit.trim,
          longSleeves: true,
          sponsor: '',
        },
        mood: 'calm',
      },
      {
        at: [-8.8, 36],
        pose: 'stand',
        view: 'front',
        look: { ...anyoneOf(club, random), shirt: '#3b4350', longSleeves: true },
        blurPx: 2.5,
      },
    ],
    backgroundBlurPx: 8,
  });
}
