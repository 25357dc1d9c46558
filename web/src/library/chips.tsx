import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, ChevronDown, CircleSlash, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu } from '../ui/menu.tsx';
import { chipLabelQuery } from './chip-label.ts';
import type { ChangeQuery } from './library-search.ts';
import { type Chip, type ChipMode, EMPTY_QUERY, isNarrow, type LibraryQuery, modesOf } from './query.ts';
import { withChip, withDates, withoutChip } from './query-edits.ts';
import { TYPE_NAMES, TypeIcon } from './type-icon.tsx';
import './chips.css';

const MODE_NAMES: Readonly<Record<ChipMode, { readonly short: string; readonly long: string }>> = {
  all: { short: '', long: 'With' },
  any: { short: 'any of', long: 'With any of these' },
  none: { short: 'without', long: 'Without' },
  only: { short: 'only', long: 'Only, and no other' },
};
const VALUE_NAMES: Readonly<Record<string, string>> = {
  media_type: 'Kind',
  orientation: 'Orientation',
  usage: 'Usage',
  status: 'Status',
  rating: 'Rating',
  people_count: 'Faces',
};

/** What narrows the search, each with its own way out. */
export function Chips({ query, changeQuery }: { readonly query: LibraryQuery; readonly changeQuery: ChangeQuery }) {
  if (!isNarrow({ ...query, text: '' })) return null;
  return (
    <ul className="chips" aria-label="Narrowed by">
      {query.chips.map((chip) => (
        <li key={`${chip.type} ${chip.id}`}>
          <TagChip chip={chip} changeQuery={changeQuery} />
        </li>
      ))}
      {Object.entries(query.values).map(([field, values]) => (
        <li key={field}>
          <PlainChip
            label={`${VALUE_NAMES[field] ?? field}: ${values.join(' or ')}`}
            onRemove={() =>
              changeQuery((now) => {
                const { [field]: _removed, ...rest } = { ...now.values } as Record<
                  string,
                  readonly (string | number)[]
                >;
                return { ...now, values: rest };
              })
            }
          />
        </li>
      ))}
      {(query.from !== undefined || query.before !== undefined) && (
        <li>
          <PlainChip
            label={`Taken ${query.from === undefined ? '' : `from ${query.from}`}${query.before === undefined ? '' : ` before ${query.before}`}`}
            onRemove={() => changeQuery((now) => withDates(now, { from: undefined, before: undefined }))}
          />
        </li>
      )}
      {query.also && (
        <li>
          <PlainChip
            label="A filter of its own"
            title={JSON.stringify(query.also)}
            onRemove={() => changeQuery((now) => ({ ...now, also: undefined }))}
          />
        </li>
      )}
      <li>
        <Button tone="quiet" size="s" onPress={() => changeQuery((now) => ({ ...EMPTY_QUERY, sort: now.sort }))}>
          Clear all
        </Button>
      </li>
    </ul>
  );
}

function TagChip({ chip, changeQuery }: { readonly chip: Chip; readonly changeQuery: ChangeQuery }) {
  const client = useQueryClient();
  const { data, isError } = useQuery(chipLabelQuery(client, chip));
  const label = data ?? (isError ? `${TYPE_NAMES[chip.type].one} ${chip.id}` : '…');
  const mode = MODE_NAMES[chip.mode];
  return (
    <ChipFrame
      isExcluded={chip.mode === 'none'}
      label={label}
      onRemove={() => changeQuery((now) => withoutChip(now, chip))}
    >
      <Menu
        label={`How ${label} counts`}
        trigger={
          <Button className="chip-main" tone="quiet" size="s">
            {chip.mode === 'none' ? <CircleSlash aria-hidden /> : <TypeIcon type={chip.type} />}
            <span className={mode.short === '' ? 'visually-hidden' : 'chip-mode'}>{`${mode.short || mode.long} `}</span>
            <span className="chip-label">{label}</span>
            <ChevronDown aria-hidden className="chip-more" />
          </Button>
        }
        entries={modesOf(chip.type).map((one) => ({
          id: one,
          label: MODE_NAMES[one].long,
          ...(one === chip.mode && { icon: Check }),
          onAction: () => changeQuery((now) => withChip(now, { ...chip, mode: one })),
        }))}
      />
    </ChipFrame>
  );
}

function PlainChip({
  label,
  title,
  onRemove,
}: {
  readonly label: string;
  readonly title?: string;
  readonly onRemove: () => void;
}) {
  return (
    <ChipFrame label={label} onRemove={onRemove}>
      <span className="chip-text" title={title}>
        {label}
      </span>
    </ChipFrame>
  );
}

function ChipFrame({
  isExcluded = false,
  label,
  onRemove,
  children,
}: {
  readonly isExcluded?: boolean;
  readonly label: string;
  readonly onRemove: () => void;
  readonly children: ReactNode;
}) {
  return (
    <span className={classNames('chip', isExcluded && 'chip-excluded')}>
      {children}
      <IconButton icon={X} size="s" className="chip-remove" label={`Remove ${label}`} onPress={onRemove} />
    </span>
  );
}
