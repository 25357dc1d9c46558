import type { EventFormat, EventRecord } from '../../formats/index.ts';

/** Formats whose IDs are the feed's own: an event has the same one in every file, whatever video it is imported to. */
const FEEDS: Readonly<Partial<Record<EventFormat, string>>> = {
  opta_f24: 'feed:opta',
  statsbomb_json: 'feed:statsbomb',
};

export type SourceOptions = {
  readonly format: EventFormat;
  readonly mediaId: number;
  /** Instead of the format's own. */
  readonly source: string | undefined;
};

/**
 * Source and reference by which the event of a record is found again: those that it was exported with, or those of its
 * format. IDs that count within their file are those of the file's video.
 */
export function sourceOf(
  record: EventRecord,
  { format, mediaId, source: given }: SourceOptions,
): { readonly source: string; readonly ref: string } {
  const exported = record.source === undefined || record.source === 'manual' ? undefined : record.source;
  if (given === undefined && exported !== undefined) return { source: exported, ref: record.ref };
  const feed = FEEDS[format];
  const source = given ?? feed ?? `import:${format}`;
  return { source, ref: feed === undefined ? `${mediaId}:${record.ref}` : record.ref };
}

/** The action of this library that a record was exported from, where it was logged here and has no other name. */
export function exportedIdOf(record: EventRecord): number | undefined {
  const isOwn = record.source === undefined || record.source === 'manual';
  return isOwn && record.actionId !== undefined && record.ref === `touchline:${record.actionId}`
    ? record.actionId
    : undefined;
}
