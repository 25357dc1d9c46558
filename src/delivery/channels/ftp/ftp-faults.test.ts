import { FTPError } from 'basic-ftp';
import { expect, test } from 'vitest';
import { classifyFtp, replyCode } from './ftp-faults.ts';

test.each([
  ['421 Too many connections (8) from this IP', 'busy'],
  ['421 Service not available', 'busy'],
  ['425 Unable to build data connection: Address already in use', 'busy'],
  ['425 EPSV: Address already in use', 'busy'],
  ['426 Failure writing network stream.', 'connection_lost'],
  ['450 .touchline-1.partial: Resource temporarily unavailable', 'busy'],
  ['451 Transfer aborted. Input/output error', 'failed'],
  ['451 Failure writing to local file: No space left on device', 'disk_full'],
  ['452 Transfer aborted. No space left on device', 'disk_full'],
  ['552 Transfer aborted. Disk quota exceeded', 'disk_full'],
  ['530 Login incorrect.', 'credentials'],
  ['530 Sorry, the maximum number of allowed clients (2) already connected', 'busy'],
  ['550 SSL/TLS required on the control channel', 'refused'],
  ['522 SSL connection failed: session reuse required', 'refused'],
  ['550 one.jpg: No such file or directory', 'not_found'],
  ['550 The system cannot find the file specified. ', 'not_found'],
  ['550 one.jpg: Permission denied', 'permission'],
  ['553 Could not create file.', 'permission'],
  ['502 Command not implemented', 'unsupported'],
])('the reply %s is told as %s', (reply, code) => {
  const error = new FTPError({ code: Number(reply.slice(0, 3)), message: reply });
  expect(classifyFtp(error)).toMatchObject({ code });
  expect(replyCode(error)).toBe(Number(reply.slice(0, 3)));
});

test('the words of a server stay out of the message: they may quote what was sent', () => {
  const error = new FTPError({ code: 501, message: '501 PASS the secret: syntax error' });
  expect(classifyFtp(error).message).toBe('expected the FTP server to accept the command, received 501');
});

test('faults of the connection may be over at the next try, those of TLS are not', () => {
  const reset = Object.assign(new Error('Server sent FIN packet unexpectedly, closing connection.'), { code: '0' });
  expect(classifyFtp(reset)).toMatchObject({ code: 'connection_lost', permanent: false });
  expect(classifyFtp(new Error('Timeout (control socket)'))).toMatchObject({ code: 'timeout', permanent: false });
  const tls = Object.assign(new Error('wrong version number'), { code: 'ERR_SSL_WRONG_VERSION_NUMBER' });
  expect(classifyFtp(tls)).toMatchObject({ code: 'refused', permanent: true });
});
