/** The two real people of the sample library, cut out of photographs that are free of rights (see sample/faces/README.md). */
import { join } from 'node:path';
import sharp from 'sharp';
import { svgDocument } from './canvas.ts';
import type { Light } from './weather.ts';

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}
export interface Person {
  readonly label: string;
  readonly tag: string;
  readonly file: string;
  /** Face in the source, as fractions of its 512 x 512 pixels. */
  readonly face: Box;
  /** Outline in source pixels. */
  readonly outline: string;
}

export const PEOPLE = {
  guest: {
    label: 'Guest of honour',
    tag: 'tag:person/guest-of-honour',
    file: 'astronaut.png',
    face: { x: 0.354, y: 0.142, w: 0.163, h: 0.199 },
    outline:
      'M184,150 L181,134 L172,121 C160,114 153,96 154,78 C156,58 170,46 186,40 C196,24 214,15 234,16 C258,17 276,32 287,50 C298,64 301,88 297,104 C293,120 282,128 271,132 L264,150 C261,164 259,172 257,178 ' +
      'C282,186 300,206 304,232 L306,242 C326,250 346,268 354,290 C358,306 361,326 362,346 C392,342 430,340 452,352 C480,372 500,420 498,470 L490,512 L28,512 C18,470 20,420 32,372 C36,330 44,288 62,258 C74,242 92,226 112,216 C110,190 122,166 150,154 C162,149 174,148 184,150Z',
  },
  photographer: {
    label: 'Club photographer',
    tag: 'tag:person/club-photographer',
    file: 'camera.png',
    face: { x: 0.395, y: 0.233, w: 0.104, h: 0.156 },
    outline:
      'M158,116 C156,98 166,80 186,72 C206,62 232,62 248,72 C264,84 272,104 270,122 C268,132 262,134 258,134 L256,141 L324,139 L326,156 L318,162 L320,170 C328,166 333,174 331,186 C330,204 322,216 308,216 L304,248 L300,248 L298,314 L306,318 L334,300 L340,306 L312,322 L356,400 L404,506 L398,512 L388,512 L312,338 L300,330 L299,482 L287,482 L287,336 L250,470 L244,500 L240,512 L230,498 L278,332 L276,318 L286,312 L287,282 C276,296 262,306 248,308 C234,306 218,300 208,292 C196,312 186,330 176,344 C164,360 148,372 140,386 C142,410 150,450 150,512 L0,512 L0,244 C24,216 46,190 64,166 C84,142 108,128 132,122 C142,112 150,106 158,116Z',
  },
} as const satisfies Readonly<Record<string, Person>>;
export type PersonKey = keyof typeof PEOPLE;

const SOURCE_PX = 512;
const FOLDER = join(import.meta.dirname, '../../sample/faces');

const TONE: Readonly<
  Record<
    Light,
    { readonly brightness: number; readonly saturation: number; readonly gain: readonly [number, number, number] }
  >
> = {
  day: { brightness: 1, saturation: 0.95, gain: [1.02, 1, 0.96] },
  dusk: { brightness: 0.86, saturation: 0.88, gain: [1.06, 0.97, 0.9] },
  'night-rain': { brightness: 0.8, saturation: 0.74, gain: [0.94, 0.99, 1.07] },
};

/** Colours for the black-and-white photograph: skin, scarf and coat, multiplied in. */
const HAND_COLOUR =
  '<rect width="512" height="512" fill="#d5dbe6"/><g filter="url(#s)"><path d="M176,136 C190,126 236,122 258,132 L256,196 L206,204 L176,186Z" fill="#f3bd92"/><path d="M0,240 L130,120 L165,150 L200,210 L240,220 L290,250 L250,310 L150,400 L150,512 L0,512Z" fill="#9fb4e6"/></g><defs><filter id="s"><feGaussianBlur stdDeviation="4"/></filter></defs>';

export interface PlacedPerson {
  readonly image: Buffer;
  readonly leftPx: number;
  readonly topPx: number;
  /** In pixels of the finished picture. */
  readonly face: Box;
}
export interface PlacePerson {
  readonly who: PersonKey;
  /** Where the middle of the face goes. */
  readonly faceX: number;
  readonly faceY: number;
  readonly faceHeightPx: number;
  /** Everything lower than this is cut off: it is hidden behind a desk, a rail or a board. */
  readonly bottomPx: number;
  readonly light: Light;
  readonly mirror?: boolean;
  readonly canvas: { readonly widthPx: number; readonly heightPx: number };
}

