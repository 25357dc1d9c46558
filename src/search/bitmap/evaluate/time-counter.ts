import { DAY_MS, SECOND_MS } from '../../../base/index.ts';
import type { Interval, TimeFacet } from '../../engine.ts';
import { NO_TIME, type NumberColumn, ZONE_DOCUMENTS, zoneOf } from '../segment/number-column.ts';
import { CHUNK_DOCUMENTS } from '../segment/packed-sets.ts';
import type { Segment } from '../segment/segment.ts';
import type { Workspace } from './chunk-value.ts';
import type { FacetSink } from './facet-sinks.ts';
import { lowsOf } from './lows.ts';

const DAY_SECONDS = DAY_MS / SECOND_MS;

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

/** The intervals that the times of a segment's column lie in. */
type Buckets = {
  /** Where each begins, ascending, in milliseconds. */
  readonly starts: readonly number[];
  /** The bucket of each day from the first on: every interval begins with a day. */
  readonly ofDay: Uint32Array;
  readonly firstDay: number;
};

function bucketsOf(column: NumberColumn, size: number, interval: Interval): Buckets {
  let least = Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  for (let zone = 0; zone * ZONE_DOCUMENTS < size; zone += 1) {
    least = Math.min(least, column.zoneLeast(zone));
    greatest = Math.max(greatest, column.zoneGreatest(zone));
  }
  if (least > greatest) return { starts: [], ofDay: new Uint32Array(0), firstDay: 0 };
  const starts: number[] = [];
  const firstDay = Math.floor(intervalAt(least, interval).from / DAY_MS);
  const lastDay = Math.floor(greatest / DAY_MS);
  const ofDay = new Uint32Array(lastDay - firstDay + 1);
  for (let day = firstDay; day <= lastDay; ) {
    const { from, to } = intervalAt(day * DAY_MS, interval);
    const next = to / DAY_MS;
    ofDay.fill(starts.length, day - firstDay, Math.min(next, lastDay + 1) - firstDay);
    starts.push(from);
    day = next;
  }
  return { starts, ofDay, firstDay };
}

/** Counts documents by the interval that a time is in. */
export function createTimeCounter(
  work: Workspace,
  segment: Segment,
  facet: { readonly field: TimeFacet; readonly interval: Interval },
): FacetSink {
  const column = segment.columns[facet.field];
  const { starts, ofDay, firstDay } = bucketsOf(column, segment.size, facet.interval);
  const found = new Uint32Array(starts.length);
  const count = (bucket: number, by: number) => {
    found[bucket] = (found[bucket] ?? 0) + by;
  };
  const bucketOf = (time: number) => ofDay[Math.floor(time / DAY_MS) - firstDay] ?? 0;
  /** Lows of documents; the loop over seconds reads nothing else. */
  const takeLows = (lows: Uint16Array, { base, from, to }: { base: number; from: number; to: number }) => {
    const { times } = column;
    if (!times) {
      for (let at = from; at < to; at += 1) {
        const time = column.value(base + (lows[at] ?? 0));
        if (!Number.isNaN(time)) count(bucketOf(time), 1);
      }
      return;
    }
    const { seconds } = times;
    const origin = times.base / SECOND_MS - firstDay * DAY_SECONDS;
    for (let at = from; at < to; at += 1) {
      const second = seconds[base + (lows[at] ?? 0)] ?? NO_TIME;
      if (second === NO_TIME) continue;
      const bucket = ofDay[Math.floor((origin + second) / DAY_SECONDS)] ?? 0;
      found[bucket] = (found[bucket] ?? 0) + 1;
    }
  };
  return {
    take(chunk, value, size) {
      const base = chunk.key * CHUNK_DOCUMENTS;
      if (value.kind === 'list') return takeLows(value.list, { base, from: value.from, to: value.to });
      const lows = lowsOf(work, value, { count: size, documents: chunk.documents });
      let at = 0;
      for (let zone = zoneOf(base); at < size; zone += 1) {
        const end = (zone + 1) * ZONE_DOCUMENTS - base;
        let next = size;
        if (end < chunk.documents) for (next = at; next < size && (lows[next] ?? 0) < end; ) next += 1;
        const bucket = bucketOf(column.zoneLeast(zone));
        const together = !column.zoneHasMissing(zone) && bucketOf(column.zoneGreatest(zone)) === bucket;
        if (together) count(bucket, next - at);
        else takeLows(lows, { base, from: at, to: next });
        at = next;
      }
    },
    finish(counts) {
      for (const [bucket, sum] of found.entries()) counts.add(starts[bucket] ?? 0, sum);
    },
  };
}
