import { type FaceBox, type FocalPoint, type Size, type Window, resolveFocus } from './focus.ts';
import type { Recipe } from './recipe.ts';

/** What the renderer does, in pixels of the oriented source it reads. */
export type RenderPlan = {
  readonly source: Size;
  /** The part of the source to keep; absent = all of it, or the part that `strategy` picks. */
  readonly crop?: Window;
  readonly strategy?: 'attention' | 'entropy';
  /** The size to which the kept part is scaled. */
  readonly resize: Size;
  /** The canvas around the scaled picture (fit=contain) and the picture's place on it. */
  readonly canvas?: Window;
  /** The size of the answer. */
  readonly output: Size;
  /** What decided the crop, for `X-Focus`; `none` when nothing is cropped. */
  readonly focus: string;
};

export type PictureFacts = { readonly faces: readonly FaceBox[]; readonly focal: FocalPoint | undefined };

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

/** The size to which the kept part of a picture of size `basis` is scaled; never above what it has. */
function resizeTo(recipe: Recipe, basis: Size): Size {
  const box = targetBox(recipe);
  const across = (recipe.widthPx ?? basis.width) / basis.width;
  const down = (recipe.heightPx ?? basis.height) / basis.height;
  if (!box) return scaled(basis, Math.min(1, across, down));
  // The box itself, shrunk as a whole where the picture is smaller: the asked aspect stays.
  if (recipe.fit === 'cover' || recipe.fit === 'fill') return scaled(box, Math.min(1, 1 / across, 1 / down));
  return scaled(basis, Math.min(1, recipe.fit === 'outside' ? Math.max(across, down) : Math.min(across, down)));
}

/** Rounding of a tier's sides can leave it up to one pixel short: 0.3 % of the smallest tier (480 px), not visible. */
const TIER_ROUNDING_PX = 1;

const holds = (available: Size, wanted: Size) =>
  available.width >= wanted.width - TIER_ROUNDING_PX && available.height >= wanted.height - TIER_ROUNDING_PX;

/**
 * The smallest oriented size of a source from which the recipe loses nothing against `original` (pixels). A crop takes the
 * largest window of its aspect, so faces and focal point move it but do not change its size.
 */
export function neededSourcePx(recipe: Recipe, original: Size): Size {
  const { width, height } = resizeTo(recipe, original);
  const across = width / original.width;
  const down = height / original.height;
  const scale = Math.max(across, down);
  if (recipe.fit === 'fill') return { width, height };
  return { width: Math.round(original.width * scale), height: Math.round(original.height * scale) };
}

/** The smallest tier that is large enough for the recipe, else the largest there is; undefined when there is none. */
export function chooseTier<Tier extends Size>(options: {
  readonly recipe: Recipe;
  readonly original: Size;
  readonly tiers: readonly Tier[];
}): Tier | undefined {
  const needed = neededSourcePx(options.recipe, options.original);
  const bySize = [...options.tiers].sort((a, b) => a.width * a.height - b.width * b.height);
  return bySize.find((tier) => holds(tier, needed)) ?? bySize.at(-1);
}

/**
 * Turns a recipe into pixels of the source that will be read. `original` decides the answer's size where the source is a
 * smaller tier that is large enough, so that the size does not depend on the tier. Nothing is ever enlarged.
 */
export function planRender(
  options: {
    readonly recipe: Recipe;
    readonly source: Size;
    readonly original?: Size;
  } & PictureFacts,
): RenderPlan {
  const { recipe, source, original = source } = options;
  const resize = resizeTo(recipe, holds(source, neededSourcePx(recipe, original)) ? original : source);
  const box = targetBox(recipe);
  if (!box || recipe.fit !== 'cover') {
    const canvas = box && recipe.fit === 'contain' ? centredOn(box, resize) : undefined;
    return { source, resize, ...(canvas && { canvas }), output: canvas ? (box ?? resize) : resize, focus: 'none' };
  }
  const focus = resolveFocus({ ...options, source, target: box, chain: recipe.focus });
  return {
    source,
    ...(focus.window ? { crop: focus.window } : { strategy: focus.strategy }),
    resize,
    output: resize,
    focus: focus.used,
  };
}

function centredOn(canvas: Size, picture: Size): Window {
  return {
    ...canvas,
    left: Math.floor((canvas.width - picture.width) / 2),
    top: Math.floor((canvas.height - picture.height) / 2),
  };
}
