import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { AppError, createSingleFlight } from '../base/index.ts';
import type { FindWatermark } from '../images/index.ts';
import type { Watermark } from '../library/index.ts';
import type { ObjectStorage } from '../storage/index.ts';
import type { ImageAccess } from './image-access.ts';

/** Of at most 2 MiB each. */
const KEPT_PICTURES = 32;

/** Everything that shows, so that pictures with another state of the watermark are other pictures. */
function versionOf({ sha256, position, opacity, scale, margin }: Watermark): string {
  const parts = [sha256, position, opacity, scale, margin];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}

/** Finds the watermarks of an organization by name; those used last are kept in memory with their pictures. */
export function createWatermarkFinder(deps: {
  readonly imageAccess: Pick<ImageAccess, 'rules'>;
  readonly storage: Pick<ObjectStorage, 'read'>;
}): FindWatermark {
  const pictures = new Map<string, Buffer>();
  const reads = createSingleFlight<Buffer>();

  const read = async (storageKey: string): Promise<Buffer> => {
    try {
      return await buffer(await deps.storage.read(storageKey));
    } catch (cause) {
      if (!(cause instanceof AppError) || cause.code !== 'not_found') throw cause;
      // Another node has just replaced it: in 2 seconds this one knows.
      throw new AppError('unavailable', 'The watermark is being replaced; try again in a moment.', {
        cause,
        retryAfterSeconds: 2,
      });
    }
  };

  const pictureOf = async ({ storageKey }: Watermark): Promise<Buffer> => {
    const picture = pictures.get(storageKey) ?? (await reads.run(storageKey, () => read(storageKey)));
    pictures.delete(storageKey);
    pictures.set(storageKey, picture);
    for (const oldest of pictures.keys()) {
      if (pictures.size <= KEPT_PICTURES) break;
      pictures.delete(oldest);
    }
    return picture;
  };

  return async (orgId, name) => {
    const watermark = (await deps.imageAccess.rules(Number(orgId))).watermarks.get(name);
    if (!watermark) return undefined;
    const { position, opacity, scale, margin } = watermark;
    return { image: await pictureOf(watermark), position, opacity, scale, margin, version: versionOf(watermark) };
  };
}
