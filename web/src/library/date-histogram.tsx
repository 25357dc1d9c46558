import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type PointerEvent, useRef, useState } from 'react';
import { Slider, SliderThumb, SliderTrack } from 'react-aria-components';
import { facetsQuery } from '../api/media-search.ts';
import { Button } from '../ui/button.tsx';
import { formatCount } from '../ui/format.ts';
import { barsOf, barsWithin, type DateBar, type DateUnit, formatBar, unitFor } from './date-buckets.ts';
import type { ChangeQuery } from './library-search.ts';
import { withDates } from './query-edits.ts';
import type { Filter, LibraryQuery } from './query.ts';
import './date-histogram.css';

const byUnit = (unit: 'day' | 'week' | 'month') => [
  { field: 'captured_at', interval: unit, disjunctive: true, limit: 1000 } as const,
];

/** When the results were taken. Dragging over the bars chooses a time; the ends can be moved by mouse and by arrow keys. */
export function DateHistogram({
  filter,
  query,
  changeQuery,
}: {
  readonly filter: Filter;
  readonly query: LibraryQuery;
  readonly changeQuery: ChangeQuery;
}) {
  const months = useQuery({ ...facetsQuery(filter, byUnit('month')), placeholderData: keepPreviousData });
  const monthly = months.data?.facets['captured_at'] ?? [];
  const unit = unitFor(monthly);
  const isFine = unit === 'day' || unit === 'week';
  const finer = useQuery({
    ...facetsQuery(filter, byUnit(isFine ? unit : 'month')),
    enabled: isFine && monthly.length > 0,
    placeholderData: keepPreviousData,
  });
  const buckets = isFine ? (finer.data?.facets['captured_at'] ?? []) : monthly;
  const bars = barsOf(buckets, unit);
  // Its place is kept while it is on its way: what stands below does not move.
  if (bars.length < 2) return <div className="histogram histogram-empty" />;
  return <Bars key={unit} bars={bars} unit={unit} query={query} changeQuery={changeQuery} />;
}

function Bars({
  bars,
  unit,
  query,
  changeQuery,
}: {
  readonly bars: readonly DateBar[];
  readonly unit: DateUnit;
  readonly query: LibraryQuery;
  readonly changeQuery: ChangeQuery;
}) {
  const chosen = barsWithin(bars, query);
  const isChosen = query.from !== undefined || query.before !== undefined;
  const [moving, setMoving] = useState<{ readonly first: number; readonly last: number } | undefined>(undefined);
  const { first, last } = moving ?? chosen;
  const most = Math.max(...bars.map(({ count }) => count));
  const sum = bars.slice(first, last + 1).reduce((total, { count }) => total + count, 0);

  const choose = (range: { readonly first: number; readonly last: number }) => {
    setMoving(undefined);
    const isAll = range.first <= 0 && range.last >= bars.length - 1;
    const dates = isAll
      ? { from: undefined, before: undefined }
      : { from: bars[range.first]?.from, before: bars[range.last]?.before };
    changeQuery((now) => withDates(now, dates));
  };
  const brush = useBrush({ count: bars.length, onMove: setMoving, onEnd: choose });
  const firstBar = bars[first];
  const lastBar = bars[last];
  return (
    <section className="histogram" aria-label="When the results were taken">
      <div className="histogram-bars" {...brush}>
        {bars.map((bar, index) => (
          <span
            key={bar.from}
            className={index >= first && index <= last ? 'histogram-bar' : 'histogram-bar histogram-bar-out'}
            // The square root keeps a month of one photograph visible beside one of ten thousand.
            style={{ height: bar.count === 0 ? 0 : `${Math.max(6, Math.sqrt(bar.count / most) * 100)}%` }}
            title={`${formatBar(unit, bar)}: ${formatCount(bar.count)}`}
          />
        ))}
      </div>
      <Slider
        className="histogram-slider"
        aria-label="Range of time"
        minValue={0}
        maxValue={bars.length - 1}
        value={[first, last]}
        onChange={([from = 0, to = 0]) => setMoving({ first: from, last: to })}
        onChangeEnd={([from = 0, to = 0]) => choose({ first: from, last: to })}
      >
        <SliderTrack className="histogram-track">
          {[firstBar, lastBar].map((bar, index) => (
            <SliderThumb
              key={index === 0 ? 'first' : 'last'}
              index={index}
              className="histogram-thumb"
              aria-label={`${index === 0 ? 'From' : 'To'}${bar ? ` ${formatBar(unit, bar)}` : ''}`}
            />
          ))}
        </SliderTrack>
      </Slider>
      <p className="histogram-text">
        {firstBar && lastBar && (
          <span>
            {formatBar(unit, firstBar)}
            {(first !== last || unit === 'week') && ` – ${formatBar(unit, lastBar, 'last')}`}
            <span className="quiet"> · {formatCount(sum)}</span>
          </span>
        )}
        {isChosen && (
          <Button tone="quiet" size="s" onPress={() => choose({ first: 0, last: bars.length - 1 })}>
            All times
          </Button>
        )}
      </p>
    </section>
  );
}

/** Dragging over the bars; a click is a drag over one. */
function useBrush(options: {
  readonly count: number;
  readonly onMove: (range: { readonly first: number; readonly last: number }) => void;
  readonly onEnd: (range: { readonly first: number; readonly last: number }) => void;
}) {
  const start = useRef<number | undefined>(undefined);
  const at = (event: PointerEvent<HTMLElement>): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - left) / Math.max(1, width);
    return Math.min(options.count - 1, Math.max(0, Math.floor(share * options.count)));
  };
  const rangeTo = (to: number) => {
    const from = start.current ?? to;
    return { first: Math.min(from, to), last: Math.max(from, to) };
  };
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      start.current = at(event);
      options.onMove(rangeTo(start.current));
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (start.current !== undefined) options.onMove(rangeTo(at(event)));
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      if (start.current === undefined) return;
      const range = rangeTo(at(event));
      start.current = undefined;
      options.onEnd(range);
    },
    onPointerCancel() {
      start.current = undefined;
    },
  };
}
