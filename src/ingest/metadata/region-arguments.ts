import { foldText } from '../../base/index.ts';
import { sameFace } from '../faces/named-faces.ts';
import { assignStructure } from './exiftool-arguments.ts';
import type { MetadataValues } from './metadata-values.ts';
import type { PhotoMetadata, TagBag } from './photo-metadata.ts';
import { type Box, isMwgFace, microsoftBox, mwgBox, orientBox, storeBox } from './regions.ts';
import { cleanText, structure, structures } from './tag-values.ts';

const MWG = 'XMP-mwg-rs:RegionInfo';
const MICROSOFT = 'XMP-MP:RegionInfoMP';

/**
 * Writes the faces whose owner is known as MWG regions. Of the regions in the file all stay but those of the same faces, and
 * those of people who are not named on the asset any more.
 */
export function regionArguments(
  file: { readonly tags: TagBag; readonly metadata: PhotoMetadata },
  values: MetadataValues,
): readonly string[] {
  const { orientation, width, height } = file.metadata;
  const persons = new Set(values.persons.map(foldText));
  /** Whether a region, named or not, says nothing against the library. */
  const stays = (box: Box | undefined, name: unknown): boolean => {
    const text = cleanText(name, 256);
    if (text !== undefined && !persons.has(foldText(text))) return false;
    if (!box) return true;
    const upright = orientBox(box, orientation);
    return !values.faces.some((face) => sameFace(face, upright) !== undefined);
  };
  const info = structure(file.tags[MWG]) ?? {};
  const before = structures(info['RegionList']);
  const kept = before.filter((region) => !isMwgFace(region) || stays(mwgBox(region, info), region['Name']));
  const ours = values.faces.map((face) => {
    const { x, y, w, h } = storeBox(face, orientation);
    const area = { X: round(x + w / 2), Y: round(y + h / 2), W: round(w), H: round(h), Unit: 'normalized' };
    return { Area: area, Name: face.name, Type: 'Face' };
  });
  const args = microsoftArguments(file.tags, stays);
  if (ours.length === 0 && kept.length === before.length) return args;
  if (ours.length + kept.length === 0) return [...args, `-${MWG}=`];
  // Regions in pixels, which stay, count those of the picture they were drawn on.
  const inPixels = kept.some((region) => structure(region['Area'])?.['Unit'] === 'pixel');
  const dimensions = width === undefined || height === undefined ? undefined : { W: width, H: height, Unit: 'pixel' };
  const applied = inPixels ? info['AppliedToDimensions'] : (dimensions ?? info['AppliedToDimensions']);
  const next = { ...(applied !== undefined && { AppliedToDimensions: applied }), RegionList: [...kept, ...ours] };
  return [...args, assignStructure(MWG, next)];
}

/** Microsoft's people tags hold the same faces; those that do not stay go, and ours are in the MWG's form only. */
function microsoftArguments(tags: TagBag, stays: (box: Box | undefined, name: unknown) => boolean): readonly string[] {
  const info = structure(tags[MICROSOFT]);
  const before = structures(info?.['Regions']);
  const kept = before.filter((region) => stays(microsoftBox(region), region['PersonDisplayName']));
  if (kept.length === before.length) return [];
  return [kept.length === 0 ? `-${MICROSOFT}=` : assignStructure(MICROSOFT, { ...info, Regions: kept })];
}

/** A hundredth of a pixel in the largest picture. */
function round(fraction: number): number {
  return Math.round(fraction * 1e6) / 1e6;
}
