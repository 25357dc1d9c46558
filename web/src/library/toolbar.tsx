import { Code, PanelLeft } from 'lucide-react';
import { useState } from 'react';
import { plural } from '../ui/format.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Select } from '../ui/select.tsx';
import { ApiCallDialog } from './api-call-dialog.tsx';
import { Chips } from './chips.tsx';
import type { ChangeQuery } from './library-search.ts';
import type { LibraryQuery, Sort } from './query.ts';
import { requestOf } from './saved-request.ts';
import { SavedSearches } from './saved-searches.tsx';
import { SearchBox } from './search-box.tsx';

const SORTS: readonly { readonly value: Sort; readonly label: string }[] = [
  { value: '-created_at', label: 'Newest upload' },
  { value: 'created_at', label: 'Oldest upload' },
  { value: '-captured_at', label: 'Latest taken' },
  { value: 'captured_at', label: 'Earliest taken' },
  { value: '-rating', label: 'Best rated' },
  { value: 'relevance', label: 'Best match' },
  { value: '-updated_at', label: 'Last changed' },
  { value: 'name', label: 'Name' },
];

export function Toolbar({
  query,
  changeQuery,
  total,
  isPanelOpen,
  onTogglePanel,
}: {
  readonly query: LibraryQuery;
  readonly changeQuery: ChangeQuery;
  readonly total: number | undefined;
  readonly isPanelOpen: boolean;
  readonly onTogglePanel: () => void;
}) {
  const [showsCall, setShowsCall] = useState(false);
  return (
    <div className="library-bar">
      <IconButton icon={PanelLeft} label="Filters" keys="f" aria-pressed={isPanelOpen} onPress={onTogglePanel} />
      <SearchBox query={query} changeQuery={changeQuery} />
      <output className="library-count">{total === undefined ? ' ' : plural(total, 'asset')}</output>
      <span className="library-tools">
        <Select
          label="Order"
          isLabelHidden
          options={SORTS}
          value={query.sort}
          onChange={(sort) => changeQuery((now) => ({ ...now, sort }))}
        />
        <SavedSearches query={query} changeQuery={changeQuery} />
        <IconButton icon={Code} label="Show as API call" onPress={() => setShowsCall(true)} />
      </span>
      <Chips query={query} changeQuery={changeQuery} />
      <ApiCallDialog request={requestOf(query)} isOpen={showsCall} onClose={() => setShowsCall(false)} />
    </div>
  );
}
