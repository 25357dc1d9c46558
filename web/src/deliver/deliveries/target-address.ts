import type { Destination } from '../../api/destinations.ts';

/** Parts of a path without slashes at their ends, joined; those that are empty are left out. */
const joined = (...parts: readonly string[]): string =>
  parts
    .map((part) => part.replaceAll(/^\/+|\/+$/g, ''))
    .filter((part) => part !== '')
    .join('/');

/** Where a file lies, as one would look for it with other programs. Empty where the kind is not known. */
export function targetAddress({ kind, config }: Pick<Destination, 'kind' | 'config'>, path: string): string {
  const text = (name: string) => {
    const value: unknown = (config as Readonly<Record<string, unknown>>)[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  const host = text('port') === '' ? text('host') : `${text('host')}:${text('port')}`;
  const below = joined(text('prefix'), path);
  const blobs = (text('endpoint') || `https://${text('account')}.blob.core.windows.net`).replace(/\/+$/, '');
  switch (kind) {
    case 'folder':
      return `${text('path').replace(/\/+$/, '')}/${path}`;
    case 's3':
      return `s3://${text('bucket')}/${below}`;
    case 'azure_blob':
      return `${blobs}/${joined(text('container'), below)}`;
    case 'sftp':
      return `sftp://${host}/${below}`;
    case 'ftp':
      return `${text('security') === 'none' ? 'ftp' : 'ftps'}://${host}/${below}`;
    case 'smb':
      return `smb://${host}/${joined(text('share'), below)}`;
    case 'webdav':
      return `${text('url').replace(/\/+$/, '')}/${path}`;
    case 'webhook':
      return text('url');
    default:
      return '';
  }
}
