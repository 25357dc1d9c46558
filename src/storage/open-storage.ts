import { AppError, type Clock, type Logger, systemClock } from '../base/index.ts';
import { openLocalStorage } from './local-storage.ts';
import type { ObjectStorage } from './object-storage.ts';
import { parseStorageUrl, type StorageConfig } from './storage-url.ts';

/**
 * Opens the storage that STORAGE_URL names. `tempDirectory` takes the local copies of S3 objects; local storage keeps
 * its temporary files beside the objects. Files that a crash left behind a day ago or more are removed.
 * @throws AppError `validation_failed` for a malformed URL, `unavailable` when a folder cannot be made or written
 */
export async function openStorage(
  url: URL | StorageConfig,
  options: { readonly tempDirectory: string; readonly logger: Logger; readonly clock?: Clock },
): Promise<ObjectStorage> {
  const config = url instanceof URL ? parseStorageUrl(url.href) : url;
  if ('error' in config) throw new AppError('validation_failed', `STORAGE_URL: ${config.error}`);
  const { tempDirectory, logger, clock = systemClock } = options;
  if (config.kind === 'local') return openLocalStorage(config.directory, { logger, clock });
  // The client is large, and a start without it is a twentieth of a second quicker.
  const { openS3Storage } = await import('./s3-storage.ts');
  return openS3Storage(config, { tempDirectory, logger, clock });
}
