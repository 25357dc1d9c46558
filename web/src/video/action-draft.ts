/** What is sent when somebody logs an action at the playhead. */
export type Marks = { readonly inMs: number | null; readonly outMs: number | null };

export const NO_MARKS: Marks = { inMs: null, outMs: null };

export type ActionDraft =
  | { readonly type: string; readonly event_ms: number }
  | { readonly type: string; readonly start_ms: number; readonly end_ms: number; readonly event_ms: number };

/** Sets the in mark; an out mark that lies before it goes. */
export const markIn = (marks: Marks, ms: number): Marks => ({
  inMs: ms,
  outMs: marks.outMs !== null && marks.outMs <= ms ? null : marks.outMs,
});

/** Sets the out mark; an in mark that lies behind it goes. */
export const markOut = (marks: Marks, ms: number): Marks => ({
  inMs: marks.inMs !== null && marks.inMs >= ms ? null : marks.inMs,
  outMs: ms,
});

/**
 * The action: a moment, or from the in mark to the out mark (or to the playhead, where only an in mark is set). The moment itself is
 * the playhead where it lies in between, else the beginning.
 */
export function draftOf(type: string, at: { readonly playheadMs: number; readonly marks: Marks }): ActionDraft {
  const { playheadMs, marks } = at;
  const { inMs } = marks;
  const end = marks.outMs ?? playheadMs;
  if (inMs === null || end <= inMs) return { type, event_ms: playheadMs };
  const event_ms = playheadMs >= inMs && playheadMs < end ? playheadMs : inMs;
  return { type, start_ms: inMs, end_ms: end, event_ms };
}
