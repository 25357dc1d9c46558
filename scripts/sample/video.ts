/** Animates a clip of the plan: one drawn ground, moving people and a ball over it, a score bug, and the sound of a crowd. */
import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { createCamera } from './camera.ts';
import type { Camera } from './camera.ts';
import { FONT, develop, svgDocument } from './canvas.ts';
import { LOOKS } from './scenes/frame.ts';
import { goal, pitch } from './lawn.ts';
import { boards, floodlights, stands } from './stadium.ts';
import { sky } from './weather.ts';
import { createRandom, seedOf } from './random.ts';
import { along, extrasOf, people } from './video-people.ts';
import type { VideoPlan } from './video-plan.ts';
import { CLUBS, MATCHES } from './world.ts';

const WIDTH = 1280;
const HEIGHT = 720;
/** The ground is drawn wider than the frame; the frame pans over it. */
const GROUND_WIDTH = 1720;
const FPS = 25;
const n = (value: number): string => value.toFixed(1);
const ease = (t: number): number => t * t * (3 - 2 * t);

function scoreBug(video: VideoPlan, atMs: number): string {
  const match = MATCHES[video.match];
  const home = CLUBS[match.home];
  const away = CLUBS[match.away];
  const clock = Math.floor((video.clockStartMs + atMs) / 1000);
  const text = `${String(Math.floor(clock / 60)).padStart(2, '0')}:${String(clock % 60).padStart(2, '0')}`;
  const score = atMs >= video.goalAtMs + 900 ? video.after : video.before;
  const label = (x: number, content: string, fill: string, size = 26): string =>
    `<text x="${x}" y="67" text-anchor="middle" font-family="${FONT}" font-weight="700" font-size="${size}" fill="${fill}">${content}</text>`;
  const kit = CLUBS[match[video.scoringSide]].kit;
  const slide = ease(
    Math.min(1, Math.max(0, Math.min(atMs - video.goalAtMs - 500, video.goalAtMs + 4700 - atMs) / 450)),
  );
  const banner =
    slide <= 0
      ? ''
      : `<g transform="translate(${n(-700 * (1 - slide))},0)"><rect x="48" y="560" width="640" height="92" fill="${kit.shirt}"/><rect x="48" y="560" width="14" height="92" fill="${kit.trim}"/><text x="84" y="620" font-family="${FONT}" font-weight="700" font-size="${video.scorer.length > 9 ? 38 : 44}" fill="${kit.number}">GOAL  ${video.scorer}</text><text x="664" y="620" text-anchor="end" font-family="${FONT}" font-weight="700" font-size="40" fill="${kit.trim}">${video.after}</text></g>`;
  return (
    `<rect x="48" y="36" width="96" height="44" fill="#0d131c"/>${label(96, text, '#fff')}<rect x="144" y="36" width="92" height="44" fill="${home.kit.shirt}"/>${label(190, home.code, home.kit.number)}` +
    `<rect x="236" y="36" width="86" height="44" fill="#f4f2ea"/>${label(279, score, '#0d131c', 28)}<rect x="322" y="36" width="92" height="44" fill="${away.kit.shirt}"/>${label(368, away.code, away.kit.number)}${banner}`
  );
}

function ground(video: VideoPlan, camera: Camera): Promise<Buffer> {
  const match = MATCHES[video.match];
  const random = createRandom(seedOf(video.file));
  const kit = CLUBS[match.home].kit;
  const colours = [kit.shirt, kit.trim, kit.shirt, CLUBS[match.away].kit.shirt];
  return develop(
    {
      widthPx: GROUND_WIDTH,
      heightPx: HEIGHT,
      look: { ...LOOKS[match.light], grain: 8, vignette: 0.2 },
      layers: [
        {
          svg:
            sky(camera, match.light, random) +
            stands({ camera, random, light: match.light, colours, attendance: 0.94 }),
          blurPx: 1.2,
        },
        { svg: pitch(camera, match.light) + boards(camera) + goal(camera, 1), blurPx: 0.4 },
        { svg: floodlights(camera, match.light), blend: 'screen', blurPx: 2 },
      ],
    },
    seedOf(video.file),
  );
}

