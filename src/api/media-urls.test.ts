import { expect, test } from 'vitest';
import { createMediaUrls } from './media-urls.ts';

const urls = createMediaUrls({
  baseUrl: 'https://media.example',
  clock: { now: () => new Date('2026-03-14T19:30:00Z') },
});
const at = (time: string) => new Date(time);

test.each([
  ['a public asset for ever', 'approved', null, undefined],
  ['a limited one to the full hour, when its signatures are renewed', 'limited', null, '2026-03-14T20:00:00Z'],
  ['an embargoed one to the full hour', 'embargoed', '2026-03-15T00:00:00Z', '2026-03-14T20:00:00Z'],
  ['one whose embargo ends within the hour to its end', 'embargoed', '2026-03-14T19:45:00Z', '2026-03-14T19:45:00Z'],
  ['one whose embargo is over for ever', 'embargoed', '2026-03-14T19:00:00Z', undefined],
  ['one that expires to then', 'expired', '2026-04-01T00:00:00Z', '2026-04-01T00:00:00Z'],
  ['one that has expired to the full hour', 'expired', '2026-03-14T19:00:00Z', '2026-03-14T20:00:00Z'],
] as const)('the URLs of %s stay the same', (_what, usage, usageAt, until) => {
  const expected = until === undefined ? Number.POSITIVE_INFINITY : at(until).getTime();
  expect(urls.goodUntilMs({ usage, usageAt: usageAt === null ? null : at(usageAt) })).toBe(expected);
});
