import { expect, test } from 'vitest';
import { cleanName, nameOfDisposition, nameOfUrl } from './file-name.ts';

test('a name has no folders and no control characters', () => {
  expect(cleanName('C:\\photos\\DSC_1.jpg')).toBe('DSC_1.jpg');
  expect(cleanName('../../etc/a\u0000b.jpg')).toBe('ab.jpg');
  expect(cleanName(undefined)).toBe('unnamed');
  expect(cleanName('x'.repeat(399) + '😀').length).toBe(399);
});

test('the end of a URL is a name', () => {
  expect(nameOfUrl('https://a.example/2026/%C5%A0e%C5%A1ko.jpg?token=1#x')).toBe('Šeško.jpg');
  expect(nameOfUrl('https://a.example/50%-off')).toBe('50%-off');
  expect(nameOfUrl('https://a.example/')).toBe('unnamed');
  expect(nameOfUrl('https://a.example/a%2F..%2Fb.jpg')).toBe('b.jpg');
});

test('a server may say the name', () => {
  expect(nameOfDisposition('attachment; filename="a \\"b\\".jpg"')).toBe('a "b".jpg');
  expect(nameOfDisposition("attachment; filename=x.jpg; filename*=UTF-8''%C3%9Cber.jpg")).toBe('Über.jpg');
  expect(nameOfDisposition('inline; filename=plain.jpg')).toBe('plain.jpg');
  expect(nameOfDisposition('inline')).toBeUndefined();
  expect(nameOfDisposition('attachment; filename="../../x/passwd"')).toBe('passwd');
});
