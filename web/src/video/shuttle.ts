/**
 * J, K and L as in every edit system: L plays, and each further L doubles the speed; J the same backwards; K stops. With K held,
 * J and L step one frame.
 */
export type Shuttle = {
  /** 0 is paused; below 0 backwards. */
  readonly speed: number;
};

export const PAUSED: Shuttle = { speed: 0 };
export const PLAYING: Shuttle = { speed: 1 };

/** Browsers play up to 16 times; beyond 8 nobody sees anything. */
const FASTEST = 8;

/** What a press of J or L makes of the present speed. */
export function press(shuttle: Shuttle, key: 'J' | 'L'): Shuttle {
  const direction = key === 'L' ? 1 : -1;
  // Against the present direction it begins anew: from four times forwards, one J is once backwards.
  if (Math.sign(shuttle.speed) !== direction) return { speed: direction };
  return { speed: direction * Math.min(FASTEST, Math.abs(shuttle.speed) * 2) };
}

/** Space: plays from rest, and rests from anything. */
export const toggle = (shuttle: Shuttle): Shuttle => (shuttle.speed === 0 ? PLAYING : PAUSED);

/** Where backwards play is after a time, in seconds of the video: browsers play forwards only, so it is sought step by step. */
export function rewound(from: number, options: { readonly speed: number; readonly elapsedMs: number }): number {
  return Math.max(0, from + (options.speed * options.elapsedMs) / 1000);
}
