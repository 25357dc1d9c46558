import { TAG_TYPES, type TagType } from '../../api/tags.ts';

/** What the taxonomy shows, as the address says it. */
export type TaxonomySearch = {
  readonly type: TagType | undefined;
  readonly category: string | undefined;
  readonly text: string;
  /** The tag option that is open; `new` is the form of one that is not there yet. */
  readonly tag: number | 'new' | undefined;
};

/** What is not understood is left out: a link that was cut off still shows something. */
export function readTaxonomySearch(search: Readonly<Record<string, string>>): TaxonomySearch {
  const { kind, category, text = '', tag } = search;
  return {
    type: TAG_TYPES.find((one) => one === kind),
    category: category === '' ? undefined : category,
    text,
    tag: tag === 'new' ? 'new' : /^[1-9]\d{0,15}$/.test(tag ?? '') ? Number(tag) : undefined,
  };
}

/** The texts of the address. */
export function writeTaxonomySearch({ type, category, text, tag }: TaxonomySearch): Record<string, string> {
  return {
    ...(type !== undefined && { kind: type }),
    ...(category !== undefined && { category }),
    ...(text !== '' && { text }),
    ...(tag !== undefined && { tag: String(tag) }),
  };
}
