/** XMP (ISO 16684-1) of an original, made fit for another picture of it. */
import { creditDescription, hasCredit } from './credit.ts';
import type { Credit } from './request.ts';

/** Editors write a few kilobytes; what is larger holds previews or histories, and is not worth its time. */
const MAX_LENGTH = 256 * 1024;

const END = '</rdf:RDF>';

/** What is not true or not to be told of another picture: the place, previews, face regions, orientation. By local name. */
const REMOVED = /^(?:GPS\w*|Thumbnails|Regions|RegionInfo|Orientation)$/;
const CREDIT = /^dc:(?:creator|rights)$/;

/** Coordinates and previews in what is left mean that the text is not as it should be. */
const LEFT_OVER = /GPS(?:Lat|Lon|Alt|Dest|Pos|Map|Time|Date|Area|Img|Track|Speed|Version|Sat|Proc|Diff)|GImg:image/i;

/** Where the tag that begins at `at` ends: `>` in an attribute's value is not its end. Undefined when it has none. */
function tagEnd(xmp: string, at: number): number | undefined {
  let quote = '';
  for (let index = at; index < xmp.length; index += 1) {
    const sign = xmp[index] ?? '';
    if (quote !== '') quote = sign === quote ? '' : quote;
    else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === '>') return index + 1;
  }
  return undefined;
}

const nameOf = (tag: string) => /^<\/?([\w.:-]+)/.exec(tag)?.[1] ?? '';
const localName = (name: string) => name.slice(name.indexOf(':') + 1);

/** The text without the elements and attributes that `isRemoved` names, in one pass. Undefined when it is no plain XML. */
function withoutNames(xmp: string, isRemoved: (name: string) => boolean): string | undefined {
  const kept: string[] = [];
  /** Open elements since the one that is being removed. */
  let removing = 0;
  let open = 0;
  for (let at = 0; at < xmp.length; ) {
    const start = xmp.indexOf('<', at);
    if (removing === 0) kept.push(xmp.slice(at, start < 0 ? undefined : start));
    if (start < 0) break;
    const end = tagEnd(xmp, start);
    // Comments, CDATA and entities can hide what is looked for; no editor writes them.
    if (end === undefined || xmp[start + 1] === '!') return undefined;
    const tag = xmp.slice(start, end);
    at = end;
    const isEnd = tag.startsWith('</');
    const isEmpty = tag.endsWith('/>') || tag.startsWith('<?');
    if (!isEmpty) open += isEnd ? -1 : 1;
    if (removing > 0) {
      if (!isEmpty) removing += isEnd ? -1 : 1;
    } else if (!isEnd && isRemoved(nameOf(tag))) {
      removing = isEmpty ? 0 : 1;
    } else {
      kept.push(
        tag.replace(/\s([\w.:-]{1,128})\s?=\s?(?:"[^"]*"|'[^']*')/g, (text, name: string) =>
          isRemoved(name) ? '' : text,
        ),
      );
    }
  }
  return open === 0 && removing === 0 ? kept.join('') : undefined;
}

/**
 * The text without coordinates, previews, and what is only true of the original, with the credit of today. Undefined when it
 * cannot be cleaned for sure.
 */
export function cleanXmp(xmp: string, credit: Credit | undefined): string | undefined {
  if (xmp.length > MAX_LENGTH || !xmp.includes(END)) return undefined;
  const replacesCredit = hasCredit(credit);
  const cleaned = withoutNames(xmp, (name) => REMOVED.test(localName(name)) || (replacesCredit && CREDIT.test(name)));
  if (cleaned === undefined || LEFT_OVER.test(cleaned)) return undefined;
  return replacesCredit ? cleaned.replace(END, () => `${creditDescription(credit)}${END}`) : cleaned;
}
