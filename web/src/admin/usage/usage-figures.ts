import type { Schemas } from '../../api/client.ts';
import type { paths } from '../../api/schema.d.ts';

type UsageAnswer = paths['/v1/usage']['get']['responses'][200]['content']['application/json'];
export type Usage = UsageAnswer['usage'];

export const PERIODS = [
  { value: '7', label: 'The last 7 days' },
  { value: '30', label: 'The last 30 days' },
  { value: '90', label: 'The last 90 days' },
  { value: '365', label: 'The last year' },
] as const;
export type Period = (typeof PERIODS)[number]['value'];
export const periodOf = (text: string | undefined): Period =>
  PERIODS.find(({ value }) => value === text)?.value ?? '30';

const QUALITIES: Readonly<Record<string, string>> = {
  photographer: 'Originals',
  compressed: 'Compressed versions',
  thumbnail: 'Thumbnails',
  poster: 'Video posters',
};
/** The greatest first; `share` is of the greatest. */
export function storageRows(storage: Usage['storage']) {
  const rows = storage.toSorted((one, other) => other.bytes - one.bytes);
  const most = Math.max(1, ...rows.map(({ bytes }) => bytes));
  return rows.map((row) => ({ ...row, label: QUALITIES[row.quality] ?? row.quality, share: row.bytes / most }));
}

const STATUSES: Readonly<Record<Schemas['Media']['status'], string>> = {
  ready: 'Ready',
  uploading: 'Being uploaded',
  processing: 'In processing',
  failed: 'Failed',
  archived: 'Archived',
  deleted: 'In the bin',
};
/** Assets by state, with a column for each type; `share` is of the most frequent state. */
export function assetRows(assets: Usage['assets']) {
  const countOf = (type: string, status: string) =>
    assets.find((one) => one.media_type === type && one.status === status)?.count ?? 0;
  const rows = Object.entries(STATUSES)
    .map(([status, label]) => {
      const photos = countOf('photo', status);
      const videos = countOf('video', status);
      return { status, label, photos, videos, total: photos + videos };
    })
    .filter(({ status, total }) => total > 0 || status === 'ready');
  const most = Math.max(1, ...rows.map(({ total }) => total));
  return rows.map((row) => ({ ...row, share: row.total / most }));
}

/** Assets that can be found: not those in the bin. */
export const liveAssets = (assets: Usage['assets']): number =>
  assets.filter(({ status }) => status !== 'deleted').reduce((sum, { count }) => sum + count, 0);

export const storedBytes = (storage: Usage['storage']): number => storage.reduce((sum, { bytes }) => sum + bytes, 0);

export type Span = { readonly from: string; readonly to: string; readonly requests: number; readonly searches: number };

const DAY_MS = 86_400_000;
const dayText = (time: number): string => new Date(time).toISOString().slice(0, 10);
/** More bars than this cannot be told apart. */
const MAX_BARS = 100;
const WEEK = 7;

/** The days up to `today` (UTC) with those on which nothing was asked; weeks, where there would be too many. */
export function spansOf(days: Usage['days'], count: number, today: string): readonly Span[] {
  const length = count > MAX_BARS ? WEEK : 1;
  const end = Date.parse(today);
  const byDay = new Map(days.map((one) => [one.day, one]));
  const spans: Span[] = [];
  for (let last = 0; last < count; last += length) {
    const first = Math.min(last + length, count) - 1;
    const within = Array.from({ length: first - last + 1 }, (_, at) => byDay.get(dayText(end - (last + at) * DAY_MS)));
    spans.unshift({
      from: dayText(end - first * DAY_MS),
      to: dayText(end - last * DAY_MS),
      requests: within.reduce((sum, one) => sum + (one?.requests ?? 0), 0),
      searches: within.reduce((sum, one) => sum + (one?.searches ?? 0), 0),
    });
  }
  return spans;
}

const DAY_LABEL = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
export const spanText = ({ from, to }: Pick<Span, 'from' | 'to'>): string =>
  from === to ? DAY_LABEL.format(new Date(from)) : DAY_LABEL.formatRange(new Date(from), new Date(to));

/** The least of 1, 2, 5, 10, 20, 50, … that is no less: where a scale ends. */
export function scaleEnd(most: number): number {
  if (most <= 1) return 1;
  const size = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 5, 10].find((step) => step * size >= most) ?? 10) * size;
}
