import { serveSession } from '../threads/session-worker.ts';
import { openSftpSession } from './sftp-session.ts';

serveSession(openSftpSession);
