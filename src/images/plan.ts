import { AppError } from '../base/index.ts';
import type { FaceBox } from './focus-faces.ts';
import { resolveFocus } from './focus.ts';
import { type FocalPoint, largestScale, type Size, type Window } from './focus-geometry.ts';
import { MAX_SIDE_PX } from './parameters/index.ts';
import type { Recipe } from './recipe.ts';
import { factsInside, rectText, windowOfRect } from './rect.ts';
import { isTurned, type Turn, turnedFace, turnedPoint, turnedSize, unturnedWindow } from './turn.ts';

/** What the renderer does. `source`, `crop` and `resize` are in pixels of the oriented source that it reads, before the turn. */
export type RenderPlan = {
  readonly source: Size;
  /** The part of the source to keep; absent = all of it. */
  readonly crop?: Window;
  /** Picks, within `crop`, the part that has the aspect of `resize`. */
  readonly strategy?: 'attention' | 'entropy';
  /** The size to which the kept part is scaled. */
  readonly resize: Size;
  /** How the scaled picture is turned; absent = not at all. */
  readonly turn?: Turn;
  /** The canvas around the scaled picture (fit=contain) and the picture's place on it. */
  readonly canvas?: Window;
  /** The size of the answer. */
  readonly output: Size;
  /** What decided the crop, for `X-Focus`; `none` when nothing is cropped to an aspect. */
  readonly focus: string;
};

export type PictureFacts = {
  readonly faces: readonly FaceBox[];
  readonly focal: FocalPoint | undefined;
  /** The size whose pixels `rect` counts, where it is not that of the largest picture that can be read (camera RAW). */
  readonly nominal?: Size | undefined;
};

type Picture = { readonly recipe: Recipe; readonly original: Size } & PictureFacts;

/** The picture as the recipe turns it: everything below happens in that one. */
function turned<Each extends Picture>(picture: Each): Each {
  const { turn } = picture.recipe;
  if (!isTurned(turn)) return picture;
  return {
    ...picture,
    original: turnedSize(picture.original, turn),
    nominal: picture.nominal && turnedSize(picture.nominal, turn),
    faces: picture.faces.map((face) => turnedFace(face, turn)),
    focal: picture.focal && turnedPoint(picture.focal, turn),
  };
}

const scaled = (size: Size, scale: number): Size => ({
  width: Math.max(1, Math.round(size.width * scale)),
  height: Math.max(1, Math.round(size.height * scale)),
});

/** Both sides given; otherwise every fit means "keep the aspect". */
function targetBox(recipe: Recipe): Size | undefined {
  return recipe.widthPx !== undefined && recipe.heightPx !== undefined
    ? { width: recipe.widthPx, height: recipe.heightPx }
    : undefined;
}

/** The size to which the kept part of a picture of size `basis` is scaled; above what it has only where that was asked for. */
function resizeTo(recipe: Recipe, basis: Size): Size {
  const box = targetBox(recipe);
  const across = (recipe.widthPx ?? basis.width) / basis.width;
  const down = (recipe.heightPx ?? basis.height) / basis.height;
  // The box itself, shrunk as a whole where the picture is smaller: the asked aspect stays.
  if (box && (recipe.fit === 'cover' || recipe.fit === 'fill')) {
    return recipe.enlarge ? box : scaled(box, Math.min(1, 1 / across, 1 / down));
  }
  if (!recipe.enlarge) {
    const limit = box && recipe.fit === 'outside' ? Math.max(across, down) : Math.min(across, down);
    return scaled(basis, Math.min(1, limit));
  }
  const sides = [recipe.widthPx && across, recipe.heightPx && down].filter((scale) => scale !== undefined);
  const scale = box && recipe.fit === 'outside' ? Math.max(...sides) : Math.min(...sides);
  return scaled(basis, Math.min(scale, Math.max(1, MAX_SIDE_PX / Math.max(basis.width, basis.height))));
}

/** What is kept of a picture of one size, and how large the answer made from it is. */
type Layout = Pick<RenderPlan, 'strategy' | 'resize' | 'focus'> & {
  readonly crop: Window;
  /** Size of what `resize` shows, before rounding to pixels. */
  readonly kept: Size;
};

function regionOf({ recipe, original, nominal }: Picture, source: Size): Window {
  if (!recipe.rect) return { left: 0, top: 0, ...source };
  const region = windowOfRect(recipe.rect, { source, original: nominal ?? original });
  if (region) return region;
  const { width, height } = nominal ?? original;
  const received = rectText(recipe.rect) ?? '';
  const detail = `expected a part of the picture (${width}x${height} pixels) for rect, received ${received}`;
  throw new AppError('image_parameter_invalid', detail, { errors: [{ pointer: 'rect', code: 'invalid', detail }] });
}

