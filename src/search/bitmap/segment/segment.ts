import type { IndexRow } from '../../../library/index.ts';
import { type Documents, openDocuments, openIds, openTextTable } from './documents.ts';
import { type KeywordField, NUMBER_FIELDS, type NumberField } from './fields.ts';
import { bytesOf, type SegmentData, sectionOf } from './sections.ts';
import { type ActionDocuments, actionReader, openActions } from './segment-actions.ts';
import { findDocument, weightOf } from './segment-builder.ts';
import { detailReader, openDetails, type SegmentDetails } from './segment-details.ts';

/** Assets of one organization as they were when the segment was made, with their actions; nothing in it ever changes. */
export type Segment = Documents<NumberField> & {
  readonly data: SegmentData;
  readonly bytes: number;
  /** In assets, see `weightOf`. */
  readonly weight: number;
  readonly nameRanks: Uint32Array;
  /** Undefined when no asset has one. */
  readonly actions: ActionDocuments | undefined;
  /** Undefined when no asset has a value in the organization's own fields. */
  readonly details: SegmentDetails | undefined;
  /** The document of an asset, -1 when it is not here. */
  documentOf(id: number): number;
  name(document: number): string;
  /** Reads the first byte of a document's name, so that it is fetched from memory. */
  touchName(document: number): number;
  /** The rows of documents, for a segment that takes them over. */
  rows(documents: Iterable<number>): Iterable<IndexRow>;
};

/** What a value set's text takes in memory, roughly: an action's players in their roles are many. */
const VALUE_BYTES = 64;

export function openSegment(data: SegmentData): Segment {
  const { sections, size, meta } = data;
  const documents = openDocuments(sections, meta, { size, numberFields: NUMBER_FIELDS });
  const ids = openIds(sections);
  const byId = 'by_id' in sections ? sectionOf(sections, 'by_id', 'u32') : undefined;
  const names = openTextTable(sections, 'name');
  const actions = openActions(data);
  const name = (document: number) => names.bytes.toString('utf8', names.starts[document], names.starts[document + 1]);
  const values = meta.valueSets.length + (meta.actions?.valueSets.length ?? 0);
  return {
    ...documents,
    data,
    bytes: bytesOf(data) + values * VALUE_BYTES,
    weight: weightOf({ assets: size, actions: actions?.size ?? 0 }),
    nameRanks: sectionOf(sections, 'name_ranks', 'u32'),
    actions,
    details: openDetails(data),
    documentOf: (id) => findDocument(ids, byId, id),
    name,
    touchName: (document) => names.bytes[names.starts[document] ?? 0] ?? 0,
    *rows(wanted) {
      const contents = documents.openContents();
      const actionsOf = actions && actionReader(actions);
      const detailsOf = detailReader(data);
      for (const document of wanted) {
        const values = contents.values(document);
        const keyword = (field: KeywordField) => values.find(([one]) => one === field)?.[1] ?? null;
        const number = (field: NumberField) => contents.number(field, document);
        yield {
          id: documents.id(document),
          media_type: keyword('media_type') ?? '',
          status: keyword('status') ?? '',
          orientation: keyword('orientation'),
          usage: keyword('usage') ?? '',
          captured_at: number('captured_at'),
          created_at: number('created_at') ?? 0,
          updated_at: number('updated_at') ?? 0,
          width: number('width'),
          height: number('height'),
          duration_ms: number('duration_ms'),
          people_count: number('people_count') ?? 0,
          rating: number('rating'),
          name: name(document),
          tag_ids: contents.tags(document),
          collection_ids: values
            .filter(([field]) => field === 'collection')
            .map(([, id]) => Number(id))
            .sort((a, b) => a - b),
          text: contents.text(document),
          details: detailsOf(document),
          actions: actionsOf ? actionsOf(document) : [],
        };
      }
    },
  };
}
