import { defineChannel } from '../../channel.ts';
import { POSIX_NAMES } from '../../name-rules.ts';
import { openSessionThreads } from '../threads/session-threads.ts';
import { configSchema, secretsSchema } from './sftp-config.ts';

/** Folders of an SSH server. */
export const sftpChannel = defineChannel({
  kind: 'sftp',
  configSchema,
  secretsSchema,
  names: POSIX_NAMES,
  open: (target) => openSessionThreads(new URL('./sftp-worker.ts', import.meta.url), target),
});