function soundFilters(video: VideoPlan): string[] {
  const goalS = video.goalAtMs / 1000;
  const whistle = video.whistleAtMs / 1000;
  const seconds = video.durationMs / 1000;
  return [
    '-f',
    'lavfi',
    '-i',
    `anoisesrc=color=pink:seed=${seedOf(video.file) % 10_000}:r=48000:a=0.8:d=${seconds},lowpass=f=1500,highpass=f=180,volume='if(lt(t,${goalS}),0.16+0.02*t,0.2+0.75*min(1,(t-${goalS})*4)*exp(-(t-${goalS})/6))':eval=frame`,
    '-f',
    'lavfi',
    '-i',
    `aevalsrc='0.16*sin(2*PI*2850*t+9*sin(2*PI*38*t))*between(t,${whistle},${whistle + 0.55})':s=48000:d=${seconds}`,
    '-filter_complex',
    '[1:a][2:a]amix=inputs=2:duration=first:normalize=0,alimiter=limit=0.9[a]',
    '-map',
    '0:v',
    '-map',
    '[a]',
  ];
}

export async function makeVideo(video: VideoPlan, options: { readonly folder: string }): Promise<number> {
  const path = join(options.folder, video.file);
  const camera = createCamera({
    at: [25, 15, 58],
    target: [29, 1.5, -3],
    fovDeg: 55,
    widthPx: GROUND_WIDTH,
    heightPx: HEIGHT,
  });
  const base = await sharp(await ground(video, camera))
    .raw()
    .toBuffer();
  const raw = { width: GROUND_WIDTH, height: HEIGHT, channels: 3 } as const;
  const extras = extrasOf(video);
  const ffmpeg = spawn(
    'ffmpeg',
    [
      '-hide_banner',
      '-loglevel',
      'error',
      '-y',
      '-f',
      'rawvideo',
      '-pix_fmt',
      'rgb24',
      '-s',
      `${WIDTH}x${HEIGHT}`,
      '-r',
      String(FPS),
      '-i',
      'pipe:0',
      ...soundFilters(video),
      '-c:v',
      'libx264',
      '-preset',
      'slow',
      '-crf',
      '27',
      '-maxrate',
      '460k',
      '-bufsize',
      '800k',
      '-pix_fmt',
      'yuv420p',
      '-g',
      '50',
      '-c:a',
      'aac',
      '-b:a',
      '64k',
      '-movflags',
      '+faststart',
      '-metadata',
      `creation_time=${video.recordedAt}`,
      '-metadata',
      `title=${MATCHES[video.match].label}: ${video.after} ${video.scorer}`,
      '-metadata',
      'copyright=Touchline sample library, CC0',
      path,
    ],
    { stdio: ['pipe', 'inherit', 'inherit'] },
  );
  const closed = new Promise<number | null>((resolve, reject) => {
    ffmpeg.once('error', reject);
    ffmpeg.once('close', resolve);
  });
  let pan = 120;
  for (let frame = 0; frame < (video.durationMs / 1000) * FPS; frame += 1) {
    const atMs = (frame / FPS) * 1000;
    const target = camera.project([along(video.ball, atMs, false).x, 0, 0]);
    pan += (Math.min(GROUND_WIDTH - WIDTH, Math.max(0, (target?.x ?? 0) - WIDTH * 0.55)) - pan) * 0.06;
    const left = Math.round(pan);
    const moving = svgDocument(
      WIDTH,
      HEIGHT,
      `<g transform="translate(${-left},0)">${people(video, { camera, atMs, extras })}</g>${scoreBug(video, atMs)}`,
    );
    const pixels = await sharp(
      await sharp(base, { raw }).extract({ left, top: 0, width: WIDTH, height: HEIGHT }).raw().toBuffer(),
      { raw: { width: WIDTH, height: HEIGHT, channels: 3 } },
    )
      .composite([{ input: moving }])
      .removeAlpha()
      .raw()
      .toBuffer();
    if (!ffmpeg.stdin.write(pixels)) await new Promise((resolve) => ffmpeg.stdin.once('drain', resolve));
  }
  ffmpeg.stdin.end();
  const code = await closed;
  if (code !== 0) throw new Error(`expected ffmpeg to end with 0 for ${video.file}, received ${code}`);
  return (await stat(path)).size;
}
