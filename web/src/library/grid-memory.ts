/** Where each search was left, so that coming back from an asset shows the same place. */
export type GridPlace = {
  readonly offsetPx: number;
  /** For a window of this width; another one has other rows. */
  readonly widthPx: number;
  /** About the first result in sight. */
  readonly firstIndex: number;
  readonly activeIndex: number;
};

const MAX_PLACES = 30;
const places = new Map<string, GridPlace>();

export function rememberPlace(key: string, place: GridPlace): void {
  places.delete(key);
  places.set(key, place);
  const [oldest] = places.keys();
  if (places.size > MAX_PLACES && oldest !== undefined) places.delete(oldest);
}

export function recallPlace(key: string): GridPlace | undefined {
  return places.get(key);
}