function layOut(picture: Picture, source: Size): Layout {
  const { recipe } = picture;
  const region = regionOf(picture, source);
  const box = targetBox(recipe);
  if (!box || recipe.fit !== 'cover') {
    return { crop: region, kept: region, resize: resizeTo(recipe, region), focus: 'none' };
  }
  // By the pixels of the original, so that no rounding of a tier decides which faces are inside.
  const { faces, focal } = recipe.rect
    ? factsInside(regionOf(picture, picture.original), { ...picture, source: picture.original })
    : picture;
  const focus = resolveFocus({
    source: region,
    target: box,
    chain: recipe.focus,
    faces,
    focal,
    zoom: recipe.zoom,
    pad: recipe.pad,
    faceNumber: recipe.faceNumber,
  });
  const scale = largestScale(region, box) * focus.share;
  const { strategy, window } = focus;
  return {
    crop: window ? { ...window, left: region.left + window.left, top: region.top + window.top } : region,
    ...(strategy && { strategy }),
    kept: { width: box.width * scale, height: box.height * scale },
    resize: recipe.enlarge ? box : scaled(box, Math.min(1, scale)),
    focus: focus.used,
  };
}

/** Rounding of a tier's sides can leave it up to one pixel short: 0.3 % of the smallest tier (480 px), not visible. */
const TIER_ROUNDING_PX = 1;

const holds = (available: Size, wanted: Size) =>
  available.width >= wanted.width - TIER_ROUNDING_PX && available.height >= wanted.height - TIER_ROUNDING_PX;

function neededBy({ kept, resize }: Layout, { recipe, original }: Picture): Size {
  // More than there is cannot be had: what is enlarged is made from the original.
  const across = Math.min(1, resize.width / kept.width);
  const down = Math.min(1, resize.height / kept.height);
  const uniform = Math.max(across, down);
  const [x, y] = recipe.fit === 'fill' ? [across, down] : [uniform, uniform];
  return { width: Math.round(original.width * x), height: Math.round(original.height * y) };
}

/**
 * The smallest oriented size of a source from which the recipe loses nothing against `original` (pixels). A crop of a small
 * part (zoom, rect) needs a larger source for the same answer.
 */
export function neededSourcePx(picture: Picture): Size {
  const upright = turned(picture);
  return turnedSize(neededBy(layOut(upright, upright.original), upright), picture.recipe.turn);
}

/** The smallest tier that is large enough for the recipe, else the largest there is; undefined when there is none. */
export function chooseTier<Tier extends Size>(
  options: Picture & { readonly tiers: readonly Tier[] },
): Tier | undefined {
  const needed = neededSourcePx(options);
  const bySize = [...options.tiers].sort((a, b) => a.width * a.height - b.width * b.height);
  return bySize.find((tier) => holds(tier, needed)) ?? bySize.at(-1);
}

/**
 * Turns a recipe into pixels of the source that will be read. `original` decides the answer's size where the source is a
 * smaller tier that is large enough, so that the size does not depend on the tier. Nothing is enlarged that was not asked for.
 * @throws AppError `image_parameter_invalid` when `rect` has nothing of the picture
 */
export function planRender(
  options: { readonly recipe: Recipe; readonly source: Size; readonly original?: Size } & PictureFacts,
): RenderPlan {
  const { recipe, original = options.source } = options;
  const { turn } = recipe;
  const picture: Picture = turned({ ...options, original });
  const source = turnedSize(options.source, turn);
  const actual = layOut(picture, source);
  const ideal = layOut(picture, picture.original);
  const resize = holds(source, neededBy(ideal, picture)) ? ideal.resize : actual.resize;
  const { crop, strategy, focus } = actual;
  const whole = crop.width === source.width && crop.height === source.height;
  const box = targetBox(recipe);
  const canvas = box && recipe.fit === 'contain' ? centredOn(box, resize) : undefined;
  return {
    source: options.source,
    ...(!whole && { crop: unturnedWindow(crop, { source: options.source, turn }) }),
    ...(strategy && { strategy }),
    resize: turnedSize(resize, turn),
    ...(isTurned(turn) && { turn }),
    ...(canvas && { canvas }),
    output: canvas ? (box ?? resize) : resize,
    focus,
  };
}

function centredOn(canvas: Size, picture: Size): Window {
  return {
    ...canvas,
    left: Math.floor((canvas.width - picture.width) / 2),
    top: Math.floor((canvas.height - picture.height) / 2),
  };
}
