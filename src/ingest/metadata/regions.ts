import type { ExifOrientation, NamedRegion, TagBag } from './photo-metadata.ts';
import { cleanText, finiteNumber, structure, structures } from './tag-values.ts';

const MAX_REGIONS = 100;
const MAX_NAME_BYTES = 256;

export type Box = { readonly x: number; readonly y: number; readonly w: number; readonly h: number };

/**
 * Named faces of the two conventions in use: MWG regions (Metadata Working Group guidelines 2.0, section 5.9: centre and size)
 * and Microsoft's people tags (`x, y, w, h` from the top left). Both describe the stored pixels, so they are turned with the image.
 */
export function namedRegions(tags: TagBag, orientation: ExifOrientation): readonly NamedRegion[] {
  const found = [...mwgRegions(tags), ...microsoftRegions(tags)];
  const regions = new Map<string, NamedRegion>();
  for (const { name, box } of found) {
    const inside = clampBox(orientBox(box, orientation));
    if (inside && !regions.has(name) && regions.size < MAX_REGIONS) regions.set(name, { name, ...inside });
  }
  return [...regions.values()];
}

type FoundRegion = { readonly name: string; readonly box: Box };

function mwgRegions(tags: TagBag): FoundRegion[] {
  const info = structure(tags['XMP-mwg-rs:RegionInfo']);
  if (!info) return [];
  return structures(info['RegionList']).flatMap((region) => {
    const name = cleanText(region['Name'], MAX_NAME_BYTES);
    const box = mwgBox(region, info);
    return name === undefined || !box || !isMwgFace(region) ? [] : [{ name, box }];
  });
}

/** Regions also mark pets, focus points and barcodes; some writers leave the type of a face out. */
export function isMwgFace(region: TagBag): boolean {
  return region['Type'] === undefined || region['Type'] === 'Face';
}

/** The area of an MWG region from its top left, as fractions of the stored picture. */
export function mwgBox(region: TagBag, info: TagBag): Box | undefined {
  const area = structure(region['Area']);
  if (!area) return undefined;
  const applied = structure(info['AppliedToDimensions']);
  const pixels = area['Unit'] === 'pixel';
  const width = pixels ? finiteNumber(applied?.['W']) : 1;
  const height = pixels ? finiteNumber(applied?.['H']) : 1;
  const [x, y, w, h] = ['X', 'Y', 'W', 'H'].map((member) => finiteNumber(area[member]));
  if (!width || !height || x === undefined || y === undefined || w === undefined || h === undefined) return undefined;
  return { x: (x - w / 2) / width, y: (y - h / 2) / height, w: w / width, h: h / height };
}

function microsoftRegions(tags: TagBag): FoundRegion[] {
  const info = structure(tags['XMP-MP:RegionInfoMP']);
  return structures(info?.['Regions']).flatMap((region) => {
    const name = cleanText(region['PersonDisplayName'], MAX_NAME_BYTES);
    const box = microsoftBox(region);
    return name === undefined || !box ? [] : [{ name, box }];
  });
}

/** The rectangle of one of Microsoft's people tags, as fractions of the stored picture. */
export function microsoftBox(region: TagBag): Box | undefined {
  const rectangle = region['Rectangle'];
  if (typeof rectangle !== 'string' || rectangle.length > 200) return undefined;
  const [x, y, w, h] = rectangle.split(',').map(finiteNumber);
  if (x === undefined || y === undefined || w === undefined || h === undefined) return undefined;
  return { x, y, w, h };
}

/** The place of a stored box after the image is turned upright (TIFF 6.0, tag Orientation). */
export function orientBox({ x, y, w, h }: Box, orientation: ExifOrientation): Box {
  const right = 1 - x - w;
  const bottom = 1 - y - h;
  switch (orientation) {
    case 1:
      return { x, y, w, h };
    case 2:
      return { x: right, y, w, h };
    case 3:
      return { x: right, y: bottom, w, h };
    case 4:
      return { x, y: bottom, w, h };
    case 5:
      return { x: y, y: x, w: h, h: w };
    case 6:
      return { x: bottom, y: x, w: h, h: w };
    case 7:
      return { x: bottom, y: right, w: h, h: w };
    case 8:
      return { x: y, y: right, w: h, h: w };
  }
}

/** The place among the stored pixels of a box of the upright image: the other way round. */
export function storeBox(box: Box, orientation: ExifOrientation): Box {
  // Each turn and mirror undoes itself, but for the two quarter turns, which undo each other.
  if (orientation === 6) return orientBox(box, 8);
  return orientBox(box, orientation === 8 ? 6 : orientation);
}

function clampBox(box: Box): Box | undefined {
  const round = (fraction: number) => Math.round(Math.min(1, Math.max(0, fraction)) * 1e4) / 1e4;
  const [left, top, right, bottom] = [round(box.x), round(box.y), round(box.x + box.w), round(box.y + box.h)];
  if (right <= left || bottom <= top) return undefined;
  return { x: left, y: top, w: round(right - left), h: round(bottom - top) };
}