/** Hair and coat against a bright sky: what is bright there is sky, whatever the outline says. */
async function keySky(mask: Buffer): Promise<void> {
  const grey = await sharp(join(FOLDER, PEOPLE.photographer.file)).toColourspace('b-w').blur(0.6).raw().toBuffer();
  for (let i = 0; i < mask.length; i += 1) {
    const x = i % SOURCE_PX;
    const y = Math.floor(i / SOURCE_PX);
    if (y > 112 && !(x < 150 && y < 300)) continue;
    mask[i] = Math.min(mask[i] ?? 0, Math.max(0, Math.min(255, (125 - (grey[i] ?? 0)) * 6)));
  }
}

async function masked(who: PersonKey): Promise<Buffer> {
  const person = PEOPLE[who];
  let source = sharp(join(FOLDER, person.file)).toColourspace('srgb').removeAlpha();
  if (who === 'photographer') {
    // Lift the black coat first: a multiplied colour cannot show on black.
    const lifted = await source.linear(0.88, 26).png().toBuffer();
    source = sharp(
      await sharp(lifted)
        .toColourspace('srgb')
        .composite([{ input: svgDocument(SOURCE_PX, SOURCE_PX, HAND_COLOUR), blend: 'multiply' }])
        .removeAlpha()
        .png()
        .toBuffer(),
    );
  }
  const mask = await sharp(svgDocument(SOURCE_PX, SOURCE_PX, `<path d="${person.outline}" fill="#fff"/>`))
    .blur(1.3)
    .extractChannel('alpha')
    .raw()
    .toBuffer();
  // A soft matte that starts inside the outline, so that no fringe of the old background comes along.
  for (let i = 0; i < mask.length; i += 1) mask[i] = Math.max(0, Math.min(255, ((mask[i] ?? 0) - 96) * 1.6));
  if (who === 'photographer') await keySky(mask);
  const rgb = await source.raw().toBuffer();
  const joined = Buffer.alloc(SOURCE_PX * SOURCE_PX * 4);
  for (let i = 0; i < SOURCE_PX * SOURCE_PX; i += 1) {
    rgb.copy(joined, i * 4, i * 3, i * 3 + 3);
    joined[i * 4 + 3] = mask[i] ?? 0;
  }
  return sharp(joined, { raw: { width: SOURCE_PX, height: SOURCE_PX, channels: 4 } })
    .png()
    .toBuffer();
}

export async function placePerson(options: PlacePerson): Promise<PlacedPerson> {
  const { who, light, canvas } = options;
  const source = PEOPLE[who].face;
  const scale = options.faceHeightPx / (source.h * SOURCE_PX);
  const size = Math.round(SOURCE_PX * scale);
  const faceX = options.mirror === true ? 1 - source.x - source.w : source.x;
  const left = Math.round(options.faceX - (faceX + source.w / 2) * size);
  const top = Math.round(options.faceY - (source.y + source.h / 2) * size);
  const tone = TONE[light];
  let person = sharp(await masked(who)).resize(size, size, { kernel: 'lanczos3' });
  if (options.mirror === true) person = person.flop();
  const toned = await person
    .modulate({ brightness: tone.brightness, saturation: tone.saturation })
    .linear([...tone.gain, 1], [0, 0, 0, 0])
    .png()
    .toBuffer();
  // sharp refuses overlays that reach outside the picture: cut to what is visible.
  const cut = {
    left: Math.max(0, -left),
    top: Math.max(0, -top),
    right: Math.min(size, canvas.widthPx - left),
    bottom: Math.min(size, Math.round(Math.min(options.bottomPx, canvas.heightPx)) - top),
  };
  const image = await sharp(toned)
    .extract({ left: cut.left, top: cut.top, width: cut.right - cut.left, height: cut.bottom - cut.top })
    .png()
    .toBuffer();
  return {
    image,
    leftPx: left + cut.left,
    topPx: top + cut.top,
    face: { x: left + faceX * size, y: top + source.y * size, w: source.w * size, h: source.h * size },
  };
}

/** The photograph as it is, for prints, passes and the big screen. */
export async function printOf(
  who: PersonKey,
  options: { readonly crop: Box; readonly widthPx: number },
): Promise<Buffer> {
  const { crop } = options;
  return sharp(join(FOLDER, PEOPLE[who].file))
    .toColourspace('srgb')
    .extract({
      left: Math.round(crop.x * SOURCE_PX),
      top: Math.round(crop.y * SOURCE_PX),
      width: Math.round(crop.w * SOURCE_PX),
      height: Math.round(crop.h * SOURCE_PX),
    })
    .resize(Math.round(options.widthPx))
    .png()
    .toBuffer();
}
