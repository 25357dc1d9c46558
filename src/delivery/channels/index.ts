import type { DestinationChannel } from '../channel.ts';
import { azureBlobChannel } from './azure-blob/azure-channel.ts';
import { createFolderChannel } from './folder/folder-channel.ts';
import { s3Channel } from './s3/s3-channel.ts';
import { sftpChannel } from './sftp/sftp-channel.ts';
import { webdavChannel } from './webdav/webdav-channel.ts';

/** Every kind of destination; a new one is one line here. */
export function createChannels(options: {
  readonly folders: readonly string[];
}): ReadonlyMap<string, DestinationChannel> {
  const channels: readonly DestinationChannel[] = [
    createFolderChannel({ roots: options.folders }),
    s3Channel,
    sftpChannel,
    azureBlobChannel,
    webdavChannel,
  ];
  return new Map(channels.map((channel) => [channel.kind, channel]));
}
