/** What most scenes share: a camera at the ground, people standing in it, and the depth of field between them. */
import { createCamera } from '../camera.ts';
import type { Camera, Vec3 } from '../camera.ts';
import type { Layer, Look, Picture } from '../canvas.ts';
import { figure, kitLook } from '../figure.ts';
import type { FigureLook, FigureOptions } from '../figure.ts';
import type { PoseName } from '../poses.ts';
import { ballAt } from '../props.ts';
import type { Random } from '../random.ts';
import type { HairStyle, Player } from '../squads.ts';
import { goal, grass, pitch } from '../lawn.ts';
import { boards, floodlights, stands } from '../stadium.ts';
import { rain, sky } from '../weather.ts';
import type { Light } from '../weather.ts';
import { CLUBS } from '../world.ts';
import type { ClubKey } from '../world.ts';

export interface SceneContext {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly random: Random;
  readonly light: Light;
  readonly home: ClubKey;
  readonly away: ClubKey;
  /** Who the picture shows, in order of importance. */
  readonly players: readonly Player[];
  /** Score and clock on a scoreboard that is in view. */
  readonly score: string;
  readonly clock: string;
  /** A number to vary the same scene. */
  readonly variant: number;
}

export const LOOKS: Readonly<Record<Light, Look>> = {
  day: { warmth: 0.02, saturation: 1.04, contrast: 1.06, glow: 0.25, vignette: 0.3, grain: 20 },
  dusk: { warmth: 0.07, saturation: 1.08, contrast: 1.1, glow: 0.45, vignette: 0.42, grain: 24 },
  'night-rain': { warmth: -0.04, saturation: 0.98, contrast: 1.12, glow: 0.55, vignette: 0.45, grain: 28 },
};

export interface Actor {
  /** Position on the pitch in metres: along, across. */
  readonly at: readonly [number, number];
  readonly pose: PoseName;
  readonly view: FigureOptions['view'];
  readonly mirror?: boolean;
  readonly look: FigureLook;
  readonly mood?: FigureOptions['mood'];
  readonly tallM?: number;
  /** Sigma of this figure's own blur, for people in front of or behind the plane of focus. */
  readonly blurPx?: number;
}

export function playerLook(player: Player): FigureLook {
  const club = CLUBS[player.club];
  const keeper = player.position === 'Goalkeeper';
  return {
    ...kitLook(club.kit, { keeper }),
    skin: player.skin,
    hair: player.hair,
    hairStyle: player.hairStyle,
    boots: player.shirt % 3 === 0 ? '#e8e8e8' : player.shirt % 3 === 1 ? '#15171b' : '#e2482d',
    name: player.label,
    number: player.shirt,
    sponsor: club.sponsor,
    ...(keeper ? { gloves: '#f2f2ee', longSleeves: true } : {}),
  };
}

const STYLES: readonly HairStyle[] = ['short', 'crop', 'fade', 'curly', 'bald'];
const WOMEN: readonly HairStyle[] = ['ponytail', 'bun', 'long', 'braids', 'ponytail'];
/** Somebody of a club whose name nobody needs to know. */
export function anyoneOf(club: ClubKey, random: Random, options: { readonly keeper?: boolean } = {}): FigureLook {
  const women = club === 'nvk' || club === 'eld';
  return {
    ...kitLook(CLUBS[club].kit, options),
    skin: random.pick(['#f1c9a8', '#e3b18c', '#c98e62', '#8d5a36', '#573322']),
    hair: random.pick(['#17130f', '#3b2618', '#6a4526', '#c79a55']),
    hairStyle: random.pick(women ? WOMEN : STYLES),
    boots: random.pick(['#15171b', '#e8e8e8', '#2d7be2']),
    number: random.int(2, 24),
    sponsor: CLUBS[club].sponsor,
    ...(options.keeper === true ? { gloves: '#f2f2ee', longSleeves: true } : {}),
  };
}

export const REFEREE: FigureLook = {
  skin: '#c98e62',
  hair: '#17130f',
  hairStyle: 'crop',
  shirt: '#d9e021',
  trim: '#15171b',
  shorts: '#15171b',
  socks: '#15171b',
  numberColour: '#15171b',
  boots: '#15171b',
};
export const COACH: FigureLook = {
  skin: '#e3b18c',
  hair: '#8f8a83',
  hairStyle: 'short',
  shirt: '#20262f',
  trim: '#2f3947',
  shorts: '#20262f',
  socks: '#20262f',
  numberColour: '#cfd6df',
  boots: '#111317',
  longSleeves: true,
  longTrousers: true,
};

