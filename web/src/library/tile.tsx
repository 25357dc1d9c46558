import { Check, CircleAlert, LoaderCircle, Play } from 'lucide-react';
import { memo } from 'react';
import type { MediaHit } from '../api/media-search.ts';
import { classNames } from '../ui/class-names.ts';
import { formatDuration } from '../ui/format.ts';
import type { Box } from './justified-layout.ts';
import { useIsSelected } from './selection.ts';

export const tileId = (index: number): string => `result-${index}`;

/** One result. What happens with it is up to the grid, which listens for all of them (`data-index`). */
export const Tile = memo(function Tile({
  media,
  index,
  total,
  box,
  isActive,
}: {
  readonly media: MediaHit;
  readonly index: number;
  readonly total: number;
  readonly box: Box;
  readonly isActive: boolean;
}) {
  const isSelected = useIsSelected(media.id);
  const picture = media.qualities.thumbnail?.url;
  return (
    <div
      id={tileId(index)}
      role="option"
      // The grid has the focus; this only makes it possible to point at one (aria-activedescendant).
      tabIndex={-1}
      aria-selected={isSelected}
      aria-posinset={index + 1}
      aria-setsize={total}
      aria-label={describe(media)}
      data-index={index}
      className={classNames('library-tile', isActive && 'library-tile-active')}
      style={{ left: box.leftPx, top: box.topPx, width: box.widthPx, height: box.heightPx }}
    >
      {picture === undefined ? (
        <Placeholder media={media} />
      ) : (
        <img src={picture} alt="" width={box.widthPx} height={box.heightPx} decoding="async" draggable={false} />
      )}
      {media.media_type === 'video' && (
        <span className="library-tile-note">
          <Play aria-hidden />
          {media.duration_ms !== null && formatDuration(media.duration_ms)}
        </span>
      )}
      <span className="library-tile-check" data-check aria-hidden>
        <Check />
      </span>
    </div>
  );
});

/** The name of the option: also what stands on it as text. */
function describe(media: MediaHit): string {
  const duration = media.duration_ms === null ? '' : `, ${formatDuration(media.duration_ms)}`;
  const state = media.status === 'ready' ? '' : `, ${media.failure?.reason ?? media.status}`;
  return `${media.name}, ${media.media_type}${duration}${state}`;
}

function Placeholder({ media }: { readonly media: MediaHit }) {
  const isFailed = media.status === 'failed';
  return (
    <span className="library-tile-state">
      {isFailed ? <CircleAlert aria-hidden /> : <LoaderCircle aria-hidden />}
      <span>{isFailed ? (media.failure?.reason ?? 'Failed') : 'Processing'}</span>
    </span>
  );
}
