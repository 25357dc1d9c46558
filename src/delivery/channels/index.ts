import type { Outbound } from '../../outbound/index.ts';
import type { DestinationChannel } from '../channel.ts';
import { azureBlobChannel } from './azure-blob/azure-channel.ts';
import { createFolderChannel } from './folder/folder-channel.ts';
import { ftpChannel } from './ftp/ftp-channel.ts';
import { s3Channel } from './s3/s3-channel.ts';
import { sftpChannel } from './sftp/sftp-channel.ts';
import { smbChannel } from './smb/smb-channel.ts';
import { createWebhookChannel } from './webhook/webhook-channel.ts';
import { webdavChannel } from './webdav/webdav-channel.ts';

/** Every kind of destination; a new one is one line here. */
export function createChannels(options: {
  readonly folders: readonly string[];
  /** Of kind webhook. */
  readonly outbound?: Pick<Outbound, 'post' | 'check'> | undefined;
  readonly stallMs?: number | undefined;
}): ReadonlyMap<string, DestinationChannel> {
  const channels: readonly DestinationChannel[] = [
    createFolderChannel({ roots: options.folders }),
    s3Channel,
    sftpChannel,
    ftpChannel,
    smbChannel,
    azureBlobChannel,
    webdavChannel,
    createWebhookChannel(options.outbound),
  ];
  const { stallMs } = options;
  return new Map(
    channels.map((channel) => [channel.kind, { ...channel, open: (target) => channel.open({ stallMs, ...target }) }]),
  );
}
