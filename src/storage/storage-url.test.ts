import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseStorageUrl } from './storage-url.ts';

describe('STORAGE_URL', () => {
  test('names a local folder', () => {
    expect(parseStorageUrl('file:///srv/touchline%20files')).toEqual({
      kind: 'local',
      directory: '/srv/touchline files',
    });
  });

  test('names a bucket of a compatible store with everything', () => {
    const text =
      's3://AKIA%2FX:se%2Fcr%40et@media?endpoint=http%3A%2F%2F127.0.0.1%3A9000&region=eu-1&prefix=/a/b/&path_style=0';
    expect(parseStorageUrl(text)).toEqual({
      kind: 's3',
      bucket: 'media',
      prefix: 'a/b',
      endpoint: 'http://127.0.0.1:9000',
      region: 'eu-1',
      pathStyle: false,
      credentials: { accessKeyId: 'AKIA/X', secretAccessKey: 'se/cr@et' },
    });
  });

  test('leaves credentials to the SDK when there are none', () => {
    expect(parseStorageUrl('s3://media.example')).toEqual({
      kind: 's3',
      bucket: 'media.example',
      prefix: '',
      region: 'us-east-1',
      pathStyle: false,
    });
  });

  test('puts the bucket into the path of an endpoint unless told otherwise', () => {
    expect(parseStorageUrl('s3://media?endpoint=https://store.example')).toMatchObject({ pathStyle: true });
  });

  test.each([
    '',
    'storage',
    'http://example.com/bucket',
    'file:storage',
    'file://host/folder',
    'file:///',
    'file:///a?b=c',
    's3://',
    's3://UPPER_CASE',
    's3://onlykey@media',
    's3://:secret@media',
    's3://key:secret%ZZ@media',
    's3://media/folder',
    's3://media:99',
    's3://media?endpoint=ftp://host',
    's3://media?endpoint=http://user:pass@host',
    's3://media?endpoint=http://host/path',
    's3://media?path_style=maybe',
    's3://media?prefix=../other',
    's3://media?region=',
    's3://media?regoin=eu',
    's3://media?region=a&region=b',
    's3://media#part',
  ])('is refused with the reason: %j', (text) => {
    expect(parseStorageUrl(text)).toEqual({ error: expect.stringMatching(/^expected /) });
  });

  test('is never repeated by its error, wherever a secret may have landed', () => {
    const secret = fc.string({
      unit: fc.constantFrom('Q', 'Z', 'X', '/', '?', '#', '&', '=', '@', ':', '%'),
      minLength: 6,
    });
    fc.assert(
      fc.property(secret, fc.constantFrom('s3://key:', 's3://', 'file:///', 's3://m?', ''), (text, before) => {
        const parsed = parseStorageUrl(`${before}${text}@media?regoin=1`);
        if ('error' in parsed)
          for (const part of text.match(/[QZX]{2,}/g) ?? []) expect(parsed.error).not.toContain(part);
      }),
      { numRuns: 1000 },
    );
  });
});