export interface GroundShot {
  readonly at: Vec3;
  readonly target: Vec3;
  readonly fovDeg: number;
  readonly actors?: readonly Actor[];
  readonly ball?: Vec3;
  /** Sigma for stands and boards. */
  readonly backgroundBlurPx: number;
  readonly attendance?: number;
  readonly goalSide?: -1 | 1 | 0;
  readonly grassTufts?: number;
  /** Drawn over everything that is in focus. */
  readonly over?: (camera: Camera) => string;
  readonly behind?: (camera: Camera) => string;
  readonly foreground?: readonly Layer[];
}

export function groundCamera(context: SceneContext, shot: GroundShot): Camera {
  return createCamera({
    at: shot.at,
    target: shot.target,
    fovDeg: shot.fovDeg,
    widthPx: context.widthPx,
    heightPx: context.heightPx,
  });
}

function actorSvg(camera: Camera, actor: Actor, light: Light): string {
  const p = camera.project([actor.at[0], 0, actor.at[1]]);
  if (p === undefined) return '';
  return figure({
    x: p.x,
    y: p.y,
    heightPx: (actor.tallM ?? 1.82) * p.scale,
    pose: actor.pose,
    view: actor.view,
    look: actor.look,
    mood: actor.mood ?? 'calm',
    ...(actor.mirror === undefined ? {} : { mirror: actor.mirror }),
    rim: light === 'dusk' ? '#ffb877' : light === 'day' ? '#fff4dc' : '#cfe0ff',
    lightDeg: light === 'dusk' ? 200 : 240,
    shadow: light === 'day' ? 0.6 : 0.45,
  });
}

export function groundShot(context: SceneContext, shot: GroundShot): Picture {
  const { light, random } = context;
  const camera = groundCamera(context, shot);
  const colours = [
    CLUBS[context.home].kit.shirt,
    CLUBS[context.home].kit.trim,
    CLUBS[context.home].kit.shirt,
    CLUBS[context.away].kit.shirt,
  ];
  const blur = shot.backgroundBlurPx;
  const depth = (actor: Actor): number => Math.hypot(actor.at[0] - shot.at[0], actor.at[1] - shot.at[2]);
  const actors = [...(shot.actors ?? [])].sort((a, b) => depth(b) - depth(a));
  const side = shot.goalSide ?? 0;
  const people: Layer[] = [];
  for (const actor of actors) {
    const svg = actorSvg(camera, actor, light);
    const last = people.at(-1);
    if (last !== undefined && (last.blurPx ?? 0) === (actor.blurPx ?? 0))
      people[people.length - 1] = { ...last, svg: (last.svg ?? '') + svg };
    else people.push({ svg, blurPx: actor.blurPx ?? 0 });
  }
  return {
    widthPx: context.widthPx,
    heightPx: context.heightPx,
    look: LOOKS[light],
    layers: [
      {
        svg:
          sky(camera, light, random) + stands({ camera, random, light, colours, attendance: shot.attendance ?? 0.93 }),
        blurPx: blur,
      },
      ...(light === 'day' ? [] : [{ svg: floodlights(camera, light), blend: 'screen' as const, blurPx: 2 }]),
      { svg: pitch(camera, light), blurPx: Math.min(2.2, blur * 0.25) },
      { svg: boards(camera), blurPx: blur * 0.7 },
      ...(shot.behind === undefined ? [] : [{ svg: shot.behind(camera), blurPx: Math.min(2.2, blur * 0.25) }]),
      ...(side === 0 ? [] : [{ svg: goal(camera, side), blurPx: blur * 0.15 }]),
      { svg: grass(camera, random, shot.grassTufts ?? 2200) },
      ...people,
      {
        svg:
          (shot.ball === undefined
            ? ''
            : ballAt(camera.project([shot.ball[0], shot.ball[1], shot.ball[2]]), shot.ball[1] < 0.3)) +
          (shot.over?.(camera) ?? ''),
      },
      ...(shot.foreground ?? []),
      ...(light === 'night-rain' ? [{ svg: rain(camera, random), blurPx: 0.6 }] : []),
    ],
  };
}
