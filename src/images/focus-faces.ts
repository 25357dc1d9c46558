/** Which faces a crop is for, how much room they need, and where the window lies around them. */
import {
  type Axis,
  clamp,
  placeGroup,
  placeMany,
  placeOne,
  type Scene,
  type Size,
  type Span,
  type Window,
  windowAt,
} from './focus-geometry.ts';

/**
 * A face found at ingest: left, top, width, height as fractions (0..1) of the oriented picture; score 0..1; the tag option
 * (a player) whose face it is.
 */
export type FaceBox = {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly score: number;
  readonly tagOptionId?: number | null | undefined;
};

/** Shares of a face's box that lie around it. */
type Margins = { readonly side: number; readonly above: number; readonly below: number };

/**
 * Room kept around a face. Detectors stop at the forehead and hair does not: with half a box above and a quarter at the
 * sides, hair was cut on the contact sheet.
 */
const MARGINS: Margins = { side: 0.4, above: 0.6, below: 0.2 };

/** With three quarters of that room more faces may fit, and hardly any hair is lost. */
const CLOSE_MARGINS = 0.75;

/** Of `pad`, three quarters lie above a face, so that with the default the eyes are at 42 % of a tight crop. */
const PAD_ABOVE = 0.75;

/** Sizes of the face around a face that is zoomed to: head and shoulders. */
export const DEFAULT_PAD = 1;
export const MAX_PAD = 5;

/** Portraits hold the face above the middle: its centre at 42 % of the height (measured on 81 photographs). */
const FACE_HEIGHT_ANCHOR = 0.42;

/** A face larger than the window: 30 % of the overflow is cut above, the rest below, so that eyes and mouth stay. */
const OVERFLOW_ABOVE = 0.3;

/** How much a central face may outweigh a larger one at the rim: 20 %. */
const CENTRALITY_WEIGHT = 0.2;

/** Boxes below this score are not kept at ingest: just above it, every other one is no face. */
const DOUBTFUL_SCORE = 0.5;
const MIN_CERTAINTY = 0.05;

/** 0..1. A large box that is hardly a face must not win over a face, nor a blurred face over a sharp one. */
const certainty = ({ score }: FaceBox) => Math.max((score - DOUBTFUL_SCORE) / (1 - DOUBTFUL_SCORE), MIN_CERTAINTY);

/** Size, sharpness (with which the detector's score rises), then how central it is. */
function prominence(face: FaceBox): number {
  const offset = Math.hypot(face.x + face.w / 2 - 0.5, face.y + face.h / 2 - 0.5) / Math.SQRT1_2;
  return face.w * face.h * certainty(face) ** 2 * (1 + CENTRALITY_WEIGHT * (1 - offset));
}

/** A detector is sure of a face from this certainty on, and has doubts below that one. */
const SURE = 0.8;
const IN_DOUBT = 0.4;
/** Beside a sure face, a doubtful box of more than this many times its area is a part of the picture that resembles one. */
const DOUBTFUL_AREA_RATIO = 4;

const areaOf = ({ w, h }: FaceBox) => w * h;

/**
 * Boxes cut to the picture, the most prominent first. Those without extent or confidence are no faces, nor are large ones in
 * doubt beside a sure face, unless somebody said whose face it is.
 */
export function rankFaces(faces: readonly FaceBox[]): readonly FaceBox[] {
  const boxes = faces.flatMap((face) => {
    const x = clamp(face.x, 0, 1);
    const y = clamp(face.y, 0, 1);
    const box = { ...face, x, y, w: clamp(face.x + face.w, 0, 1) - x, h: clamp(face.y + face.h, 0, 1) - y };
    return box.w > 0 && box.h > 0 && box.score > 0 ? [box] : [];
  });
  const surest = Math.max(0, ...boxes.filter((box) => certainty(box) >= SURE).map(areaOf));
  const largest = surest === 0 ? Number.POSITIVE_INFINITY : surest * DOUBTFUL_AREA_RATIO;
  return boxes
    .filter((box) => certainty(box) >= IN_DOUBT || areaOf(box) <= largest || typeof box.tagOptionId === 'number')
    .sort((a, b) => prominence(b) - prominence(a));
}

