/** A picture, the parameters of a URL, and what the renderer makes of them; without cache and tiers. */
import sharp from 'sharp';
import type { FaceBox } from '../../src/images/focus-faces.ts';
import type { FocalPoint } from '../../src/images/focus-geometry.ts';
import { planRender } from '../../src/images/plan.ts';
import { parseRecipe } from '../../src/images/recipe.ts';
import type { Renderer } from '../../src/images/render/renderer.ts';
import type { Effects, RenderedImage, RenderRequest } from '../../src/images/render/request.ts';

export async function renderWith(
  renderer: Renderer,
  source: Buffer | string,
  query: Readonly<Record<string, string>>,
  more: {
    readonly faces?: readonly FaceBox[];
    readonly focal?: FocalPoint;
    readonly effects?: Effects;
    readonly credit?: RenderRequest['credit'];
  } = {},
): Promise<RenderedImage> {
  const { faces = [], focal, effects, credit } = more;
  const { width, height, autoOrient, pageHeight } = await sharp(source, { failOn: 'none' }).metadata();
  const recipe = parseRecipe(query);
  const size = autoOrient ?? { width, height: pageHeight ?? height };
  return renderer.render({
    source,
    plan: planRender({ recipe, source: size, faces, focal }),
    format: recipe.format === 'auto' ? 'png' : recipe.format,
    quality: recipe.quality,
    maxBytes: recipe.maxBytes,
    animated: recipe.animated,
    metadata: recipe.metadata,
    credit,
    effects: {
      background: recipe.background,
      blurPx: recipe.blurPx,
      sharpenPx: recipe.sharpenPx,
      redact: recipe.redact && { faces, style: recipe.redact.style },
      ...effects,
    },
  });
}
