import { DEFAULT_PAD, MAX_PAD } from '../focus-faces.ts';
import {
  AUTO_CHAIN,
  type FocusChain,
  focusChainText,
  type FocusItem,
  parseFocusChain,
  seeksFace,
} from '../focus-chain.ts';
import type { Recipe } from '../recipe.ts';
import { parseRect, rectText } from '../rect.ts';
import { decimal, integer, parameter } from './row.ts';

/** Only a cover crop to a given width and height leaves a choice of what to keep. */
const crops = (recipe: Recipe) =>
  recipe.fit === 'cover' && recipe.widthPx !== undefined && recipe.heightPx !== undefined;

/** Places that a crop can zoom to; the others (centre, compass, attention, entropy) show no one thing to be close to. */
const canZoomTo = (item: FocusItem) => seeksFace(item) || item.kind === 'focal' || item.kind === 'point';

const zooms = (recipe: Recipe) => crops(recipe) && recipe.zoom > 0 && recipe.focus.some(canZoomTo);

/** Steps of 0.001 are below a pixel of most answers, and keep the number of cached pictures in bounds. */
const thousandths = (low: number, high: number) => (text: string) => {
  const value = decimal(low, high)(text);
  return value === undefined ? undefined : Number(value.toFixed(3));
};

/** Far above the faces that are kept of a picture. */
const MAX_FACE_NUMBER = 1000;

/** What of the picture the answer shows. */
export const FOCUS_ROWS = [
  parameter({
    name: 'f',
    aliases: ['g'],
    expects:
      'center, n, ne, e, se, s, sw, w, nw, face, faces, player:id (of a tag option), focal, attention, entropy, auto or ' +
      'fp:x:y (0 to 1), up to 8 separated by commas',
    parse: (text): FocusChain | undefined => parseFocusChain(text),
    canonical: (recipe) => {
      if (!crops(recipe)) return undefined;
      const text = focusChainText(recipe.focus);
      return text === focusChainText(AUTO_CHAIN) ? undefined : text;
    },
    doc:
      'What a cover crop keeps; of a chain the first that applies: face (most prominent), faces (as many whole faces as ' +
      'fit), player:id (the face linked to that tag option), focal (stored focal point), fp:x:y, attention, entropy, ' +
      'center, a compass point, or auto (focal, faces, attention, center), the default.',
  }),
  parameter({
    name: 'z',
    aliases: [],
    expects: 'a number from 0 to 1',
    parse: thousandths(0, 1),
    canonical: (recipe) => (zooms(recipe) ? String(recipe.zoom) : undefined),
    doc:
      'Zoom of a cover crop: from 0, the largest part of the picture that has the aspect, to 1, tight on the face or ' +
      'faces that f found (on a point: a quarter as wide). Default 0.',
  }),
  parameter({
    name: 'pad',
    aliases: [],
    expects: `a number from 0 to ${MAX_PAD}`,
    parse: thousandths(0, MAX_PAD),
    canonical: (recipe) =>
      zooms(recipe) && recipe.focus.some(seeksFace) && recipe.pad !== DEFAULT_PAD ? String(recipe.pad) : undefined,
    doc:
      'Room around a face that z zooms to, in sizes of the face; there is always some for hair, chin and ears. ' +
      `Default ${DEFAULT_PAD}.`,
  }),
  parameter({
    name: 'face',
    aliases: [],
    expects: `an integer from 1 to ${MAX_FACE_NUMBER}`,
    parse: integer(1, MAX_FACE_NUMBER),
    canonical: (recipe) =>
      crops(recipe) && recipe.faceNumber > 1 && recipe.focus.some(({ kind }) => kind === 'face')
        ? String(recipe.faceNumber)
        : undefined,
    doc:
      'Which face f=face takes, by prominence; 1, the default, is the most prominent, which also stands for a number ' +
      'that is too high. Without f it means f=face,attention.',
  }),
  parameter({
    name: 'rect',
    aliases: [],
    expects: 'x,y,w,h: integers (pixels of the original), or numbers from 0 to 1, one of them with a decimal point',
    parse: parseRect,
    canonical: (recipe) => recipe.rect && rectText(recipe.rect),
    doc:
      'Part of the upright picture that all else happens in: pixels of the original, or fractions where a number has a ' +
      'decimal point. What lies outside of the picture is left out.',
  }),
] as const;
