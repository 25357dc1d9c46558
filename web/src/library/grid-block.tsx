import { useLayoutEffect, useMemo } from 'react';
import type { MediaHit } from '../api/media-search.ts';
import { toProblem } from '../api/problem.ts';
import { Button } from '../ui/button.tsx';
import { type BlockLayout, layoutBlock, type LayoutOptions } from './justified-layout.ts';
import type { Slice } from './result-blocks.ts';
import { Tile } from './tile.tsx';
import { useSlices } from './use-slices.ts';

export type LoadedBlock = { readonly media: readonly MediaHit[]; readonly layout: BlockLayout };

export function ratioOf(media: MediaHit): number {
  const { thumbnail } = media.qualities;
  const width = thumbnail?.width ?? media.width;
  const height = thumbnail?.height ?? media.height;
  return width && height ? width / height : Number.NaN;
}

/** Up to 60 results: asked for when they come near, laid out when they are there, and only rows in view are rendered. */
export function GridBlock({
  slices,
  isLast,
  blockIndex,
  firstIndex,
  total,
  topPx,
  heightPx,
  fromPx,
  toPx,
  layoutOptions,
  isWaiting,
  activeIndex,
  onLayout,
}: {
  /** Where its results are; none while that is not known. */
  readonly slices: readonly Slice[];
  readonly isLast: boolean;
  readonly blockIndex: number;
  readonly firstIndex: number;
  readonly total: number;
  readonly topPx: number;
  readonly heightPx: number;
  /** The part that is rendered, from the top of the block. */
  readonly fromPx: number;
  readonly toPx: number;
  readonly layoutOptions: Omit<LayoutOptions, 'isLastBlock'>;
  /** While one scrolls past quickly, nothing is asked for. */
  readonly isWaiting: boolean;
  readonly activeIndex: number;
  readonly onLayout: (blockIndex: number, loaded: LoadedBlock | undefined) => void;
}) {
  const { media, error, retry } = useSlices(slices, !isWaiting);
  const loaded = useMemo(
    () => media && { media, layout: layoutBlock(media.map(ratioOf), { ...layoutOptions, isLastBlock: isLast }) },
    [media, layoutOptions, isLast],
  );
  useLayoutEffect(() => {
    onLayout(blockIndex, loaded);
    return () => onLayout(blockIndex, undefined);
  }, [blockIndex, loaded, onLayout]);

  if (!loaded) {
    return (
      <div className="library-block library-block-waiting" style={{ top: topPx, height: heightPx }}>
        {error !== null && (
          <div className="library-block-error" role="alert">
            <span>{toProblem(error).detail}</span> <Button onPress={() => retry()}>Try again</Button>
          </div>
        )}
      </div>
    );
  }
  const rows = loaded.layout.rows.filter((row) => row.topPx < toPx && row.topPx + row.heightPx > fromPx);
  return (
    <div className="library-block" style={{ top: topPx, height: loaded.layout.heightPx }}>
      {rows.flatMap((row) =>
        loaded.media.slice(row.start, row.end).map((one, at) => {
          const box = loaded.layout.boxes[row.start + at];
          const index = firstIndex + row.start + at;
          return (
            box && (
              <Tile key={one.id} media={one} index={index} total={total} box={box} isActive={index === activeIndex} />
            )
          );
        }),
      )}
    </div>
  );
}