/** The largest of the faces linked to a tag option. */
export function faceOfPlayer(faces: readonly FaceBox[], tagOptionId: number): FaceBox | undefined {
  return faces
    .filter((face) => face.tagOptionId === tagOptionId)
    .reduce<FaceBox | undefined>((best, face) => (best && areaOf(best) >= areaOf(face) ? best : face), undefined);
}

/** The margins of a zoom with this `pad`: never less than around any face, so that no hair, chin or ear is cut. */
export const zoomMargins = (pad: number): Margins => ({
  side: Math.max(pad, MARGINS.side),
  above: Math.max(pad * PAD_ABOVE, MARGINS.above),
  below: Math.max(pad, MARGINS.below),
});

const scaled = ({ side, above, below }: Margins, factor: number): Margins => ({
  side: side * factor,
  above: above * factor,
  below: below * factor,
});

const weightOf = (spans: readonly Span[]) => spans.reduce((sum, { weight }) => sum + weight, 0);

const axesOf = ({ source, window }: Scene, margins: Margins): { readonly across: Axis; readonly down: Axis } => ({
  across: {
    size: source.width,
    window: window.width,
    anchor: 0.5,
    before: margins.side,
    after: margins.side,
    overflow: 0.5,
  },
  down: {
    size: source.height,
    window: window.height,
    anchor: FACE_HEIGHT_ANCHOR,
    before: margins.above,
    after: margins.below,
    overflow: OVERFLOW_ABOVE,
  },
});

const spansOf = ({ width, height }: Size, face: FaceBox): { readonly across: Span; readonly down: Span } => {
  const weight = Math.sqrt(face.w * width * face.h * height) * certainty(face);
  return {
    across: { start: face.x * width, length: face.w * width, weight },
    down: { start: face.y * height, length: face.h * height, weight },
  };
};

/** The room that faces and their margins take together, in pixels; it may reach out of the picture. */
export function roomFor(source: Size, faces: readonly FaceBox[], margins: Margins): Size {
  const left = Math.min(...faces.map((face) => face.x - margins.side * face.w));
  const right = Math.max(...faces.map((face) => face.x + (1 + margins.side) * face.w));
  const top = Math.min(...faces.map((face) => face.y - margins.above * face.h));
  const bottom = Math.max(...faces.map((face) => face.y + (1 + margins.below) * face.h));
  return { width: (right - left) * source.width, height: (bottom - top) * source.height };
}

/** The window on one face, cut as little as can be. */
export function windowOnFace(scene: Scene, face: FaceBox, margins = MARGINS): Window {
  const axes = axesOf(scene, margins);
  const spans = spansOf(scene.source, face);
  return windowAt(scene, placeOne(spans.across, axes.across), placeOne(spans.down, axes.down));
}

/** The window around faces that it has room for, with the margins. */
export function windowAround(scene: Scene, faces: readonly FaceBox[], margins: Margins): Window | undefined {
  const axes = axesOf(scene, margins);
  const spans = faces.map((face) => spansOf(scene.source, face));
  const left = placeGroup(
    spans.map(({ across }) => across),
    axes.across,
  );
  const top = placeGroup(
    spans.map(({ down }) => down),
    axes.down,
  );
  return left === undefined || top === undefined ? undefined : windowAt(scene, left, top);
}

/**
 * The window that holds as many whole faces as it can, and these; the most prominent one where none fits. `scene.window` is
 * the largest of its aspect, so it slides along one axis only. `faces`: ranked, at least one.
 */
export function windowOnFaces(
  scene: Scene,
  faces: readonly [FaceBox, ...FaceBox[]],
): { readonly window: Window; readonly held: readonly FaceBox[] } {
  const { source, window } = scene;
  const main = windowOnFace(scene, faces[0]);
  const slides = source.width - window.width >= source.height - window.height ? 'across' : 'down';
  const spans = faces.map((face) => ({ ...spansOf(source, face)[slides], face }));
  const full = placeMany(spans, axesOf(scene, MARGINS)[slides]);
  const close = placeMany(spans, axesOf(scene, scaled(MARGINS, CLOSE_MARGINS))[slides]);
  const placed = full && close && weightOf(close.held) > weightOf(full.held) ? close : (full ?? close);
  if (!placed) return { window: main, held: [faces[0]] };
  const held = placed.held.map(({ face }) => face);
  const { left, top } = main;
  return { window: slides === 'across' ? windowAt(scene, placed.at, top) : windowAt(scene, left, placed.at), held };
}
