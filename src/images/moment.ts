/** The moment of a video that an image shows: the parameter `t`. */

/** A position in ms from the start of the video, or that of an action, which the caller looks up. */
export type Moment =
  | { readonly kind: 'position'; readonly ms: number }
  | { readonly kind: 'action'; readonly id: number };

/** Longer than any video that is taken in (12 hours); what is beyond a video's end shows its last frame. */
const MAX_SECONDS = 86_400;

/** Seconds to the ms: a frame lasts more than one. Undefined when malformed or out of range. */
export function parseMoment(text: string): Moment | undefined {
  const [, action] = /^action:(\d{1,15})$/.exec(text) ?? [];
  if (action !== undefined) return Number(action) > 0 ? { kind: 'action', id: Number(action) } : undefined;
  if (!/^(?:\d{1,5}(?:\.\d{0,9})?|\.\d{1,9})$/.test(text)) return undefined;
  const seconds = Number(text);
  return seconds <= MAX_SECONDS ? { kind: 'position', ms: Math.round(seconds * 1000) } : undefined;
}

/** The canonical text: seconds with as many decimals as it takes. */
export function momentText(moment: Moment): string {
  return moment.kind === 'action' ? `action:${moment.id}` : `${moment.ms / 1000}`;
}
