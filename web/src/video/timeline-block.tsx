import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import type { Action } from '../api/actions.ts';
import { formatClock } from './frame-clock.ts';
import { draggedRange } from './lanes.ts';
import { type TimelineScale, xOf } from './timeline-scale.ts';

type Range = { readonly startMs: number; readonly endMs: number };
type Drag = { readonly part: 'whole' | 'start' | 'end'; readonly fromPx: number; readonly range: Range };

/** Nothing is dragged shorter than this. */
const MIN_MS = 40;
/** A hand that clicks moves a little. */
const CLICK_PX = 3;
const NUDGE_MS = 40;

/** What a block says: its type is that of its row. */
function nameOf(action: Action): string {
  return action.players.map(({ label }) => label).join(', ') || (action.label ?? '');
}

export function describeAction(action: Action): string {
  const who = nameOf(action);
  const range =
    action.start_ms === action.end_ms
      ? `at ${formatClock(action.event_ms)}`
      : `${formatClock(action.start_ms)} to ${formatClock(action.end_ms)}`;
  return `${action.type_label}${who === '' ? '' : `, ${who}`}, ${range}`;
}

export function TimelineBlock({
  action,
  topPx,
  scale,
  isSelected,
  canMove,
  onSelect,
  onMove,
}: {
  readonly action: Action;
  readonly topPx: number;
  readonly scale: TimelineScale;
  readonly isSelected: boolean;
  readonly canMove: boolean;
  readonly onSelect: () => void;
  readonly onMove: (range: Range) => void;
}) {
  const [drag, setDrag] = useState<Drag>();
  const { startMs, endMs } = drag?.range ?? { startMs: action.start_ms, endMs: action.end_ms };
  const isMoment = startMs === endMs;
  const left = xOf(scale, startMs);
  const width = isMoment ? 10 : Math.max(4, xOf(scale, endMs) - left);
  // Far out of sight: not drawn, unless it is being dragged or has the focus.
  if (!drag && !isSelected && (left > scale.widthPx + 50 || left + width < -50)) return null;

  const moved = (part: Drag['part'], byMs: number): Range =>
    draggedRange(
      { startMs: action.start_ms, endMs: action.end_ms },
      { part: isMoment ? 'whole' : part, byMs: Math.round(byMs), durationMs: scale.durationMs, minMs: MIN_MS },
    );
  const begin = (event: PointerEvent<HTMLButtonElement>): void => {
    if (event.button !== 0) return;
    onSelect();
    if (!canMove) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const part = event.target instanceof HTMLElement ? event.target.dataset['part'] : undefined;
    setDrag({
      part: part === 'start' || part === 'end' ? part : 'whole',
      fromPx: event.clientX,
      range: { startMs, endMs },
    });
  };
  const go = (event: PointerEvent<HTMLButtonElement>): void => {
    if (!drag) return;
    const byPx = event.clientX - drag.fromPx;
    const range = Math.abs(byPx) < CLICK_PX ? moved(drag.part, 0) : moved(drag.part, byPx * scale.msPerPx);
    setDrag({ ...drag, range });
  };
  const end = (): void => {
    if (!drag) return;
    const { range } = drag;
    setDrag(undefined);
    if (range.startMs !== action.start_ms || range.endMs !== action.end_ms) onMove(range);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && drag) return setDrag(undefined);
    const by = event.key === 'ArrowLeft' ? -NUDGE_MS : event.key === 'ArrowRight' ? NUDGE_MS : 0;
    if (by === 0 || !event.altKey || !canMove) return undefined;
    event.preventDefault();
    event.stopPropagation();
    return onMove(moved('whole', by));
  };

  return (
    <button
      type="button"
      className="timeline-block"
      style={{ left, width, top: topPx }}
      aria-label={describeAction(action)}
      aria-pressed={isSelected}
      tabIndex={isSelected ? 0 : -1}
      title={describeAction(action)}
      data-status={action.status}
      {...(isMoment ? { 'data-moment': '' } : {})}
      {...(canMove ? { 'data-movable': '' } : {})}
      onPointerDown={begin}
      onPointerMove={go}
      onPointerUp={end}
      onPointerCancel={() => setDrag(undefined)}
      onKeyDown={onKeyDown}
      onClick={onSelect}
    >
      {!isMoment && nameOf(action)}
      {canMove && !isMoment && width > 24 && (
        <>
          <span className="timeline-grip" data-part="start" />
          <span className="timeline-grip timeline-grip-end" data-part="end" />
        </>
      )}
    </button>
  );
}
