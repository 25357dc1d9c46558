/** Colours of the parameter `bg`. */

/** sRGB, 8 bits a channel; alpha 0..1. */
export type Colour = { readonly r: number; readonly g: number; readonly b: number; readonly alpha: number };

export const WHITE: Colour = { r: 255, g: 255, b: 255, alpha: 1 };
export const TRANSPARENT: Colour = { r: 0, g: 0, b: 0, alpha: 0 };

export const isOpaque = ({ alpha }: Colour) => alpha === 1;

/** Hexadecimal digits as in CSS, without `#`: rgb, rgba, rrggbb or rrggbbaa. Undefined when malformed. */
export function parseColour(text: string): Colour | undefined {
  if (!/^(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(text)) return undefined;
  const digits = text.length < 6 ? Array.from(text, (digit) => digit + digit).join('') : text;
  const [r = 0, g = 0, b = 0, alpha = 255] = (digits.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
  return { r, g, b, alpha: alpha / 255 };
}

/** The canonical text: six digits, eight where there is transparency. */
export function colourText({ r, g, b, alpha }: Colour): string {
  const parts = alpha === 1 ? [r, g, b] : [r, g, b, Math.round(alpha * 255)];
  return parts.map((part) => part.toString(16).padStart(2, '0')).join('');
}

/** What is seen of a colour over white. */
export function overWhite({ r, g, b, alpha }: Colour): Colour {
  const over = (channel: number) => Math.round(channel * alpha + 255 * (1 - alpha));
  return { r: over(r), g: over(g), b: over(b), alpha: 1 };
}
