import { describe, expect, test } from 'vitest';
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

describe('the URLs of an asset', () => {
  const asset = {
    id: 42,
    urlNonce: 'AbCdEfGh',
    revision: 3,
    usage: 'approved',
    usageAt: null,
    extension: 'jpg',
  } as const;
  const publisher = (imageMode: 'open' | 'presets' | 'signed') => ({
    id: 1,
    slug: 'club',
    name: 'Club',
    signingKey: Buffer.alloc(32, 7),
    imageMode,
  });
  const kinds = (mode: Parameters<typeof publisher>[0], given: Pick<typeof asset, 'usage'> | object = {}) => {
    const { images, image } = urls.of(publisher(mode), { ...asset, ...given });
    const all = [
      images().url,
      images().square,
      image({ w: '60' }),
      image({ p: 'card' }),
      image({ p: 'card', w: '60' }),
    ];
    return all.map((url) => ['s', 'exp'].filter((name) => new URL(url).searchParams.has(name)).join('+'));
  };

  test.each([
    ['open', ['', '', '', '', '']],
    ['presets', ['s', 's', 's', '', 's']],
    ['signed', ['s', 's', 's', 's', 's']],
  ] as const)('in mode %s carry a signature where they would not open otherwise, without an end', (mode, expected) => {
    expect(kinds(mode)).toEqual(expected);
  });

  test.each(['open', 'presets', 'signed'] as const)(
    'of an asset that is not public carry one with an end in mode %s',
    (mode) => {
      expect(new Set(kinds(mode, { usage: 'limited' }))).toEqual(new Set(['s+exp']));
    },
  );

  test('are the same each time', () => {
    for (const mode of ['open', 'presets', 'signed'] as const) {
      expect(urls.of(publisher(mode), asset).images()).toEqual(urls.of(publisher(mode), asset).images());
    }
  });
});
