import { describe, expect, test } from 'vitest';
import type { ExifOrientation } from './photo-metadata.ts';
import { namedRegions } from './regions.ts';

function face(name: unknown, area: Record<string, unknown>, type: unknown = 'Face') {
  return { Name: name, Type: type, Area: { Unit: 'normalized', ...area } };
}
const mwg = (...list: unknown[]) => ({
  'XMP-mwg-rs:RegionInfo': { AppliedToDimensions: { W: 600, H: 400, Unit: 'pixel' }, RegionList: list },
});

describe('named face regions', () => {
  test('are given by centre in the file and by top-left corner here', () => {
    expect(namedRegions(mwg(face('Šeško', { X: 0.3, Y: 0.5, W: 0.2, H: 0.4 })), 1)).toEqual([
      { name: 'Šeško', x: 0.2, y: 0.3, w: 0.2, h: 0.4 },
    ]);
  });

  test.each([
    [1, { x: 0.1, y: 0.2, w: 0.2, h: 0.1 }],
    [2, { x: 0.7, y: 0.2, w: 0.2, h: 0.1 }],
    [3, { x: 0.7, y: 0.7, w: 0.2, h: 0.1 }],
    [4, { x: 0.1, y: 0.7, w: 0.2, h: 0.1 }],
    [5, { x: 0.2, y: 0.1, w: 0.1, h: 0.2 }],
    [6, { x: 0.7, y: 0.1, w: 0.1, h: 0.2 }],
    [7, { x: 0.7, y: 0.7, w: 0.1, h: 0.2 }],
    [8, { x: 0.2, y: 0.7, w: 0.1, h: 0.2 }],
  ] as const satisfies readonly (readonly [ExifOrientation, object])[])(
    'turn with orientation %d',
    (orientation, box) => {
      const tags = mwg(face('A', { X: 0.2, Y: 0.25, W: 0.2, H: 0.1 }));
      expect(namedRegions(tags, orientation)).toEqual([{ name: 'A', ...box }]);
    },
  );

  test('in pixels are divided by the dimensions they were applied to', () => {
    const tags = mwg(face('A', { X: 300, Y: 200, W: 60, H: 40, Unit: 'pixel' }));
    expect(namedRegions(tags, 1)).toEqual([{ name: 'A', x: 0.45, y: 0.45, w: 0.1, h: 0.1 }]);
  });

  test("of Microsoft's people tags are read too", () => {
    const tags = {
      'XMP-MP:RegionInfoMP': { Regions: [{ PersonDisplayName: 'Kim', Rectangle: '0.1, 0.2, 0.3, 0.4' }] },
    };
    expect(namedRegions(tags, 1)).toEqual([{ name: 'Kim', x: 0.1, y: 0.2, w: 0.3, h: 0.4 }]);
  });

  test('that are pets, nameless, outside, empty or nonsense are left out', () => {
    const inside = { X: 0.5, Y: 0.5, W: 0.1, H: 0.1 };
    const tags = mwg(
      face('Rex', inside, 'Pet'),
      face('', inside),
      face('Far', { ...inside, X: 7 }),
      face('Flat', { ...inside, W: 0 }),
      face('Wrong', { ...inside, W: 'NaN' }),
      face('Listed', { X: [1], Y: {}, W: null, H: true }),
      'text',
      null,
      [],
    );
    expect(namedRegions(tags, 1)).toEqual([]);
    expect(namedRegions({ 'XMP-mwg-rs:RegionInfo': 'x', 'XMP-MP:RegionInfoMP': [1] }, 6)).toEqual([]);
  });

  test('that reach over the edge are cut at it', () => {
    expect(namedRegions(mwg(face('A', { X: 0.05, Y: 0.5, W: 0.2, H: 0.2 })), 1)).toEqual([
      { name: 'A', x: 0, y: 0.4, w: 0.15, h: 0.2 },
    ]);
  });
});
