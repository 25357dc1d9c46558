/**
 * Where to crop: geometry only, no pixels. The window is always the largest of the wanted aspect, so it can slide along
 * one axis and is as long as the picture along the other.
 */
import { type CompassPoint, type FocusChain, type FocusItem, focusItemText } from './focus-chain.ts';

export type Size = { readonly width: number; readonly height: number };
export type Window = Size & { readonly left: number; readonly top: number };

/** A face found at ingest: left, top, width, height as fractions (0..1) of the oriented picture; score 0..1. */
export type FaceBox = {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly score: number;
};

/** A point as fractions (0..1) of the oriented picture. */
export type FocalPoint = { readonly x: number; readonly y: number };

/** A window in source pixels, or the name of a strategy that needs the pixels to find it. */
export type FocusResult = { readonly used: string } & (
  | { readonly window: Window; readonly strategy?: never }
  | { readonly window?: never; readonly strategy: 'attention' | 'entropy' }
);

/** Room kept around a face, as shares of its box; more above, since detectors stop at the forehead and hair does not. */
const MARGIN = { side: 0.25, above: 0.3, below: 0.2 } as const;

/** Portraits hold the face above the middle: its centre at 42 % of the height (measured in DEPENDENCIES.md, "crop rule"). */
const FACE_HEIGHT_ANCHOR = 0.42;

/** A face larger than the window: 30 % of the overflow is cut above, the rest below, so that eyes and mouth stay. */
const OVERFLOW_ABOVE = 0.3;

/** How much a central face may outweigh a larger one at the rim: 20 %. */
const CENTRALITY_WEIGHT = 0.2;

/** Share of the free height that lies above the window when nothing is known: people stand with their heads up. */
const UPWARD_BIAS = 0.35;

const EPSILON_PX = 1e-6;

const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), Math.max(low, high));

/** The largest window of the aspect `target.width : target.height` inside `source`, in whole pixels. */
export function largestWindow(source: Size, target: Size): Size {
  const scale = Math.min(source.width / target.width, source.height / target.height);
  return {
    width: clamp(Math.round(target.width * scale), 1, source.width),
    height: clamp(Math.round(target.height * scale), 1, source.height),
  };
}

/** One axis of the placement: lengths in pixels; `before`, `after`: margins as shares of a face's length. */
type Axis = {
  readonly size: number;
  readonly window: number;
  readonly anchor: number;
  readonly before: number;
  readonly after: number;
  readonly overflow: number;
};

type Span = { readonly start: number; readonly length: number; readonly weight: number };

/** The span with as much of its margins as the window can hold; undefined when the face itself is too long. */
function withMargins(span: Span, axis: Axis): { readonly from: number; readonly to: number } | undefined {
  const spare = axis.window - span.length;
  if (spare < -EPSILON_PX) return undefined;
  const share = clamp(spare / (span.length * (axis.before + axis.after)), 0, 1);
  return {
    from: span.start - share * axis.before * span.length,
    to: span.start + span.length * (1 + share * axis.after),
  };
}

function placeOne(span: Span, axis: Axis): number {
  const box = withMargins(span, axis);
  if (!box) return clamp(span.start + (span.length - axis.window) * axis.overflow, 0, axis.size - axis.window);
  const wanted = span.start + span.length / 2 - axis.anchor * axis.window;
  return clamp(clamp(wanted, box.to - axis.window, box.from), 0, axis.size - axis.window);
}

/**
 * Maximises the summed weight of the spans wholly inside with their margins, then pulls the window to their weighted
 * centre. The covered set only changes where an edge of the window meets an edge of a box, so those places are all
 * that need a look: 2 n candidates. Undefined when no span fits.
 */
function placeMany(spans: readonly Span[], axis: Axis): number | undefined {
  const last = axis.size - axis.window;
  const boxes = spans.flatMap((span) => {
    const box = withMargins(span, axis);
    if (!box) return [];
    // A margin that the picture itself does not have cannot be asked of the window.
    return [{ ...span, from: Math.max(box.from, 0), to: Math.min(box.to, axis.size) }];
  });
  let best: { readonly weight: number; readonly pull: number; readonly at: number } | undefined;
  for (const edge of boxes.flatMap((box) => [box.from, box.to - axis.window])) {
    const start = clamp(edge, 0, last);
    const inside = boxes.filter((box) => box.from >= start - EPSILON_PX && box.to <= start + axis.window + EPSILON_PX);
    const weight = inside.reduce((sum, box) => sum + box.weight, 0);
    if (inside.length === 0) continue;
    const centre = inside.reduce((sum, box) => sum + (box.start + box.length / 2) * box.weight, 0) / weight;
    const wanted = centre - axis.anchor * axis.window;
    const from = Math.min(...inside.map((box) => box.from));
    const to = Math.max(...inside.map((box) => box.to));
    const at = clamp(clamp(wanted, to - axis.window, from), 0, last);
    const pull = Math.abs(at - wanted);
    const gain = best ? weight - best.weight : 1;
    if (!best || gain > EPSILON_PX || (gain > -EPSILON_PX && pull < best.pull)) best = { weight, pull, at };
  }
  return best?.at;
}

function prominence(face: FaceBox): number {
  const offset = Math.hypot(face.x + face.w / 2 - 0.5, face.y + face.h / 2 - 0.5) / Math.SQRT1_2;
  return face.w * face.h * face.score * (1 + CENTRALITY_WEIGHT * (1 - offset));
}

