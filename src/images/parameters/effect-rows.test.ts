import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { AppError } from '../../base/index.ts';
import { canonicalRecipe, parseRecipe } from '../recipe.ts';

type Query = Readonly<Record<string, string>>;
const canonical = (query: Query) => canonicalRecipe(parseRecipe(query));

describe('refusing effects', () => {
  test.each([
    ['rot', '45'],
    ['rot', '-90'],
    ['rot', '360'],
    ['flip', 'x'],
    ['flip', 'vh'],
    ['flip', ''],
    ['bg', 'red'],
    ['bg', '#fff'],
    ['bg', 'ff'],
    ['bg', 'fffff'],
    ['bg', 'fffffffff'],
    ['trim', '-1'],
    ['trim', '101'],
    ['trim', ''],
    ['blur', '0.2'],
    ['blur', '101'],
    ['blur', 'NaN'],
    ['sharp', '0'],
    ['sharp', '11'],
    ['redact', 'face'],
    ['redact', 'minors'],
    ['redact', 'faces:none'],
    ['redact', 'constructor'],
    ['redact', ''],
    ['wm', '../logo'],
    ['wm', 'https://example.org/logo.png'],
    ['wm', ''],
    ['wm', 'x'.repeat(65)],
    ['maxbytes', '999'],
    ['maxbytes', '1e6'],
    ['maxbytes', '100000001'],
    ['anim', 'true'],
    ['meta', 'gps'],
    ['dl', ''],
    ['dl', '...'],
    ['q', 'best'],
  ])('%s=%s is refused by name', (name, value) => {
    const parse = () => parseRecipe({ [name]: value });
    expect(parse).toThrow(AppError);
    expect(parse).toThrow(
      `for ${name}, received ${JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)}`,
    );
  });
});

describe('canonical text of effects', () => {
  test.each<[Query, string]>([
    [{ rot: '0' }, ''],
    [{ rot: '180', flip: 'hv' }, ''],
    [{ flip: 'hv' }, 'rot=180'],
    [{ rot: '180', flip: 'h' }, 'flip=v'],
    [{ rot: '270', flip: 'v' }, 'flip=h&rot=90'],
    [{ bg: 'FFF' }, 'bg=ffffff'],
    [{ bg: '0f08' }, 'bg=00ff0088'],
    [{ bg: '123456ff' }, 'bg=123456'],
    [{ bg: '1230' }, ''],
    [{ bg: 'fff', fmt: 'jpeg' }, 'fmt=jpeg'],
    [{ bg: 'ffffff01', fmt: 'jpg' }, 'fmt=jpeg'],
    [{ bg: '000', fmt: 'jpeg' }, 'bg=000000&fmt=jpeg'],
    [{ trim: '0' }, 'trim=0'],
    [{ trim: '10.000' }, 'trim=10'],
    [{ blur: '2.50' }, 'blur=2.5'],
    [{ sharp: '.5' }, 'sharp=0.5'],
    [{ redact: 'faces:blur' }, 'redact=faces'],
    [{ redact: 'unknown:pixel' }, 'redact=unknown:pixel'],
    [{ wm: 'Press_2' }, 'wm=Press_2'],
    [{ q: 'auto' }, ''],
    [{ maxbytes: '050000' }, 'maxbytes=50000'],
    [{ anim: '0' }, ''],
    [{ anim: '1' }, 'anim=1'],
    [{ anim: '1', fmt: 'jpeg' }, 'fmt=jpeg'],
    [{ anim: '1', redact: 'faces' }, 'redact=faces'],
    [{ meta: 'copyright' }, ''],
    [{ meta: 'all' }, 'meta=all'],
    [{ meta: 'all', redact: 'faces' }, 'redact=faces'],
    [{ meta: 'none', redact: 'faces' }, 'meta=none&redact=faces'],
    [{ dl: 'Player card' }, ''],
  ])('of %j is %s', (query, text) => {
    expect(canonical(query)).toBe(text);
  });

  test('reads back as the same recipe', () => {
    const some = (...values: string[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
    const query = fc.record({
      rot: some('0', '90', '180', '270'),
      flip: some('h', 'v', 'hv'),
      bg: some('fff', '0000', 'ff000080', 'ABCDEF', 'ffffff80'),
      trim: some('0', '10', '99.999'),
      blur: some('0.3', '5', '100'),
      sharp: some('0.3', '1.005'),
      redact: some('faces', 'unknown:blur', 'faces:pixel'),
      wm: some('logo'),
      fmt: some('auto', 'jpeg', 'png', 'webp'),
      q: some('auto', '50'),
      maxbytes: some('1000', '200000'),
      anim: some('0', '1'),
      meta: some('none', 'copyright', 'all'),
      dl: some('a name'),
    });
    fc.assert(
      fc.property(query, (given) => {
        const recipe = parseRecipe(given);
        const once = canonicalRecipe(recipe);
        const again = parseRecipe(Object.fromEntries(new URLSearchParams(once)));
        expect(canonicalRecipe(again)).toBe(once);
        expect(again.turn).toEqual(recipe.turn);
        expect(again.redact).toEqual(recipe.redact);
        expect(again.metadata).toBe(recipe.metadata);
      }),
      { numRuns: 500 },
    );
  });
});

describe('dl', () => {
  test.each([
    ['Player card', 'Player card'],
    ['card.jpg', 'card'],
    ['card.final.WEBP', 'card.final'],
    ['../../etc/passwd', '_.._etc_passwd'],
    ['C:\\temp\\x', 'C_temp_x'],
    ['a\r\nSet-Cookie: b', 'aSet-Cookie_ b'],
    ['.hidden', 'hidden'],
    ['gnp\u202eexe', 'gnpexe'],
    ['Šeško 🥅', 'Šeško 🥅'],
    [`${'x'.repeat(79)}🥅🥅`, `${'x'.repeat(79)}🥅`],
  ])('%j is saved as %j', (given, saved) => {
    expect(parseRecipe({ dl: given }).downloadName).toBe(saved);
  });
});
