import { DAY_MS } from '../../../base/index.ts';
import type { Interval, TimeFacet } from '../../engine.ts';
import { ZONE_DOCUMENTS, zoneOf } from '../segment/number-column.ts';
import { CHUNK_DOCUMENTS } from '../segment/packed-sets.ts';
import type { Segment } from '../segment/segment.ts';
import { visitLows } from './chunk-value.ts';
import type { FacetSink } from './facet-sinks.ts';

/** The beginning of the interval that a time is in, and that of the next one; milliseconds since 1970, in UTC. */
export function intervalAt(time: number, interval: Interval): { readonly from: number; readonly to: number } {
  const day = Math.floor(time / DAY_MS);
  if (interval === 'day') return { from: day * DAY_MS, to: (day + 1) * DAY_MS };
  if (interval === 'week') {
    // 1970-01-01 was a Thursday, three days after a Monday.
    const monday = Math.floor((day + 3) / 7) * 7 - 3;
    return { from: monday * DAY_MS, to: (monday + 7) * DAY_MS };
  }
  const date = new Date(time);
  const year = date.getUTCFullYear();
  const month = interval === 'month' ? date.getUTCMonth() : 0;
  return {
    from: utc(year, month),
    to: interval === 'month' ? utc(year, month + 1) : utc(year + 1, 0),
  };
}

/** Date.UTC takes years below 100 for those of the 20th century. */
function utc(year: number, month: number): number {
  return new Date(0).setUTCFullYear(year, month, 1);
}

/** Counts documents by the interval that a time is in. Documents near one another are mostly in the same one. */
export function createTimeCounter(segment: Segment, field: TimeFacet, interval: Interval): FacetSink {
  const column = segment.columns[field];
  const found = new Map<number, number>();
  let from = 0;
  let to = 0;
  let count = 0;
  const note = () => {
    if (count > 0) found.set(from, (found.get(from) ?? 0) + count);
    count = 0;
  };
  const moveTo = (time: number) => {
    note();
    ({ from, to } = intervalAt(time, interval));
  };
  const take = (document: number) => {
    const time = column.value(document);
    // NaN, for no time, is in no interval.
    if (!(time >= from && time < to)) {
      if (Number.isNaN(time)) return;
      moveTo(time);
    }
    count += 1;
  };
  return {
    take(chunk, value, size) {
      const base = chunk.key * CHUNK_DOCUMENTS;
      if (value.kind === 'list') {
        for (let at = value.from; at < value.to; at += 1) take(base + (value.list[at] ?? 0));
        return;
      }
      for (let start = 0; start < chunk.documents; start += ZONE_DOCUMENTS) {
        const zone = zoneOf(base + start);
        const range = { from: start, to: Math.min(chunk.documents, start + ZONE_DOCUMENTS) };
        const least = column.zoneLeast(zone);
        if (least > column.zoneGreatest(zone)) continue;
        if (least < from || least >= to) moveTo(least);
        const together = !column.zoneHasMissing(zone) && column.zoneGreatest(zone) < to;
        if (together && size === chunk.documents) count += range.to - range.from;
        else if (together) visitLows(value, range, () => void (count += 1));
        else visitLows(value, range, (low) => take(base + low));
      }
    },
    finish(counts) {
      note();
      for (const [key, sum] of found) counts.add(key, sum);
    },
  };
}
