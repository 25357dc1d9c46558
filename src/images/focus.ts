/** Where to crop: geometry only, no pixels. */
import { type CompassPoint, type FocusChain, type FocusItem, focusItemText } from './focus-chain.ts';
import {
  DEFAULT_PAD,
  type FaceBox,
  faceOfPlayer,
  rankFaces,
  roomFor,
  windowAround,
  windowOnFace,
  windowOnFaces,
  zoomMargins,
} from './focus-faces.ts';
import {
  type FocalPoint,
  type Scene,
  type Size,
  type Window,
  largestScale,
  windowAligned,
  windowCentredOn,
  windowSize,
} from './focus-geometry.ts';

/** A window in source pixels, or the name of a strategy that needs the pixels to find it. */
export type FocusResult = {
  readonly used: string;
  /** How wide the window is against the largest of its aspect, before rounding to pixels; 1 without a zoom. */
  readonly share: number;
} & (
  | { readonly window: Window; readonly strategy?: never }
  | { readonly window?: never; readonly strategy: 'attention' | 'entropy' }
);

/** Share of the free height that lies above the window when nothing is known: people stand with their heads up. */
const UPWARD_BIAS = 0.35;

/** A point has no size to be tight on: the closest zoom shows a quarter of the width. */
const POINT_SHARE = 0.25;

/** What is asked of a crop, and what is known of the picture. */
type Wish = {
  /** Oriented, in pixels. */
  readonly source: Size;
  /** The aspect of the crop. */
  readonly target: Size;
  readonly faces: readonly FaceBox[];
  readonly focal: FocalPoint | undefined;
  /** 0..1. */
  readonly zoom: number;
  /** In sizes of the face. */
  readonly pad: number;
  /** From 1, by prominence. */
  readonly faceNumber: number;
};

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

type Found = { readonly window: Window; readonly share: number };

const sceneOf = ({ source, target }: Wish, share = 1): Scene => ({ source, window: windowSize(source, target, share) });

/** The same factor for every step of the zoom: from the largest window, a share of 1, to the tightest one. */
const shareAt = (zoom: number, tightest: number) => tightest ** zoom;

function onPoint(wish: Wish, point: FocalPoint): Found {
  const share = shareAt(wish.zoom, POINT_SHARE);
  return { window: windowCentredOn(sceneOf(wish, share), point), share };
}

/**
 * The zoom to faces: the window shrinks towards the smallest that holds them with their pad. Undefined when there is no
 * zoom, also where even the largest window cannot hold them so.
 */
function zoomed(wish: Wish, faces: readonly FaceBox[]): Found | undefined {
  if (wish.zoom === 0) return undefined;
  const margins = zoomMargins(wish.pad);
  const room = roomFor(wish.source, faces, margins);
  const largest = largestScale(wish.source, wish.target);
  const tightest = Math.max(room.width / wish.target.width, room.height / wish.target.height) / largest;
  if (tightest >= 1) return undefined;
  const share = shareAt(wish.zoom, tightest);
  const window = windowAround(sceneOf(wish, share), faces, margins);
  return window && { window, share };
}

function onFace(wish: Wish, face: FaceBox | undefined): Found | undefined {
  return face && (zoomed(wish, [face]) ?? { window: windowOnFace(sceneOf(wish), face), share: 1 });
}

function onFaces(wish: Wish): Found | undefined {
  const [first, ...others] = wish.faces;
  if (!first) return undefined;
  const { window, held } = windowOnFaces(sceneOf(wish), [first, ...others]);
  return zoomed(wish, held) ?? { window, share: 1 };
}

function applyItem(item: FocusItem, wish: Wish): Found | 'attention' | 'entropy' | undefined {
  switch (item.kind) {
    case 'center':
      return { window: windowAligned(sceneOf(wish), { x: 0.5, y: 0.5 }), share: 1 };
    case 'compass':
      return { window: windowAligned(sceneOf(wish), COMPASS_ALIGNMENT[item.point]), share: 1 };
    case 'point':
      return onPoint(wish, item);
    case 'focal':
      return wish.focal && onPoint(wish, wish.focal);
    case 'face':
      return onFace(wish, wish.faces[wish.faceNumber - 1] ?? wish.faces[0]);
    case 'player':
      return onFace(wish, faceOfPlayer(wish.faces, item.id));
    case 'faces':
      return onFaces(wish);
    default:
      return item.kind;
  }
}

/**
 * The crop window of aspect `target` inside `source` (oriented, pixels) by the first item of `chain` that applies; `used`
 * names it. A chain that finds nothing ends in the centre, a little upwards; an explicit `center` is the exact centre.
 * Without `zoom` (0..1) the window is the largest of its aspect: it slides along one axis and is as long as the picture along
 * the other. `pad` (sizes of a face) is the room around faces that are zoomed to; `faceNumber` (from 1) picks what `face` means.
 */
export function resolveFocus(options: {
  readonly source: Size;
  readonly target: Size;
  readonly chain: FocusChain;
  readonly faces: readonly FaceBox[];
  readonly focal: FocalPoint | undefined;
  readonly zoom?: number;
  readonly pad?: number;
  readonly faceNumber?: number;
}): FocusResult {
  const { zoom = 0, pad = DEFAULT_PAD, faceNumber = 1 } = options;
  const wish: Wish = { ...options, faces: rankFaces(options.faces), zoom, pad, faceNumber };
  for (const item of options.chain) {
    const found = applyItem(item, wish);
    if (found === undefined) continue;
    const used = focusItemText(item);
    return typeof found === 'string' ? { strategy: found, share: 1, used } : { ...found, used };
  }
  return { window: windowAligned(sceneOf(wish), { x: 0.5, y: UPWARD_BIAS }), share: 1, used: 'center' };
}
