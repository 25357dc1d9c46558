import { type PointerEvent as ReactPointerEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { Action } from '../api/actions.ts';
import { useShortcuts } from '../app/shortcuts.tsx';
import type { Marks } from './action-draft.ts';
import { type FrameClock, formatClock } from './frame-clock.ts';
import { packRows } from './lanes.ts';
import type { Player } from './player.ts';
import { TimelineBlock } from './timeline-block.tsx';
import {
  fitScale,
  msAt,
  panned,
  resized,
  revealed,
  ticksOf,
  type TimelineScale,
  xOf,
  zoomed,
} from './timeline-scale.ts';
import { usePlayerState } from './use-player.ts';
import { useWidth } from './use-width.ts';

const LANE_PX = 23;
/** So much room a moment has at least, in pixels. */
const MOMENT_PX = 10;
const ZOOM = 0.7;

export type Moved = { readonly action: Action; readonly startMs: number; readonly endMs: number };

/** The actions of a video as blocks over its time: by type in rows, those that overlap in lanes. */
export function Timeline({
  mediaId,
  actions,
  player,
  clock,
  durationMs,
  marks,
  selected,
  onSelect,
  onMove,
  emptyText,
}: {
  readonly mediaId: number;
  readonly actions: readonly Action[];
  readonly player: Player;
  readonly clock: FrameClock;
  readonly durationMs: number;
  readonly marks: Marks;
  readonly selected: number | undefined;
  readonly onSelect: (id: number) => void;
  /** Undefined when the key may not write. */
  readonly onMove: ((moved: Moved) => void) | undefined;
  readonly emptyText: ReactNode;
}) {
  const ruler = useRef<HTMLDivElement>(null);
  const widthPx = useWidth(ruler);
  const [given, setScale] = useState<TimelineScale>(() => fitScale(durationMs, 1));
  const scale = useMemo(() => resized(given, durationMs, widthPx), [given, durationMs, widthPx]);
  const change = (next: (scale: TimelineScale) => TimelineScale) => setScale(next(scale));
  useWheel(ruler, change);
  useFollow(player, clock, change);

  const zoomAtPlayhead = (factor: number) => {
    const atPx = xOf(scale, clock.msOf(player.getState().frame));
    change((now) => zoomed(now, { factor, atPx: atPx >= 0 && atPx <= widthPx ? atPx : widthPx / 2 }));
  };
  useShortcuts([
    { keys: '+', label: 'Look closer', group: 'Timeline', run: () => zoomAtPlayhead(ZOOM) },
    { keys: '-', label: 'See more', group: 'Timeline', run: () => zoomAtPlayhead(1 / ZOOM) },
    { keys: '0', label: 'See all of it', group: 'Timeline', run: () => setScale(fitScale(durationMs, widthPx)) },
  ]);

  const rows = useMemo(() => {
    const blocks = actions.map((action) => ({
      id: action.id,
      startMs: action.start_ms,
      endMs: action.end_ms,
      row: action.type_label,
      action,
    }));
    return packRows(blocks, MOMENT_PX * scale.msPerPx);
  }, [actions, scale.msPerPx]);

  const scrub = (event: ReactPointerEvent<HTMLDivElement>): void => {
    if (event.buttons !== 1) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    player.seekMs(msAt(scale, event.clientX - event.currentTarget.getBoundingClientRect().left));
  };

  return (
    <section className="timeline" aria-label="Timeline">
      <div className="timeline-ruler" ref={ruler} onPointerDown={scrub} onPointerMove={scrub}>
        {ticksOf(scale).map(({ ms, xPx }) => (
          <span key={ms} className="timeline-tick" style={{ left: xPx }}>
            {formatClock(ms).replace(/\.0$/, '')}
          </span>
        ))}
      </div>
      <div className="timeline-rows">
        {rows.map((row) => (
          <div key={row.key} className="timeline-row" role="group" aria-label={row.key}>
            <div className="timeline-row-name" aria-hidden title={row.key}>
              {row.key}
            </div>
            <div className="timeline-track" style={{ height: row.lanes * LANE_PX + 3 }}>
              {row.blocks.map(({ block: { action }, lane }) => (
                <TimelineBlock
                  key={action.id}
                  action={action}
                  topPx={lane * LANE_PX + 3}
                  scale={scale}
                  isSelected={action.id === selected}
                  canMove={onMove !== undefined && action.media_id === mediaId}
                  onSelect={() => onSelect(action.id)}
                  onMove={(range) => onMove?.({ action, ...range })}
                />
              ))}
            </div>
          </div>
        ))}
        {rows.length === 0 && <div className="timeline-empty">{emptyText}</div>}
      </div>
      <div className="timeline-over">
        <MarkedPart marks={marks} scale={scale} />
        <Playhead player={player} clock={clock} scale={scale} />
      </div>
    </section>
  );
}

function MarkedPart({ marks, scale }: { readonly marks: Marks; readonly scale: TimelineScale }) {
  const { inMs, outMs } = marks;
  if (inMs === null && outMs === null) return null;
  const left = xOf(scale, inMs ?? outMs ?? 0);
  const right = xOf(scale, outMs ?? inMs ?? 0);
  return <div className="timeline-marked" style={{ left, width: Math.max(0, right - left) }} />;
}

/** Of its own, since it moves with every frame. */
function Playhead({
  player,
  clock,
  scale,
}: {
  readonly player: Player;
  readonly clock: FrameClock;
  readonly scale: TimelineScale;
}) {
  const { frame } = usePlayerState(player);
  return <div className="timeline-line" style={{ transform: `translateX(${xOf(scale, clock.msOf(frame))}px)` }} />;
}

type Change = (next: (scale: TimelineScale) => TimelineScale) => void;

/** Ctrl and wheel (or two fingers apart) zooms at the pointer, the wheel sideways moves. React cannot refuse the page's own zoom. */
function useWheel(ruler: React.RefObject<HTMLDivElement | null>, change: Change): void {
  const latest = useRef(change);
  useEffect(() => {
    latest.current = change;
  });
  useEffect(() => {
    const area = ruler.current?.parentElement;
    if (!area) return undefined;
    const onWheel = (event: WheelEvent): void => {
      const isZoom = event.ctrlKey || event.metaKey;
      const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey;
      if (!isZoom && !isSideways) return;
      event.preventDefault();
      const atPx = event.clientX - (ruler.current?.getBoundingClientRect().left ?? 0);
      const { deltaX, deltaY } = event;
      latest.current((scale) =>
        isZoom ? zoomed(scale, { factor: 1.003 ** deltaY, atPx }) : panned(scale, deltaX === 0 ? deltaY : deltaX),
      );
    };
    area.addEventListener('wheel', onWheel, { passive: false });
    return () => area.removeEventListener('wheel', onWheel);
  }, [ruler]);
}

/** Turns the page when what plays leaves it. */
function useFollow(player: Player, clock: FrameClock, change: Change): void {
  const latest = useRef(change);
  useEffect(() => {
    latest.current = change;
  });
  useEffect(
    () =>
      player.subscribe(() => {
        const { frame, speed } = player.getState();
        if (speed !== 0) latest.current((scale) => revealed(scale, clock.msOf(frame)));
      }),
    [player, clock],
  );
}
