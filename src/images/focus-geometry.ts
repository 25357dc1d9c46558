/** Windows and where they lie, axis by axis. Pixels throughout; nothing here knows what a face is. */

export type Size = { readonly width: number; readonly height: number };
export type Window = Size & { readonly left: number; readonly top: number };

/** A point as fractions (0..1) of the oriented picture. */
export type FocalPoint = { readonly x: number; readonly y: number };

/** A picture, and the size of the window that is to be placed in it. */
export type Scene = { readonly source: Size; readonly window: Size };

const EPSILON_PX = 1e-6;

export const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), Math.max(low, high));

/** Pixels of `source` for one of `target`, in the largest window of the aspect `target.width : target.height`. */
export const largestScale = (source: Size, target: Size) =>
  Math.min(source.width / target.width, source.height / target.height);

/** The window of the aspect of `target` inside `source`, `share` (0..1) as wide as the largest one, in whole pixels. */
export function windowSize(source: Size, target: Size, share = 1): Size {
  const scale = largestScale(source, target) * share;
  return {
    width: clamp(Math.round(target.width * scale), 1, source.width),
    height: clamp(Math.round(target.height * scale), 1, source.height),
  };
}

export function windowAt(scene: Scene, left: number, top: number): Window {
  const { source, window } = scene;
  return {
    left: clamp(Math.round(left), 0, source.width - window.width),
    top: clamp(Math.round(top), 0, source.height - window.height),
    ...window,
  };
}

/** `x`, `y`: shares of the free room that lie left of and above the window. */
export const windowAligned = (scene: Scene, { x, y }: FocalPoint) =>
  windowAt(scene, (scene.source.width - scene.window.width) * x, (scene.source.height - scene.window.height) * y);

export const windowCentredOn = (scene: Scene, point: FocalPoint) =>
  windowAt(
    scene,
    point.x * scene.source.width - scene.window.width / 2,
    point.y * scene.source.height - scene.window.height / 2,
  );

/** One axis of the placement: lengths in pixels; `before`, `after`: margins as shares of a span's length. */
export type Axis = {
  readonly size: number;
  readonly window: number;
  /** Where in the window the centre of what is shown belongs, as a share of its length. */
  readonly anchor: number;
  readonly before: number;
  readonly after: number;
  /** The share that is cut before a span that is longer than the window. */
  readonly overflow: number;
};

export type Span = { readonly start: number; readonly length: number; readonly weight: number };

/** The span with as much of its margins as the window can hold; undefined when it is itself too long. */
function withMargins(span: Span, axis: Axis): { readonly from: number; readonly to: number } | undefined {
  const spare = axis.window - span.length;
  if (spare < -EPSILON_PX) return undefined;
  const share = clamp(spare / (span.length * (axis.before + axis.after)), 0, 1);
  return {
    from: span.start - share * axis.before * span.length,
    to: span.start + span.length * (1 + share * axis.after),
  };
}

/** Where the window begins so that the span is at its anchor, as far as its margins and the picture let it. */
export function placeOne(span: Span, axis: Axis): number {
  const last = axis.size - axis.window;
  return placeGroup([span], axis) ?? clamp(span.start + (span.length - axis.window) * axis.overflow, 0, last);
}

/** The same for several spans and their weighted centre; undefined when one of them is longer than the window. */
export function placeGroup(spans: readonly Span[], axis: Axis): number | undefined {
  const boxes = spans.map((span) => withMargins(span, axis));
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const box of boxes) {
    if (!box) return undefined;
    from = Math.min(from, box.from);
    to = Math.max(to, box.to);
  }
  const weight = spans.reduce((sum, span) => sum + span.weight, 0);
  const centre = spans.reduce((sum, span) => sum + (span.start + span.length / 2) * span.weight, 0) / weight;
  const wanted = centre - axis.anchor * axis.window;
  return clamp(clamp(wanted, to - axis.window, from), 0, axis.size - axis.window);
}

type Placed<Each> = { readonly at: number; readonly held: readonly Each[] };

/** Of the places that hold the same spans, the nearest to `at` that cuts the least of the others in two. */
function withoutCuts(
  at: number,
  room: { readonly first: number; readonly last: number },
  others: readonly Span[],
  window: number,
): number {
  const cut = (start: number) =>
    others
      .filter(({ start: from, length }) => from < start + window - EPSILON_PX && from + length > start + EPSILON_PX)
      .filter(({ start: from, length }) => from < start - EPSILON_PX || from + length > start + window + EPSILON_PX)
      .reduce((sum, { weight }) => sum + weight, 0);
  const edges = others.flatMap(({ start, length }) => [start, start + length]);
  return edges
    .flatMap((edge) => [edge, edge - window])
    .filter((start) => start >= room.first && start <= room.last)
    .map((start) => ({ start, cut: cut(start) }))
    .reduce(
      (best, each) => {
        const gain = best.cut - each.cut;
        const nearer = Math.abs(each.start - at) < Math.abs(best.start - at);
        return gain > EPSILON_PX || (gain > -EPSILON_PX && nearer) ? each : best;
      },
      { start: at, cut: cut(at) },
    ).start;
}

/**
 * The spans that a window can hold wholly, with their margins, so that their summed weight is the greatest, and where it
 * then begins: near their centre, and where it cuts no other span if it can. The covered set only changes where an edge of the
 * window meets an edge of a box, so those places are all that need a look: 2 n candidates. Undefined when no span fits.
 */
export function placeMany<Each extends Span>(spans: readonly Each[], axis: Axis): Placed<Each> | undefined {
  const end = axis.size - axis.window;
  const boxes = spans.flatMap((span) => {
    const box = withMargins(span, axis);
    if (!box) return [];
    // A margin that the picture itself does not have cannot be asked of the window.
    return [{ span, from: Math.max(box.from, 0), to: Math.min(box.to, axis.size) }];
  });
  type Choice = Placed<Each> & { readonly weight: number; readonly pull: number; first: number; last: number };
  let best: Choice | undefined;
  for (const edge of boxes.flatMap((box) => [box.from, box.to - axis.window])) {
    const start = clamp(edge, 0, end);
    const inside = boxes.filter((box) => box.from >= start - EPSILON_PX && box.to <= start + axis.window + EPSILON_PX);
    if (inside.length === 0) continue;
    const held = inside.map(({ span }) => span);
    const weight = held.reduce((sum, span) => sum + span.weight, 0);
    const centre = held.reduce((sum, span) => sum + (span.start + span.length / 2) * span.weight, 0) / weight;
    const wanted = centre - axis.anchor * axis.window;
    const first = clamp(Math.max(...inside.map((box) => box.to)) - axis.window, 0, end);
    const last = clamp(Math.min(...inside.map((box) => box.from)), 0, end);
    const at = clamp(wanted, first, last);
    const pull = Math.abs(at - wanted);
    const gain = best ? weight - best.weight : 1;
    if (!best || gain > EPSILON_PX || (gain > -EPSILON_PX && pull < best.pull)) {
      best = { weight, pull, at, held, first, last };
    }
  }
  if (!best) return undefined;
  const { held } = best;
  const others = spans.filter((span) => !held.includes(span));
  return { held, at: withoutCuts(best.at, best, others, axis.window) };
}
