/** The visible part of a video on a line of pixels. Everything in ms of the video and CSS pixels. */
export type TimelineScale = {
  readonly durationMs: number;
  readonly widthPx: number;
  /** First visible ms. */
  readonly fromMs: number;
  readonly msPerPx: number;
};

/** At the closest, a frame of 25 a second is 20 px wide. */
const CLOSEST_MS_PER_PX = 2;
/** A tick needs this much room for its words. */
const TICK_ROOM_PX = 84;
const TICK_STEPS_MS = [
  40, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000,
  3_600_000,
];

const whole = (durationMs: number, widthPx: number) => Math.max(durationMs, 1) / Math.max(widthPx, 1);

/** All of the video. */
export function fitScale(durationMs: number, widthPx: number): TimelineScale {
  return { durationMs, widthPx, fromMs: 0, msPerPx: whole(durationMs, widthPx) };
}

function bounded(scale: TimelineScale): TimelineScale {
  const widest = whole(scale.durationMs, scale.widthPx);
  const msPerPx = Math.min(widest, Math.max(Math.min(CLOSEST_MS_PER_PX, widest), scale.msPerPx));
  const latest = Math.max(0, scale.durationMs - msPerPx * scale.widthPx);
  return { ...scale, msPerPx, fromMs: Math.min(latest, Math.max(0, scale.fromMs)) };
}

export const xOf = (scale: TimelineScale, ms: number): number => (ms - scale.fromMs) / scale.msPerPx;

/** Whole ms within the video. */
export function msAt(scale: TimelineScale, xPx: number): number {
  return Math.min(scale.durationMs, Math.max(0, Math.round(scale.fromMs + xPx * scale.msPerPx)));
}

/** Closer (factor below 1) or wider; what lies under `atPx` stays there. */
export function zoomed(
  scale: TimelineScale,
  change: { readonly factor: number; readonly atPx: number },
): TimelineScale {
  const anchor = scale.fromMs + change.atPx * scale.msPerPx;
  const next = bounded({ ...scale, msPerPx: scale.msPerPx * change.factor });
  return bounded({ ...next, fromMs: anchor - change.atPx * next.msPerPx });
}

export const panned = (scale: TimelineScale, byPx: number): TimelineScale =>
  bounded({ ...scale, fromMs: scale.fromMs + byPx * scale.msPerPx });

/** Of another width or length: what was all of the video stays all of it. */
export function resized(scale: TimelineScale, durationMs: number, widthPx: number): TimelineScale {
  const wasWhole = scale.msPerPx >= whole(scale.durationMs, scale.widthPx);
  return wasWhole ? fitScale(durationMs, widthPx) : bounded({ ...scale, durationMs, widthPx });
}

/** Moves a page on when `ms` is not visible, so that what plays stays in sight. */
export function revealed(scale: TimelineScale, ms: number): TimelineScale {
  const x = xOf(scale, ms);
  if (x >= 0 && x <= scale.widthPx) return scale;
  return bounded({ ...scale, fromMs: ms - scale.widthPx * scale.msPerPx * 0.1 });
}

/** Visible ticks, at round times. */
export function ticksOf(scale: TimelineScale): readonly { readonly ms: number; readonly xPx: number }[] {
  const wanted = TICK_ROOM_PX * scale.msPerPx;
  const step = TICK_STEPS_MS.find((one) => one >= wanted) ?? Math.ceil(wanted / 3_600_000) * 3_600_000;
  const ticks = [];
  const until = Math.min(scale.durationMs, scale.fromMs + scale.widthPx * scale.msPerPx);
  for (let ms = Math.ceil(scale.fromMs / step) * step; ms <= until; ms += step) ticks.push({ ms, xPx: xOf(scale, ms) });
  return ticks;
}
