import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Images, SearchX } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { type MediaHit, mediaPageQuery, type SearchRequest } from '../api/media-search.ts';
import { ProblemView } from '../app/problem-view.tsx';
import { useShortcuts } from '../app/shortcuts.tsx';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Drawer } from '../ui/dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { DateHistogram } from './date-histogram.tsx';
import { Facets } from './facets.tsx';
import { recallPlace } from './grid-memory.ts';
import { searchOf, useLibraryQuery } from './library-search.ts';
import { MediaGrid } from './media-grid.tsx';
import { EMPTY_QUERY, isNarrow, writeQuery } from './query.ts';
import { QuickLook } from './quick-look.tsx';
import { countSelected, useSelection } from './selection.ts';
import { SelectionBar } from './selection-bar.tsx';
import { Toolbar } from './toolbar.tsx';
import { useMediaQuery } from './use-media-query.ts';
import { useResting } from './use-resting.ts';
import { useResultAt } from './use-result-at.ts';
import './library.css';

/** Counts follow when typing has paused: each of them looks at everything that was found. */
const REST_MS = 180;

/** Everything the organization has, narrowed by what is in the address. */
export function LibraryScreen() {
  const { query, changeQuery } = useLibraryQuery();
  const request = useMemo(() => searchOf(query), [query]);
  const restingRequest = useResting(request, REST_MS);
  const isNarrowScreen = useMediaQuery('(max-width: 860px)');
  const [isPanelOpen, setPanelOpen] = useState(!isNarrowScreen);
  const togglePanel = () => setPanelOpen((isOpen) => !isOpen);
  useShortcuts([{ keys: 'f', label: 'Filters', group: 'Library', run: togglePanel }]);
  const hasSelection = countSelected(useSelection()) > 0;
  const { shown, isWaiting, error, retry } = useShown(request);
  const panel = (
    <>
      <DateHistogram filter={restingRequest.filter} query={query} changeQuery={changeQuery} />
      <Facets filter={restingRequest.filter} query={query} changeQuery={changeQuery} />
    </>
  );
  return (
    <div className={classNames('library', hasSelection && 'library-has-selection')}>
      <h1 className="visually-hidden">Library</h1>
      <Toolbar
        query={query}
        changeQuery={changeQuery}
        total={shown?.total}
        isPanelOpen={isPanelOpen}
        onTogglePanel={togglePanel}
      />
      <div className="library-main">
        {isPanelOpen && !isNarrowScreen && (
          <aside className="library-panel" aria-label="Filters">
            {panel}
          </aside>
        )}
        <div className="library-results" aria-busy={isWaiting}>
          {error !== null && !isWaiting ? (
            <ProblemView error={error} onRetry={retry} />
          ) : shown === undefined ? (
            <div className="library-block-waiting library-first" aria-hidden />
          ) : shown.total === 0 ? (
            <Nothing isNarrow={isNarrow(query)} onClear={() => changeQuery(() => EMPTY_QUERY)} />
          ) : (
            <Results key={JSON.stringify(shown.request)} request={shown.request} total={shown.total} />
          )}
          <SelectionBar filter={request.filter} total={shown?.total ?? 0} />
        </div>
      </div>
      <Drawer title="Filters" isOpen={isPanelOpen && isNarrowScreen} onClose={() => setPanelOpen(false)}>
        {panel}
      </Drawer>
    </div>
  );
}

type Shown = { readonly request: SearchRequest; readonly total: number };

/** The last search whose first page is there: the grid goes on showing it until the next one can be shown. */
function useShown(request: SearchRequest) {
  const first = useQuery({ ...mediaPageQuery(request, 1), placeholderData: keepPreviousData });
  const [shown, setShown] = useState<Shown | undefined>(undefined);
  const total = first.isPlaceholderData ? undefined : first.data?.total;
  if (total !== undefined && (shown?.request !== request || shown.total !== total)) setShown({ request, total });
  return { shown, isWaiting: first.isFetching, error: first.error, retry: () => void first.refetch() };
}

function Results({ request, total }: Shown) {
  const navigate = useNavigate();
  const { query } = useLibraryQuery();
  const [activeIndex, setActiveIndex] = useState(() => recallPlace(JSON.stringify(request))?.activeIndex ?? -1);
  const [isPreviewing, setPreviewing] = useState(false);
  const open = useCallback(
    (media: MediaHit, index: number) =>
      void navigate({
        to: '/asset/$assetId',
        params: { assetId: String(media.id) },
        search: { ...writeQuery(query), at: String(index) },
      }),
    [navigate, query],
  );
  const previewed = useResultAt(request, total, isPreviewing ? activeIndex : -1);
  return (
    <>
      <MediaGrid
        request={request}
        total={total}
        onOpen={open}
        onPreview={(index) => {
          setActiveIndex(index);
          setPreviewing(true);
        }}
        activeIndex={activeIndex}
        onActiveChange={setActiveIndex}
      />
      {isPreviewing && (
        <QuickLook
          media={previewed}
          index={activeIndex}
          total={total}
          onMove={setActiveIndex}
          onOpen={() => previewed && open(previewed, activeIndex)}
          onClose={() => setPreviewing(false)}
        />
      )}
    </>
  );
}

function Nothing({ isNarrow: isNarrowed, onClear }: { readonly isNarrow: boolean; readonly onClear: () => void }) {
  const navigate = useNavigate();
  return isNarrowed ? (
    <EmptyState icon={SearchX} title="Nothing found" actions={<Button onPress={onClear}>Show everything</Button>}>
      No asset meets all of this. Take something away, or let a chip count as “any of these”.
    </EmptyState>
  ) : (
    <EmptyState
      icon={Images}
      title="The library is empty"
      actions={
        <Button tone="primary" onPress={() => void navigate({ to: '/upload' })}>
          Upload photos and videos
        </Button>
      }
    >
      What you upload appears here as soon as it can be shown.
    </EmptyState>
  );
}
