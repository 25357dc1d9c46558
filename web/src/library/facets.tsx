import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type FacetBucket, facetsQuery } from '../api/media-search.ts';
import { ProblemNote } from '../app/problem-view.tsx';
import { Button } from '../ui/button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { rememberChipLabel } from './chip-label.ts';
import { FACET_FIELDS, FACET_REQUESTS, type FacetField, isChosen, nameOf, SHOWN_VALUES } from './facet-fields.ts';
import { FacetRow } from './facet-row.tsx';
import { FacetValues } from './facet-values.tsx';
import type { ChangeQuery } from './library-search.ts';
import type { Filter, LibraryQuery } from './query.ts';
import { toggleChip, toggleValue } from './query-edits.ts';
import './facets.css';

/** How the results spread over players, clubs, kinds and so on; each value narrows by itself. */
export function Facets({
  filter,
  query,
  changeQuery,
}: {
  readonly filter: Filter;
  readonly query: LibraryQuery;
  readonly changeQuery: ChangeQuery;
}) {
  const [more, setMore] = useState<FacetField | undefined>(undefined);
  const { data, error } = useQuery({ ...facetsQuery(filter, FACET_REQUESTS), placeholderData: keepPreviousData });
  const choose = useChooseValue(changeQuery);
  return (
    <div className="facets">
      <ProblemNote error={error} />
      {!data && !error && <Waiting />}
      {FACET_FIELDS.map((one) => {
        const buckets = data?.facets[one.field];
        if (!buckets || buckets.length === 0) return null;
        return (
          <section key={one.field} className="facet" aria-label={one.title}>
            <h3>{one.title}</h3>
            <ul>
              {buckets.slice(0, one.kind === 'chip' ? SHOWN_VALUES : buckets.length).map((bucket) => (
                <FacetRow
                  key={bucket.id ?? bucket.value}
                  label={nameOf(one, bucket)}
                  count={bucket.count}
                  isOn={isChosen(query, one, bucket)}
                  onPress={() => choose(one, bucket)}
                />
              ))}
            </ul>
            {one.kind === 'chip' && buckets.length > SHOWN_VALUES && (
              <Button tone="quiet" size="s" aria-label={`More ${one.title.toLowerCase()}`} onPress={() => setMore(one)}>
                More…
              </Button>
            )}
          </section>
        );
      })}
      {more && (
        <FacetValues
          field={more}
          filter={filter}
          query={query}
          onChoose={(bucket) => choose(more, bucket)}
          onClose={() => setMore(undefined)}
        />
      )}
    </div>
  );
}

/** Boxes of about the size of what will stand there. */
function Waiting() {
  return [60, 170, 120, 170, 170].map((height, index) => (
    // They have no identity beyond their place.
    // oxlint-disable-next-line react/no-array-index-key
    <Skeleton key={index} height={height} />
  ));
}

function useChooseValue(changeQuery: ChangeQuery) {
  const client = useQueryClient();
  return (one: FacetField, bucket: FacetBucket): void => {
    const { id, value, label } = bucket;
    if (one.kind === 'value') {
      if (value !== undefined) changeQuery((now) => toggleValue(now, one.field, value));
      return;
    }
    if (id === undefined) return;
    const chip = { type: one.field, id };
    if (label !== undefined) rememberChipLabel(client, chip, label);
    changeQuery((now) => toggleChip(now, chip, 'any'));
  };
}
