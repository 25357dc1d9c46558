import { type Moment, momentAt, positionOf } from './timeline.ts';
import type { ActionPlace, Timeline } from './action-types.ts';

/** A place in ms, without the video it is in. */
export type Span = Pick<ActionPlace, 'startMs' | 'endMs' | 'eventMs'>;

export type AngleAction = {
  readonly id: number;
  readonly mediaId: number;
  readonly moment: Moment;
  readonly places: readonly (Span & { readonly mediaId: number; readonly derived: boolean })[];
};
export type AngleVideo = {
  readonly id: number;
  readonly durationMs: number | null;
  readonly timeline: Timeline | null;
};

/** What the action says of its moment, and what the timeline of its own video adds. */
function momentOf(action: AngleAction, home: Span, homeTimeline: Timeline | null): Moment {
  const { moment } = action;
  const seen = homeTimeline && momentAt(homeTimeline, home.eventMs);
  const hasClock = moment.period !== null && moment.clockMs !== null;
  return {
    wallclockAt: moment.wallclockAt ?? seen?.wallclockAt ?? null,
    period: hasClock ? moment.period : (seen?.period ?? null),
    clockMs: hasClock ? moment.clockMs : (seen?.clockMs ?? null),
  };
}

/** Moves a place to another moment; in and out keep their distance and end with the video. */
function movedTo(home: Span, eventMs: number, durationMs: number): Span {
  return {
    startMs: Math.max(0, eventMs - (home.eventMs - home.startMs)),
    endMs: Math.min(durationMs, eventMs + (home.endMs - home.eventMs)),
    eventMs,
  };
}

function spanIn(video: AngleVideo, moment: Moment, home: Span): Span | undefined {
  const { timeline, durationMs } = video;
  if (!timeline || durationMs === null) return undefined;
  const eventMs = positionOf(timeline, moment);
  if (eventMs === undefined || eventMs < 0 || eventMs >= durationMs) return undefined;
  return movedTo(home, eventMs, durationMs);
}

/**
 * The derived places that an action should have: in every video of its match that shows the moment and in which its place
 * was not given; and in its own, where that place came from the timeline.
 */
export function derivePlaces(
  action: AngleAction,
  videos: { readonly home: AngleVideo | undefined; readonly ofMatch: readonly AngleVideo[] },
): ReadonlyMap<number, Span> {
  const derived = new Map<number, Span>();
  const home = action.places.find((place) => place.mediaId === action.mediaId);
  if (!home) return derived;
  const given = new Set(action.places.flatMap((place) => (place.derived ? [] : [place.mediaId])));
  const own = home.derived && videos.home ? spanIn(videos.home, action.moment, home) : undefined;
  const anchor = own ?? home;
  if (home.derived) {
    // An action stays in its own video, where it was, when the timeline does not reach it any more.
    const { startMs, endMs, eventMs } = anchor;
    derived.set(action.mediaId, { startMs, endMs, eventMs });
  }
  // A place that the timeline no longer confirms must not be read through it.
  const isSure = !home.derived || own !== undefined;
  const moment = isSure ? momentOf(action, anchor, videos.home?.timeline ?? null) : action.moment;
  for (const video of videos.ofMatch) {
    if (video.id === action.mediaId || given.has(video.id)) continue;
    const span = spanIn(video, moment, home);
    if (span) derived.set(video.id, span);
  }
  return derived;
}
