import { AUTO_CHAIN, type FocusChain, focusChainText, parseFocusChain } from '../focus-chain.ts';
import type { Recipe } from '../recipe.ts';
import { parameter } from './parameter.ts';

/** Only a cover crop to a given width and height leaves a choice of what to keep. */
const crops = (recipe: Recipe) =>
  recipe.fit === 'cover' && recipe.widthPx !== undefined && recipe.heightPx !== undefined;

/** Which part of the picture is kept. */
export const FOCUS_PARAMETERS = [
  parameter({
    name: 'f',
    aliases: ['g'],
    expects:
      'center, n, ne, e, se, s, sw, w, nw, face, faces, focal, attention, entropy, auto or fp:x:y (0 to 1), ' +
      'up to 8 separated by commas',
    parse: (text): FocusChain | undefined => parseFocusChain(text),
    canonical: (recipe) => {
      if (!crops(recipe)) return undefined;
      const text = focusChainText(recipe.focus);
      return text === focusChainText(AUTO_CHAIN) ? undefined : text;
    },
    doc:
      'What a cover crop keeps; of a chain the first that applies: face (most prominent), faces (as many whole faces as ' +
      'fit), focal (stored focal point), fp:x:y, attention, entropy, center, a compass point, or auto (focal, faces, ' +
      'attention, center), the default.',
  }),
] as const;
