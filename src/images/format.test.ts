import { expect, test } from 'vitest';

import { negotiateFormat } from './format.ts';
import { parseRecipe } from './recipe.ts';

const CHROME = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';
const OPAQUE = { hasAlpha: false };
const AUTO = parseRecipe({});

test.each([
  [CHROME, 'avif'],
  ['image/webp,*/*', 'webp'],
  ['IMAGE/WEBP; q=0.5', 'webp'],
  ['image/avif;q=0,image/webp', 'webp'],
  ['image/avif;q=0.000, image/webp ; q=0', 'jpeg'],
  ['image/avif;q=0.01', 'avif'],
  ['image/*,*/*', 'jpeg'],
  ['', 'jpeg'],
  [undefined, 'jpeg'],
  ['text/html', 'jpeg'],
])('Accept %s is answered with %s', (accept, format) => {
  expect(negotiateFormat(AUTO, accept, OPAQUE)).toEqual({ format, varyAccept: true });
});

test('transparency is kept as PNG where neither AVIF nor WebP is accepted', () => {
  expect(negotiateFormat(AUTO, '*/*', { hasAlpha: true }).format).toBe('png');
  expect(negotiateFormat(AUTO, 'image/webp', { hasAlpha: true }).format).toBe('webp');
});

test('a named format is answered whatever the Accept header, without Vary', () => {
  expect(negotiateFormat(parseRecipe({ fmt: 'jpeg' }), CHROME, { hasAlpha: true })).toEqual({
    format: 'jpeg',
    varyAccept: false,
  });
});
