import { foldText, KIB } from '../../base/index.ts';
import type { Asset, TagOption } from '../../library/index.ts';
import { TEXT_SOURCES, type TextField } from './details.ts';
import type { Box } from './regions.ts';
import { cleanText, cleanTexts } from './tag-values.ts';

/** What the library knows of an asset and a file can carry. */
export type MetadataValues = {
  readonly texts: Readonly<Partial<Record<TextField, string>>>;
  readonly keywords: readonly string[];
  readonly persons: readonly string[];
  /** Faces whose owner is known, as fractions of the upright picture. */
  readonly faces: readonly (Box & { readonly name: string })[];
  readonly rating: number | null;
  readonly capturedAt: Date | null;
  readonly capturedOffsetMinutes: number | null;
  /** The same for every copy of one content. */
  readonly documentId: string;
};

/** Fields of the table that say how a file was made, not what it shows. */
const UNWRITTEN: ReadonlySet<TextField> = new Set(['software']);
const MAX_TEXT_BYTES = 64 * KIB;
const LIST_LIMITS = { maxItems: 1000, maxBytes: KIB };

// Object.keys widens to string; the table's type says its keys are exactly the text fields.
export const WRITTEN_FIELDS = (Object.keys(TEXT_SOURCES) as TextField[]).filter((field) => !UNWRITTEN.has(field));

/** Texts, keywords, persons, faces and rating of an asset as they are now; `options` are those of its tags and faces. */
export function metadataValues(asset: Asset, options: readonly TagOption[]): MetadataValues {
  const tagIds = new Set(asset.tags.map((tag) => tag.id));
  // In an order of its own, so that the same state gives the same file.
  const tagged = options.filter((option) => tagIds.has(option.id)).toSorted((a, b) => a.id - b.id);
  const { details } = asset;
  const texts: Partial<Record<TextField, string>> = {};
  for (const field of WRITTEN_FIELDS) {
    const text = cleanText(details[field], MAX_TEXT_BYTES);
    if (text !== undefined) texts[field] = text;
  }
  const matches = tagged.filter((option) => option.type === 'match').map((option) => option.label);
  if (texts.event === undefined && matches.length > 0) texts.event = matches.join('; ');
  return {
    texts,
    keywords: withNames(cleanTexts(details['keywords'], LIST_LIMITS), tagged),
    persons: withNames(
      cleanTexts(details['persons'], LIST_LIMITS),
      tagged.filter((option) => option.type === 'player'),
    ),
    faces: asset.mediaType === 'video' ? [] : ownedFaces(asset, options),
    rating: asset.rating,
    capturedAt: asset.capturedAt,
    capturedOffsetMinutes: asset.capturedOffsetMinutes,
    documentId: `xmp.did:${asset.sha256.slice(0, 32)}`,
  };
}

/** People are known by their whole name: a family name alone is often that of several. */
function shownName(option: TagOption): string {
  return option.type === 'player' ? (option.fullName ?? option.label) : option.label;
}

/** A list with the names of tag options added, except of those that one of its items names already. */
function withNames(items: readonly string[], options: readonly TagOption[]): readonly string[] {
  const present = new Set(items.map(foldText));
  const missing = options.filter((option) => {
    const names = [option.label, option.fullName ?? '', ...option.aliases].map(foldText);
    return !names.some((name) => name !== '' && present.has(name));
  });
  return cleanTexts([...items, ...missing.map(shownName)], LIST_LIMITS);
}

function ownedFaces(asset: Asset, options: readonly TagOption[]): MetadataValues['faces'] {
  const names = new Map(options.map((option) => [option.id, shownName(option)]));
  return asset.faces.flatMap(({ x, y, w, h, tagOptionId }) => {
    const name = tagOptionId === null ? undefined : names.get(tagOptionId);
    return name === undefined ? [] : [{ name, x, y, w, h }];
  });
}
