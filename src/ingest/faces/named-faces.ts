import type { Face } from './face-boxes.ts';

type Box = Omit<Face, 'score'>;

/** A face, with the name that a region of the file gives it. */
export type NamedFace = Face & { readonly name?: string };

/** Programs draw regions from the eyes only to the whole head, so a good pair may overlap by little. */
const MIN_OVERLAP = 0.25;
/** A region that holds a face and is larger than this many of it is a person or a group, not a face. */
const MAX_AREA_RATIO = 6;

const areaOf = ({ w, h }: Box) => w * h;

/** Intersection over union, 0..1. */
function overlapOf(a: Box, b: Box): number {
  const width = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y);
  if (width <= 0 || height <= 0) return 0;
  const shared = width * height;
  return shared / (areaOf(a) + areaOf(b) - shared);
}

function holdsCentre(outer: Box, inner: Box): boolean {
  const [x, y] = [inner.x + inner.w / 2, inner.y + inner.h / 2];
  return x >= outer.x && x <= outer.x + outer.w && y >= outer.y && y <= outer.y + outer.h;
}

/** How surely two boxes are the same face: their overlap (0..1), or undefined when they are not. */
export function sameFace(a: Box, b: Box): number | undefined {
  const overlap = overlapOf(a, b);
  if (overlap >= MIN_OVERLAP) return overlap;
  const ratio = areaOf(a) / areaOf(b);
  const similar = ratio <= MAX_AREA_RATIO && ratio >= 1 / MAX_AREA_RATIO;
  return similar && (holdsCentre(a, b) || holdsCentre(b, a)) ? overlap : undefined;
}

/**
 * Gives the names of a file's regions to the faces that were found, one to one and the closest pair first. A region without
 * a face is one that the detector missed: it becomes a face, because a person drew it or confirmed it.
 */
export function nameFaces(faces: readonly Face[], regions: readonly (Box & { readonly name: string })[]): NamedFace[] {
  const pairs = regions
    .flatMap((region) => faces.map((face) => ({ region, face, overlap: sameFace(region, face) ?? -1 })))
    .filter(({ overlap }) => overlap >= 0)
    .sort((a, b) => b.overlap - a.overlap);
  const names = new Map<Face, string>();
  const placed = new Set<Box>();
  for (const { region, face } of pairs) {
    if (names.has(face) || placed.has(region)) continue;
    names.set(face, region.name);
    placed.add(region);
  }
  const missed = regions.filter((region) => !placed.has(region));
  return [
    ...faces.map((face) => {
      const name = names.get(face);
      return name === undefined ? face : { ...face, name };
    }),
    ...missed.map(({ name, x, y, w, h }) => ({ x, y, w, h, score: 1, name })),
  ];
}
