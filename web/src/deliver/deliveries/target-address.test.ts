import { expect, test } from 'vitest';
import { targetAddress } from './target-address.ts';

test.each([
  ['folder', { path: '/srv/press/' }, '/srv/press/a/b.jpg'],
  ['s3', { bucket: 'media', prefix: 'in/' }, 's3://media/in/a/b.jpg'],
  ['s3', { bucket: 'media' }, 's3://media/a/b.jpg'],
  ['azure_blob', { account: 'club', container: 'in' }, 'https://club.blob.core.windows.net/in/a/b.jpg'],
  ['azure_blob', { endpoint: 'http://blobs.example/club/', container: 'in' }, 'http://blobs.example/club/in/a/b.jpg'],
  [
    'sftp',
    { host: 'files.example', port: 2222, prefix: '/home/press' },
    'sftp://files.example:2222/home/press/a/b.jpg',
  ],
  ['ftp', { host: 'files.example', security: 'none' }, 'ftp://files.example/a/b.jpg'],
  ['ftp', { host: 'files.example' }, 'ftps://files.example/a/b.jpg'],
  ['smb', { host: 'nas', share: 'media', prefix: 'in' }, 'smb://nas/media/in/a/b.jpg'],
  ['webdav', { url: 'https://dav.example/in/' }, 'https://dav.example/in/a/b.jpg'],
  ['webhook', { url: 'https://hooks.example/in' }, 'https://hooks.example/in'],
  ['pigeon', {}, ''],
])('a file at a %s with %o lies at its address', (kind, config, address) => {
  expect(targetAddress({ kind, config }, 'a/b.jpg')).toBe(address);
});
