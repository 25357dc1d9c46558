/** XMP (ISO 16684-1) of an original, made fit for another picture of it. */
import { creditDescription, hasCredit } from './credit.ts';
import type { Credit } from './request.ts';

/** Editors write a few kilobytes; what is larger holds previews or histories, and is not worth its time. */
const MAX_LENGTH = 256 * 1024;

const EXIF_NAMESPACE = /xmlns:([\w.-]{1,32})\s*=\s*["']http:\/\/ns\.adobe\.com\/exif\/1\.0\/["']/g;

/** Coordinates under whatever prefix: what is left of them after cleaning means that the text is not as it should be. */
const COORDINATES = /GPS(?:Lat|Lon|Alt|Dest|Pos|Map|Time|Date|Area|Img|Track|Speed|Version|Sat|Proc|Diff)/i;

function withoutProperty(xmp: string, name: string): string {
  return xmp
    .replace(new RegExp(`\\s${name}\\s*=\\s*(?:"[^"]*"|'[^']*')`, 'g'), '')
    .replace(new RegExp(`<${name}(?:\\s[^>]*)?/>`, 'g'), '')
    .replace(new RegExp(`<(${name})(?:\\s[^>]*)?>[\\s\\S]*?</\\1\\s*>`, 'g'), '');
}

/**
 * The text without coordinates, previews, and what is only true of the original (face regions, orientation), with the
 * credit of today. Undefined when it cannot be cleaned for sure.
 */
export function cleanXmp(xmp: string, credit: Credit | undefined): string | undefined {
  if (xmp.length > MAX_LENGTH || !xmp.includes('</rdf:RDF>')) return undefined;
  const prefixes = [...xmp.matchAll(EXIF_NAMESPACE)].map(([, prefix = '']) => prefix.replaceAll('.', '\\.'));
  const names = [
    ...prefixes.map((prefix) => `${prefix}:GPS\\w{0,40}`),
    '[\\w.-]{1,32}:(?:Thumbnails|Regions|RegionInfo)',
    'tiff:Orientation',
    ...(hasCredit(credit) ? ['dc:creator', 'dc:rights'] : []),
  ];
  const cleaned = names.reduce(withoutProperty, xmp);
  if (COORDINATES.test(cleaned) || /xapGImg:image|xmpGImg:image/.test(cleaned)) return undefined;
  return hasCredit(credit) ? cleaned.replace('</rdf:RDF>', () => `${creditDescription(credit)}</rdf:RDF>`) : cleaned;
}
