import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PhotoDetails } from '../metadata/photo-metadata.ts';
import { decodePhoto, openPixels, type Pixels } from './pixels.ts';

/** A finished JPEG on disk. */
export type PhotoTier = {
  readonly path: string;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  readonly mimeType: 'image/jpeg';
};

export const COMPRESSED_SIDE_PX = 2048;
const THUMBNAIL_SIDE_PX = 480;

type TierShape = { readonly name: string; readonly quality: number; readonly maxSidePx: number };
const COMPRESSED: TierShape = { name: 'compressed.jpg', quality: 82, maxSidePx: COMPRESSED_SIDE_PX };
/** A thumbnail is a tenth of the page's bytes and is seen at its own size. */
const THUMBNAIL: TierShape = { name: 'thumbnail.jpg', quality: 78, maxSidePx: THUMBNAIL_SIDE_PX };

type Source = { readonly pixels: Pixels; readonly details: PhotoDetails; readonly workDir: string };

async function writeTier({ pixels, details, workDir }: Source, shape: TierShape): Promise<PhotoTier> {
  const path = join(workDir, shape.name);
  const image = openPixels(pixels);
  if (Math.max(pixels.width, pixels.height) > shape.maxSidePx) {
    image.resize({ width: shape.maxSidePx, height: shape.maxSidePx, fit: 'inside' });
  }
  const owner = ownerExif(details);
  if (owner) image.withExif({ IFD0: owner }).withXmp(ownerXmp(details));
  const { width, height } = await image.jpeg({ quality: shape.quality, chromaSubsampling: '4:2:0' }).toFile(path);
  const { size } = await stat(path);
  return { path, width, height, bytes: size, mimeType: 'image/jpeg' };
}

/** Writes the two displayable tiers into `workDir`. Of the metadata only the owner's name and claim travel along. */
export async function writeTiers(
  source: Source,
): Promise<{ readonly compressed: PhotoTier; readonly thumbnail: PhotoTier }> {
  const [compressed, thumbnail] = await Promise.all([writeTier(source, COMPRESSED), writeTier(source, THUMBNAIL)]);
  return { compressed, thumbnail };
}

/** Writes the thumbnail of a picture of our own making, such as a video's poster, into `workDir`. */
export async function writeThumbnail(picture: {
  readonly path: string;
  readonly workDir: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}): Promise<PhotoTier> {
  const { path, workDir, timeoutMs, signal } = picture;
  const { pixels } = await decodePhoto({
    path,
    orientation: 'embedded',
    maxSidePx: THUMBNAIL_SIDE_PX,
    timeoutMs,
    signal,
  });
  return writeTier({ pixels, details: {}, workDir }, THUMBNAIL);
}

function ownerExif({ copyright, byline }: PhotoDetails): Record<string, string> | undefined {
  const owner = {
    ...(copyright !== undefined && { Copyright: copyright }),
    ...(byline !== undefined && { Artist: byline }),
  };
  return Object.keys(owner).length > 0 ? owner : undefined;
}

const XML_ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** EXIF texts are ASCII (libvips writes "Zilina" for "Žilina"), so the true spelling travels as XMP (ISO 16684-1). */
function ownerXmp({ copyright, byline }: PhotoDetails): string {
  const escape = (text: string) => text.replace(/[&<>"]/g, (character) => XML_ENTITIES[character] ?? '');
  const list = (tag: string, kind: 'Alt' | 'Seq', item: string, text: string | undefined) =>
    text === undefined ? '' : `<dc:${tag}><rdf:${kind}><rdf:${item}>${escape(text)}</rdf:li></rdf:${kind}></dc:${tag}>`;
  const members = list('rights', 'Alt', 'li xml:lang="x-default"', copyright) + list('creator', 'Seq', 'li', byline);
  return (
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
    `<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">${members}</rdf:Description>` +
    '</rdf:RDF></x:xmpmeta>'
  );
}
