import type { ImageFormat } from './parameters/index.ts';
import type { Recipe } from './recipe.ts';

/** Whether an Accept header names the media type itself (a wildcard says nothing about AVIF) with a weight above zero. */
function names(accept: string, mediaType: string): boolean {
  return accept.split(',').some((range) => {
    const [type, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    if (type !== mediaType) return false;
    // RFC 9110, 12.4.2: a weight of 0 means "not acceptable".
    return !parameters.some((parameter) => /^q\s*=\s*0(?:\.0*)?$/.test(parameter));
  });
}

/**
 * The format class that a URL and an Accept header decide without any read: a format, or `fallback` where `auto` finds
 * neither AVIF nor WebP accepted (JPEG or PNG, by the transparency of the source).
 */
export function formatClass(recipe: Recipe, accept: string | undefined): ImageFormat | 'fallback' {
  if (recipe.format !== 'auto') return recipe.format;
  // The only one of the formats that moves.
  if (recipe.animated && !recipe.redact && names(accept ?? '', 'image/webp')) return 'webp';
  if (names(accept ?? '', 'image/avif')) return 'avif';
  if (names(accept ?? '', 'image/webp')) return 'webp';
  return 'fallback';
}

/** The format to answer, and whether it hangs on the Accept header (`Vary: Accept`). */
export function negotiateFormat(
  recipe: Recipe,
  accept: string | undefined,
  source: { readonly hasAlpha: boolean },
): { readonly format: ImageFormat; readonly varyAccept: boolean } {
  const choice = formatClass(recipe, accept);
  const format = choice === 'fallback' ? (source.hasAlpha ? 'png' : 'jpeg') : choice;
  return { format, varyAccept: recipe.format === 'auto' };
}