/** Boxes cut to the picture; those without extent or confidence are no faces. */
function usableFaces(faces: readonly FaceBox[]): FaceBox[] {
  return faces.flatMap((face) => {
    const x = clamp(face.x, 0, 1);
    const y = clamp(face.y, 0, 1);
    const box = { x, y, w: clamp(face.x + face.w, 0, 1) - x, h: clamp(face.y + face.h, 0, 1) - y, score: face.score };
    return box.w > 0 && box.h > 0 && box.score > 0 ? [box] : [];
  });
}

type Scene = { readonly source: Size; readonly window: Size };

function windowAt(scene: Scene, left: number, top: number): Window {
  const { source, window } = scene;
  return {
    left: clamp(Math.round(left), 0, source.width - window.width),
    top: clamp(Math.round(top), 0, source.height - window.height),
    ...window,
  };
}

/** `x`, `y`: shares of the free room that lie left of and above the window. */
const windowAligned = (scene: Scene, x: number, y: number) =>
  windowAt(scene, (scene.source.width - scene.window.width) * x, (scene.source.height - scene.window.height) * y);

const windowCentredOn = (scene: Scene, point: FocalPoint) =>
  windowAt(
    scene,
    point.x * scene.source.width - scene.window.width / 2,
    point.y * scene.source.height - scene.window.height / 2,
  );

const axesOf = ({ source, window }: Scene): { readonly across: Axis; readonly down: Axis } => ({
  across: {
    size: source.width,
    window: window.width,
    anchor: 0.5,
    before: MARGIN.side,
    after: MARGIN.side,
    overflow: 0.5,
  },
  down: {
    size: source.height,
    window: window.height,
    anchor: FACE_HEIGHT_ANCHOR,
    before: MARGIN.above,
    after: MARGIN.below,
    overflow: OVERFLOW_ABOVE,
  },
});

const spansOf = (scene: Scene, face: FaceBox) => {
  const { width, height } = scene.source;
  const weight = Math.sqrt(face.w * width * face.h * height) * face.score;
  return {
    across: { start: face.x * width, length: face.w * width, weight },
    down: { start: face.y * height, length: face.h * height, weight },
  };
};

function windowOnFace(scene: Scene, faces: readonly FaceBox[]): Window | undefined {
  const [first, ...others] = faces;
  if (!first) return undefined;
  const main = others.reduce((best, face) => (prominence(face) > prominence(best) ? face : best), first);
  const axes = axesOf(scene);
  const spans = spansOf(scene, main);
  return windowAt(scene, placeOne(spans.across, axes.across), placeOne(spans.down, axes.down));
}

function windowOnFaces(scene: Scene, faces: readonly FaceBox[]): Window | undefined {
  const main = windowOnFace(scene, faces);
  if (!main) return undefined;
  const axes = axesOf(scene);
  const spans = faces.map((face) => spansOf(scene, face));
  const slides =
    scene.source.width - scene.window.width >= scene.source.height - scene.window.height ? 'across' : 'down';
  const at = placeMany(
    spans.map((span) => span[slides]),
    axes[slides],
  );
  if (at === undefined) return main;
  return slides === 'across' ? windowAt(scene, at, main.top) : windowAt(scene, main.left, at);
}

/** Shares of the free room left of and above the window. */
const COMPASS_ALIGNMENT: Readonly<Record<CompassPoint, FocalPoint>> = {
  n: { x: 0.5, y: 0 },
  ne: { x: 1, y: 0 },
  e: { x: 1, y: 0.5 },
  se: { x: 1, y: 1 },
  s: { x: 0.5, y: 1 },
  sw: { x: 0, y: 1 },
  w: { x: 0, y: 0.5 },
  nw: { x: 0, y: 0 },
};

function applyItem(
  item: FocusItem,
  scene: Scene,
  known: { readonly faces: readonly FaceBox[]; readonly focal: FocalPoint | undefined },
): Window | 'attention' | 'entropy' | undefined {
  switch (item.kind) {
    case 'center':
      return windowAligned(scene, 0.5, 0.5);
    case 'compass':
      return windowAligned(scene, COMPASS_ALIGNMENT[item.point].x, COMPASS_ALIGNMENT[item.point].y);
    case 'point':
      return windowCentredOn(scene, item);
    case 'focal':
      return known.focal && windowCentredOn(scene, known.focal);
    case 'face':
      return windowOnFace(scene, known.faces);
    case 'faces':
      return windowOnFaces(scene, known.faces);
    default:
      return item.kind;
  }
}

/**
 * The crop window of aspect `target` inside `source` (oriented, pixels) by the first item of `chain` that applies; `used`
 * names it. A chain that finds nothing ends in the centre, a little upwards; an explicit `center` is the exact centre.
 */
export function resolveFocus(options: {
  readonly source: Size;
  readonly target: Size;
  readonly chain: FocusChain;
  readonly faces: readonly FaceBox[];
  readonly focal: FocalPoint | undefined;
}): FocusResult {
  const scene: Scene = { source: options.source, window: largestWindow(options.source, options.target) };
  const known = { faces: usableFaces(options.faces), focal: options.focal };
  for (const item of options.chain) {
    const result = applyItem(item, scene, known);
    if (result === undefined) continue;
    const used = focusItemText(item);
    return typeof result === 'string' ? { strategy: result, used } : { window: result, used };
  }
  return { window: windowAligned(scene, 0.5, UPWARD_BIAS), used: 'center' };
}
