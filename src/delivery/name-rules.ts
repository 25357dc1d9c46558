/** What a kind of target takes as a name: the safe segment of docs/delivery.md for each. */
export type NameRules = {
  /** windows: no reserved names, no `<>:"|?*`, no dot or space at the end. */
  readonly style: 'posix' | 'windows';
  /** Of one segment, in UTF-8 bytes; for windows also in UTF-16 units. */
  readonly segmentBytes: number;
  /** Of the whole path with its prefix: UTF-8 bytes, or UTF-16 units. */
  readonly path: { readonly limit: number; readonly unit: 'bytes' | 'characters' };
};

/** Folders, SFTP, FTP and WebDAV: NAME_MAX is 255 bytes, and the temporary name beside a file has to fit too. */
export const POSIX_NAMES: NameRules = {
  style: 'posix',
  segmentBytes: 255,
  path: { limit: 4000, unit: 'bytes' },
};

/** SMB: MAX_PATH is lifted by servers, a component is 255 UTF-16 units; Linux servers keep 255 bytes. */
export const WINDOWS_NAMES: NameRules = {
  style: 'windows',
  segmentBytes: 255,
  path: { limit: 4000, unit: 'characters' },
};

/** S3: keys of 1,024 bytes. Segments stay below 255 bytes, so that what is synchronized to disks fits. */
export const S3_NAMES: NameRules = { style: 'posix', segmentBytes: 255, path: { limit: 1024, unit: 'bytes' } };

/** Azure Blob: names of 1,024 characters. */
export const AZURE_NAMES: NameRules = {
  style: 'windows',
  segmentBytes: 255,
  path: { limit: 1024, unit: 'characters' },
};
