import { expect, test } from 'vitest';
import { nameIn } from './download.ts';

test.each([
  [`attachment; filename="Tor 1.jpg"; filename*=UTF-8''Tor%201.jpg`, 'Tor 1.jpg'],
  [`attachment; filename="S_esko.jpg"; filename*=UTF-8''%C5%A0e%C5%A1ko.jpg`, 'Šeško.jpg'],
  ['attachment; filename="a \\"quoted\\" one.jpg"', 'a "quoted" one.jpg'],
  ['attachment', undefined],
  [null, undefined],
])('%j names %j', (disposition, name) => {
  expect(nameIn(disposition)).toBe(name);
});
