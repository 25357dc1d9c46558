/** Grammar of the focus parameter: one item, or a chain of items separated by commas of which the first that applies is used. */

export const COMPASS_POINTS = ['n', 'ne', 'e', 'se', 's', 'sw', 'w', 'nw'] as const;
export type CompassPoint = (typeof COMPASS_POINTS)[number];

export type FocusItem =
  | { readonly kind: 'center' }
  | { readonly kind: 'compass'; readonly point: CompassPoint }
  | { readonly kind: 'face' }
  | { readonly kind: 'faces' }
  | { readonly kind: 'player'; readonly id: number }
  | { readonly kind: 'focal' }
  | { readonly kind: 'attention' }
  | { readonly kind: 'entropy' }
  | { readonly kind: 'point'; readonly x: number; readonly y: number };

export type FocusChain = readonly FocusItem[];

/**
 * What `auto` stands for. `attention` always finds something, so the centre that API.md lists as fourth can only be
 * reached by taking `attention` out of this list.
 */
export const AUTO_CHAIN: FocusChain = [{ kind: 'focal' }, { kind: 'faces' }, { kind: 'attention' }];

/** A URL is written by anybody: eight alternatives are more than a person needs, and bound the work. */
const MAX_ITEMS = 8;

/** Four decimals: below one pixel up to a picture of 10,000 px. */
const POINT_DECIMALS = 4;

/** Items that show a face, where there is one. */
export const seeksFace = ({ kind }: FocusItem) => kind === 'face' || kind === 'faces' || kind === 'player';

/** These name something that a picture may lack; all other items always apply and end their chain. */
const isConditional = (item: FocusItem) => seeksFace(item) || item.kind === 'focal';

const isCompassPoint = (text: string): text is CompassPoint => COMPASS_POINTS.some((point) => point === text);

const parseFraction = (text: string | undefined): number | undefined => {
  if (text === undefined || !/^(?:0|1|[01]?\.\d{1,12}|[01]\.)$/.test(text)) return undefined;
  const value = Number(text);
  return value >= 0 && value <= 1 ? Number(value.toFixed(POINT_DECIMALS)) : undefined;
};

function parseItem(text: string): FocusChain | undefined {
  if (text === 'auto') return AUTO_CHAIN;
  if (isCompassPoint(text)) return [{ kind: 'compass', point: text }];
  switch (text) {
    case 'center':
    case 'face':
    case 'faces':
    case 'focal':
    case 'attention':
    case 'entropy':
      return [{ kind: text }];
    default:
  }
  const [prefix, first, second, ...rest] = text.split(':');
  if (prefix === 'player') {
    const id = Number(first);
    return second === undefined && /^[1-9]\d{0,15}$/.test(first ?? '') && Number.isSafeInteger(id)
      ? [{ kind: 'player', id }]
      : undefined;
  }
  const x = parseFraction(first);
  const y = parseFraction(second);
  if (prefix !== 'fp' || x === undefined || y === undefined || rest.length > 0) return undefined;
  return [{ kind: 'point', x, y }];
}

/**
 * Parses a chain and reduces it to what can take effect: `auto` is spelled out, and items after one that always applies,
 * repeated items, and face rules after `face` or `faces` (which lack a face only when there is none) are dropped. Undefined when malformed.
 */
export function parseFocusChain(text: string): FocusChain | undefined {
  const parts = text.split(',');
  if (parts.length > MAX_ITEMS) return undefined;
  const chain: FocusItem[] = [];
  const needs = new Set<string>();
  let ended = false;
  for (const part of parts) {
    const items = parseItem(part);
    if (!items) return undefined;
    for (const item of items) {
      if (ended) break;
      const need = item.kind === 'faces' ? 'face' : focusItemText(item);
      if (needs.has(need) || (needs.has('face') && seeksFace(item))) continue;
      needs.add(need);
      chain.push(item);
      ended = !isConditional(item);
    }
  }
  return chain;
}

/** The text of one item, as in the URL and in `X-Focus`. */
export function focusItemText(item: FocusItem): string {
  if (item.kind === 'compass') return item.point;
  if (item.kind === 'player') return `player:${item.id}`;
  if (item.kind === 'point') return `fp:${item.x}:${item.y}`;
  return item.kind;
}

/** The canonical text of a chain. */
export function focusChainText(chain: FocusChain): string {
  return chain.map(focusItemText).join(',');
}
