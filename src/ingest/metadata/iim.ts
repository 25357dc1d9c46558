/** Bytes that a dataset of the application record may hold (IPTC-NAA Information Interchange Model 4.2, section 6). */
const MAX_BYTES: Readonly<Record<string, number>> = {
  'IPTC:ObjectName': 64,
  'IPTC:Keywords': 64,
  'IPTC:SpecialInstructions': 256,
  'IPTC:By-line': 32,
  'IPTC:By-lineTitle': 32,
  'IPTC:City': 32,
  'IPTC:Sub-location': 32,
  'IPTC:Province-State': 32,
  'IPTC:Country-PrimaryLocationName': 64,
  'IPTC:OriginalTransmissionReference': 32,
  'IPTC:Headline': 256,
  'IPTC:Credit': 32,
  'IPTC:Source': 32,
  'IPTC:CopyrightNotice': 128,
  'IPTC:Caption-Abstract': 2000,
  'IPTC:Writer-Editor': 32,
};

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * As much of a text as its dataset holds, cut between characters as people see them; undefined when the dataset cannot hold it
 * at all (a country code has exactly three letters).
 */
export function iimText(tag: string, text: string): string | undefined {
  if (tag === 'IPTC:Country-PrimaryLocationCode') return /^[A-Za-z]{3}$/.test(text) ? text : undefined;
  const maxBytes = MAX_BYTES[tag];
  if (maxBytes === undefined || Buffer.byteLength(text) <= maxBytes) return text;
  let bytes = 0;
  let kept = '';
  // A character is at least a byte: what lies further back cannot fit, and segmenting it all would be dear.
  for (const { segment } of characters.segment(text.slice(0, maxBytes))) {
    bytes += Buffer.byteLength(segment);
    if (bytes > maxBytes) break;
    kept += segment;
  }
  return kept.trim() || undefined;
}
