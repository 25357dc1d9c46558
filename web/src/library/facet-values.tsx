import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState } from 'react';
import { type FacetBucket, facetsQuery } from '../api/media-search.ts';
import { ProblemNote } from '../app/problem-view.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { type FacetField, isChosen, nameOf } from './facet-fields.ts';
import { FacetRow } from './facet-row.tsx';
import type { Filter, LibraryQuery } from './query.ts';

/** As many as the service counts at once. */
const MAX_VALUES = 1000;
const ROW_PX = 30;

/** Letters that are no letter with an accent, but are typed as one without. */
const PLAIN: Readonly<Record<string, string>> = {
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ı: 'i',
};

const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[øđðłßæœþı]/g, (letter) => PLAIN[letter] ?? letter);

/** All values of a facet, in a dialog: to be narrowed by typing, and scrolled. */
export function FacetValues({
  field,
  filter,
  query,
  onChoose,
  onClose,
}: {
  readonly field: FacetField;
  readonly filter: Filter;
  readonly query: LibraryQuery;
  readonly onChoose: (bucket: FacetBucket) => void;
  readonly onClose: () => void;
}) {
  const [text, setText] = useState('');
  const { data, error } = useQuery({
    ...facetsQuery(filter, [{ field: field.field, disjunctive: true, limit: MAX_VALUES }]),
    placeholderData: keepPreviousData,
  });
  const buckets = data?.facets[field.field] ?? [];
  const wanted = fold(text.trim());
  const shown = wanted === '' ? buckets : buckets.filter((one) => fold(nameOf(field, one)).includes(wanted));
  return (
    <Dialog title={field.title} isOpen onClose={onClose} width="s">
      <SearchField label={`Narrow the ${field.title.toLowerCase()}`} value={text} onChange={setText} autoFocus />
      <ProblemNote error={error} />
      <FacetList field={field} buckets={shown} query={query} onChoose={onChoose} />
      {buckets.length === MAX_VALUES && (
        <p className="ui-hint">These are the {MAX_VALUES} most frequent. The search box finds all of them.</p>
      )}
    </Dialog>
  );
}

function FacetList({
  field,
  buckets,
  query,
  onChoose,
}: {
  readonly field: FacetField;
  readonly buckets: readonly FacetBucket[];
  readonly query: LibraryQuery;
  readonly onChoose: (bucket: FacetBucket) => void;
}) {
  const element = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: buckets.length,
    getScrollElement: () => element.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
  });
  return (
    <div ref={element} className="facet-values">
      <ul className="facet" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const bucket = buckets[index];
          return (
            bucket && (
              <FacetRow
                key={bucket.id ?? bucket.value}
                label={nameOf(field, bucket)}
                count={bucket.count}
                isOn={isChosen(query, field, bucket)}
                onPress={() => onChoose(bucket)}
                style={{ height: ROW_PX, transform: `translateY(${start}px)` }}
              />
            )
          );
        })}
      </ul>
    </div>
  );
}
