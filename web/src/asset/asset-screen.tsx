import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ArrowLeft, ChevronLeft, ChevronRight, Compass } from 'lucide-react';
import { lazy, Suspense, useMemo } from 'react';
import { type Media, mediaQuery, useMedia } from '../api/media.ts';
import { mediaPageQuery } from '../api/media-search.ts';
import { ProblemView } from '../app/problem-view.tsx';
import { useShortcuts } from '../app/shortcuts.tsx';
import { searchOf } from '../library/library-search.ts';
import { readQuery } from '../library/query.ts';
import { useResultAt } from '../library/use-result-at.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { AssetActions } from './asset-actions.tsx';
import { PhotoView } from './photo-view.tsx';
import './asset.css';

const VideoWorkspace = lazy(async () => {
  const { VideoWorkspace: component } = await import('../video/video-workspace.tsx');
  return { default: component };
});

/** One asset: a photo to look at, or a video to work on. */
export function AssetScreen() {
  const { assetId } = useParams({ from: '/asset/$assetId' });
  const id = Number(assetId);
  if (!Number.isSafeInteger(id) || id < 1) {
    return (
      <EmptyState icon={Compass} title="There is no such asset">
        The address ends with the number of an asset. It may have been cut off.
      </EmptyState>
    );
  }
  return <Asset id={id} />;
}

function Asset({ id }: { readonly id: number }) {
  const { data: media, error, refetch } = useMedia(id);
  return (
    <div className="asset">
      <Head media={media} />
      {media ? (
        <Suspense>
          {media.media_type === 'video' ? (
            <VideoWorkspace key={id} media={media} />
          ) : (
            <PhotoView key={id} media={media} />
          )}
        </Suspense>
      ) : (
        error && <ProblemView error={error} onRetry={() => void refetch()} />
      )}
    </div>
  );
}

/** The way back to the search that the asset was opened from, and to the results beside it. */
function Head({ media }: { readonly media: Media | undefined }) {
  const navigate = useNavigate();
  const search = useSearch({ from: '/asset/$assetId' });
  const { at, ...query } = search;
  const index = at === undefined ? -1 : Number(at);
  const back = () => void navigate({ to: '/', search: query });
  useShortcuts([{ keys: 'escape', label: 'Back to the library', group: 'Asset', run: back }]);
  return (
    <header className="asset-head">
      <IconButton icon={ArrowLeft} label="Back to the library" keys="escape" onPress={back} />
      <h1 className="asset-name">{media?.name ?? ' '}</h1>
      {media && <AssetActions id={media.id} />}
      {Number.isSafeInteger(index) && index >= 0 && <Neighbours index={index} query={query} />}
    </header>
  );
}

function Neighbours({ index, query }: { readonly index: number; readonly query: Readonly<Record<string, string>> }) {
  const navigate = useNavigate();
  const text = JSON.stringify(query);
  // The same object as long as the address says the same: queries are known by it.
  const request = useMemo(() => searchOf(readQuery(JSON.parse(text) as Record<string, string>)), [text]);
  const total = useQuery(mediaPageQuery(request, 1)).data?.total ?? 0;
  const previous = useResultAt(request, total, index - 1);
  const next = useResultAt(request, total, index + 1);
  // What comes next is read ahead, with its picture: going on has to be instant.
  useQuery({ ...mediaQuery(next?.id ?? 0), enabled: next !== undefined });
  const go = (media: { readonly id: number } | undefined, place: number) => {
    if (!media) return;
    const params = { assetId: String(media.id) };
    void navigate({ to: '/asset/$assetId', params, search: { ...query, at: String(place) }, replace: true });
  };
  const back = () => go(previous, index - 1);
  const on = () => go(next, index + 1);
  useShortcuts([
    { keys: 'arrowleft', label: 'The one before', group: 'Asset', run: back, repeats: true },
    { keys: 'arrowright', label: 'The next one', group: 'Asset', run: on, repeats: true },
  ]);
  return (
    <nav className="asset-neighbours" aria-label="Results">
      {next?.qualities.compressed && next.media_type === 'photo' && (
        <link rel="prefetch" as="image" href={next.qualities.compressed.url} />
      )}
      <IconButton icon={ChevronLeft} label="The one before" keys="arrowleft" isDisabled={!previous} onPress={back} />
      <span className="quiet">
        {(index + 1).toLocaleString('en')} of {total.toLocaleString('en')}
      </span>
      <IconButton icon={ChevronRight} label="The next one" keys="arrowright" isDisabled={!next} onPress={on} />
    </nav>
  );
}
