import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expandPreset, toImageAsset, withMomentOf } from './api/index.ts';
import type { LibraryScope } from './auth/index.ts';
import { AppError, invalidField } from './base/index.ts';
import type { Database } from './db/index.ts';
import type { DeliveryPictures } from './delivery/index.ts';
import {
  etagOf,
  type ImageAsset,
  type ImageService,
  parseRecipe,
  pictureAt,
  planRender,
  type Recipe,
} from './images/index.ts';
import type { Asset, ImageRules } from './library/index.ts';

const EXTENSIONS: Readonly<Record<Recipe['format'], string>> = {
  auto: 'jpg',
  jpeg: 'jpg',
  png: 'png',
  webp: 'webp',
  avif: 'avif',
};

/** Each parameter once as a text, or all of its values. */
function queryOf(params: string): Readonly<Record<string, string | readonly string[]>> {
  const given = new URLSearchParams(params);
  return Object.fromEntries(
    [...new Set(given.keys())].map((name) => {
      const values = given.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}

/** Satisfies what deliveries ask of pictures with the image service: the same parameters as in URLs, from the same cache. */
export function createDeliveryPictures(deps: {
  readonly db: Database;
  readonly images: ImageService;
  readonly rules: (organizationId: number) => Promise<ImageRules>;
  readonly temporaryFolder: string;
}): DeliveryPictures {
  const { images } = deps;
  const folder = join(deps.temporaryFolder, 'deliveries');

  /** @throws AppError `image_parameter_invalid`, `unavailable` */
  const recipeOf = async (scope: LibraryScope, params: string): Promise<Recipe> => {
    const { presets } = await deps.rules(scope.organizationId);
    const recipe = parseRecipe(expandPreset(queryOf(params), presets));
    // Nobody says here which formats it takes: the one that everything opens.
    return recipe.format === 'auto' ? { ...recipe, format: 'jpeg' } : recipe;
  };
  const pictureOf = async (scope: LibraryScope, wanted: { readonly asset: Asset; readonly params: string }) => {
    const asset = toImageAsset(wanted.asset, scope.organizationId);
    const given = await recipeOf(scope, wanted.params);
    const recipe = await withMomentOf(deps, scope, { recipe: given, mediaId: wanted.asset.id });
    return { asset, recipe };
  };
  const identityOf = async (asset: ImageAsset, recipe: Recipe): Promise<string> => {
    const { orgId, mediaId, rev } = asset;
    const watermark = await images.watermarkOf(orgId, recipe);
    return etagOf({ orgId, mediaId, rev, recipe, watermark, accept: undefined });
  };

  return {
    async check(scope, params) {
      try {
        await images.watermarkOf(scope.organizationId, await recipeOf(scope, params));
      } catch (error) {
        if (error instanceof AppError && error.code === 'image_parameter_invalid') {
          throw invalidField('/rendition/params', error.message);
        }
        throw error;
      }
    },
    async plan(scope, wanted) {
      const { asset, recipe } = await pictureOf(scope, wanted);
      if (!asset) return undefined;
      const shown = pictureAt(asset, recipe);
      const { output } = planRender({ ...shown.asset, recipe: shown.recipe, source: shown.asset.original });
      return {
        ...output,
        extension: EXTENSIONS[recipe.format],
        mimeType: `image/${recipe.format}`,
        identity: await identityOf(asset, recipe),
      };
    },
    async make(scope, wanted) {
      const { signal } = wanted;
      const { asset, recipe } = await pictureOf(scope, wanted);
      if (!asset) throw new AppError('not_found', `Asset ${wanted.asset.id} has no image to show.`);
      const made = await images.get({ asset, recipe, accept: undefined, signal });
      const path = join(folder, `${randomUUID()}.${EXTENSIONS[recipe.format]}`);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(path, made.bytes, { mode: 0o600, signal });
      const { width, height, contentType: mimeType } = made;
      const release = () => rm(path, { force: true });
      return { path, bytes: made.bytes.length, mimeType, width, height, release };
    },
  };
}
