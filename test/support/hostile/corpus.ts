/** All hostile files: several hundred, from the same seeds in every run. */
import { animations, bombs, exif, lies, oddities, profiles, structures } from './broken.ts';
import { flipBits } from './bytes.ts';
import { documents, polyglots } from './documents.ts';
import { drawAll, type Drawn } from './drawn.ts';

export type HostileFile = { readonly name: string; readonly bytes: Buffer };

/** Where files break off: shares of their length. */
const CUTS = [0.003, 0.02, 0.08, 0.2, 0.4, 0.6, 0.85, 0.99];

/** Headers are in the first bytes of all formats. */
const HEADER_BYTES = 96;

function cut({ name, bytes }: Drawn): readonly HostileFile[] {
  return CUTS.map((share) => ({
    name: `${name} cut off at ${share * 100} %`,
    bytes: bytes.subarray(0, Math.ceil(bytes.length * share)),
  }));
}

function flipped({ name, bytes }: Drawn): readonly HostileFile[] {
  return [1, 2, 3, 4, 5].flatMap((seed) => [
    {
      name: `${name} with flips in its header, seed ${seed}`,
      bytes: flipBits(bytes, { seed, count: seed, to: HEADER_BYTES }),
    },
    {
      name: `${name} with flips in its data, seed ${seed}`,
      bytes: flipBits(bytes, { seed, count: seed * 4, from: HEADER_BYTES }),
    },
  ]);
}

const named = (files: Readonly<Record<string, Buffer>>): readonly HostileFile[] =>
  Object.entries(files).map(([name, bytes]) => ({ name, bytes }));

/** Draws the sound pictures and makes the hostile ones of them. */
export async function makeCorpus(): Promise<{
  readonly sound: readonly Drawn[];
  readonly hostile: readonly HostileFile[];
}> {
  const sound = await drawAll();
  const get = (name: string): Buffer => {
    const drawn = sound.find((each) => each.name === name);
    if (!drawn) throw new Error(`expected a drawn picture named ${name}`);
    return drawn.bytes;
  };
  const jpeg = get('baseline.jpg');
  const png = get('plain.png');
  const webp = get('lossy.webp');
  const avif = get('picture.avif');
  const hostile = [
    ...sound.flatMap(cut),
    ...sound.flatMap(flipped),
    ...named(documents),
    ...named(polyglots({ jpeg, png, webp, avif, gif: get('moving.gif'), tiff: get('lzw.tif') })),
    ...named(lies(jpeg, get('progressive.jpg'), png, webp, avif)),
    ...named(bombs()),
    ...named(animations(webp, { width: 160, height: 120 })),
    ...named(structures()),
    ...named(profiles(jpeg)),
    ...named(exif(jpeg)),
    ...named(oddities(jpeg, png)),
  ];
  return { sound, hostile };
}
