/** What the scenes with real faces share. */
import type { Layer, Picture } from '../canvas.ts';
import type { Box, PersonKey, PlacedPerson } from '../cutouts.ts';
import type { SceneContext } from './frame.ts';

export interface FaceRegion {
  readonly who: PersonKey;
  /** Pixels of the finished picture. */
  readonly box: Box;
}
export interface HonourPicture {
  readonly picture: Picture;
  readonly faces: readonly FaceRegion[];
}

export const layerOf = (placed: PlacedPerson): Layer => ({
  image: placed.image,
  leftPx: placed.leftPx,
  topPx: placed.topPx,
});
export const canvasOf = (context: SceneContext) => ({ widthPx: context.widthPx, heightPx: context.heightPx });
/** Where the face is across the frame, as a share of the width; never in the middle. */
export const across = (context: SceneContext): number => [0.27, 0.72, 0.38, 0.64][context.variant % 4] ?? 0.3;
