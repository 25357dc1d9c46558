/** The credit line, the only metadata that answers carry by default. */
import type { Sharp } from 'sharp';

import type { Credit } from './request.ts';

/** Text for XML 1.0, which has no place for control characters whatever their escape. */
const xmlText = (text: string) =>
  text
    // oxlint-disable-next-line no-control-regex -- removing them is the point
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

export const hasCredit = (credit: Credit | undefined): credit is Credit => Boolean(credit?.artist || credit?.copyright);

/** The credit as an XMP description (ISO 16684-1): dc:creator is an ordered list, dc:rights a text with languages. */
export function creditDescription({ artist, copyright }: Credit): string {
  const creator = artist ? `<dc:creator><rdf:Seq><rdf:li>${xmlText(artist)}</rdf:li></rdf:Seq></dc:creator>` : '';
  const rights = copyright
    ? `<dc:rights><rdf:Alt><rdf:li xml:lang="x-default">${xmlText(copyright)}</rdf:li></rdf:Alt></dc:rights>`
    : '';
  return (
    '<rdf:Description xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" rdf:about="" ' +
    `xmlns:dc="http://purl.org/dc/elements/1.1/">${creator}${rights}</rdf:Description>`
  );
}

const creditXmp = (credit: Credit) =>
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
  `${creditDescription(credit)}</rdf:RDF></x:xmpmeta>`;

/** EXIF Artist and Copyright. */
export const creditExif = ({ artist, copyright }: Credit) => ({
  IFD0: { ...(artist && { Artist: artist }), ...(copyright && { Copyright: copyright }) },
});

/**
 * Nothing of the source's metadata passes (no GPS, no camera); the credit line is written anew. EXIF text is ASCII, libvips
 * spells `Šeško` as `Sesko` and `©` as `(C)` there; XMP keeps names as they are.
 */
export function withCredit(image: Sharp, credit: Credit | undefined): Sharp {
  return hasCredit(credit) ? image.withExif(creditExif(credit)).withXmp(creditXmp(credit)) : image;
}
