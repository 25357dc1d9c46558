import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PhotoDetails } from '../metadata/photo-metadata.ts';
import { openPixels, type Pixels } from './pixels.ts';

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
const COMPRESSED_QUALITY = 82;
/** A thumbnail is a tenth of the page's bytes and is seen at its own size. */
const THUMBNAIL_QUALITY = 78;

/** Writes the two displayable tiers into `workDir`. Of the metadata only the owner's name and claim travel along. */
export async function writeTiers(options: {
  readonly pixels: Pixels;
  readonly details: PhotoDetails;
  readonly workDir: string;
}): Promise<{ readonly compressed: PhotoTier; readonly thumbnail: PhotoTier }> {
  const { pixels, details, workDir } = options;
  const owner = ownerExif(details);
  const write = async (name: string, quality: number, maxSidePx: number): Promise<PhotoTier> => {
    const path = join(workDir, name);
    const image = openPixels(pixels);
    if (Math.max(pixels.width, pixels.height) > maxSidePx) {
      image.resize({ width: maxSidePx, height: maxSidePx, fit: 'inside' });
    }
    if (owner) image.withExif({ IFD0: owner }).withXmp(ownerXmp(details));
    const { width, height } = await image.jpeg({ quality, chromaSubsampling: '4:2:0' }).toFile(path);
    const { size } = await stat(path);
    return { path, width, height, bytes: size, mimeType: 'image/jpeg' };
  };
  const [compressed, thumbnail] = await Promise.all([
    write('compressed.jpg', COMPRESSED_QUALITY, COMPRESSED_SIDE_PX),
    write('thumbnail.jpg', THUMBNAIL_QUALITY, THUMBNAIL_SIDE_PX),
  ]);
  return { compressed, thumbnail };
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
