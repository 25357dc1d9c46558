import { describe, expect, test } from 'vitest';

import { AppError } from '../../base/index.ts';
import { canonicalRecipe, parseRecipe } from '../recipe.ts';

type Query = Record<string, string>;

const CROP = { w: '60', h: '40' };
const canonical = (query: Query) => canonicalRecipe(parseRecipe(query));
/** The canonical text of a crop without its size. */
const ofCrop = (query: Query) =>
  canonical({ ...CROP, ...query })
    .split('&')
    .filter((part) => !/^[hw]=/.test(part))
    .join('&');

function faultOf(query: Query): AppError {
  try {
    parseRecipe(query);
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error(`expected a refusal of ${JSON.stringify(query)}`);
}

describe('refused by name', () => {
  test.each([
    ['f', 'player'],
    ['f', 'player:'],
    ['f', 'player:0'],
    ['f', 'player:012'],
    ['f', 'player:-1'],
    ['f', 'player:1.5'],
    ['f', 'player:9007199254740992'],
    ['f', 'player:12:13'],
    ['f', 'faces,player:x'],
    ['z', '-0.1'],
    ['z', '1.1'],
    ['z', 'close'],
    ['z', ''],
    ['pad', '5.1'],
    ['pad', '-1'],
    ['face', '0'],
    ['face', '1001'],
    ['face', '1.5'],
    ['rect', '0,0,10'],
    ['rect', '0,0,10,10,10'],
    ['rect', '0,0,0,10'],
    ['rect', '0,0,10,0'],
    ['rect', '-5,0,10,10'],
    ['rect', '0,0,10,1e3'],
    ['rect', '0.5,0.5,10,10'],
    ['rect', '1.0,0,0.5,0.5'],
    ['rect', '0.1,0.1,0.0,0.5'],
    ['rect', '0,0,,10'],
    ['rect', ' 0,0,10,10'],
    ['up', '2'],
    ['up', 'true'],
  ])('%s=%s', (name, value) => {
    const { code, errors } = faultOf({ ...CROP, [name]: value });
    expect(code).toBe('image_parameter_invalid');
    expect(errors).toMatchObject([{ pointer: name, code: 'invalid' }]);
  });
});

describe('the canonical text', () => {
  test.each<[Query, string]>([
    [{ f: 'player:12' }, 'f=player:12'],
    [{ f: 'player:9007199254740991,auto' }, 'f=player:9007199254740991,focal,faces,attention'],
    [{ f: 'player:12,player:13,player:12,face' }, 'f=player:12,player:13,face'],
    [{ f: 'faces,player:12,n' }, 'f=faces,n'],
    [{ f: 'face', z: '.50', pad: '1.0' }, 'f=face&z=0.5'],
    [{ f: 'face', z: '0.12345', pad: '2.00' }, 'f=face&pad=2&z=0.123'],
    [{ z: '0.5' }, 'z=0.5'],
    [{ f: 'face', face: '2' }, 'f=face&face=2'],
    [{ face: '2' }, 'f=face,attention&face=2'],
    [{ rect: '010,0,100,50' }, 'rect=10,0,100,50'],
    [{ rect: '0,0,.5,0.250' }, 'rect=0,0,0.5,0.25'],
    [{ rect: '0.75,0.5,1,1' }, 'rect=0.75,0.5,0.25,0.5'],
    [{ up: '1' }, 'up=1'],
  ])('of %j is %s', (query, text) => {
    expect(ofCrop(query)).toBe(text);
  });

  test.each<Query>([
    { z: '0' },
    { z: '0.0001' },
    { pad: '3' },
    { f: 'auto', face: '4' },
    { rect: '0,0,1.0,1' },
    { rect: '0.,0,1,1' },
    { up: '0' },
  ])('of %j is that of the plain crop', (query) => {
    expect(ofCrop(query)).toBe('');
  });

  test.each<[Query, Query]>([
    [
      { f: 'center', z: '1', pad: '2' },
      { f: 'center', z: '0' },
    ],
    [{ f: 'attention', z: '1' }, { f: 'attention' }],
    [
      { f: 'focal', z: '1', pad: '2' },
      { f: 'focal', z: '1' },
    ],
    [{ f: 'faces', face: '2' }, { f: 'faces' }],
    [{ f: 'face', face: '1' }, { f: 'face' }],
    [{ fit: 'inside', z: '1', f: 'face', pad: '2', face: '3' }, { fit: 'inside' }],
  ])('of %j is that of %j', (one, other) => {
    expect(canonical({ ...CROP, ...one })).toBe(canonical({ ...CROP, ...other }));
  });

  test('has no enlargement where there is no size to enlarge to', () => {
    expect(canonical({ up: '1' })).toBe('');
    expect(canonical({ up: '1', w: '10' })).toBe('up=1&w=10');
  });

  test('tells pixels from fractions', () => {
    expect(ofCrop({ rect: '0,0,1,1' })).toBe('rect=0,0,1,1');
    expect(ofCrop({ rect: '0,0,1,.5' })).toBe('rect=0,0,1,0.5');
  });
});
