import { FTPError } from 'basic-ftp';
import { ChannelError, type FaultCode } from '../../channel.ts';
import { errorCode } from '../transfer.ts';

/** Replies of https://datatracker.ietf.org/doc/html/rfc959#section-4.2 and, for TLS, of RFC 2228 and RFC 4217. */
const REPLIES: Readonly<Record<number, FaultCode>> = {
  421: 'busy',
  425: 'busy',
  426: 'connection_lost',
  430: 'credentials',
  431: 'refused',
  450: 'busy',
  451: 'failed',
  452: 'disk_full',
  500: 'unsupported',
  501: 'refused',
  502: 'unsupported',
  503: 'refused',
  504: 'unsupported',
  522: 'refused',
  530: 'credentials',
  532: 'credentials',
  534: 'refused',
  550: 'permission',
  551: 'refused',
  552: 'disk_full',
  553: 'permission',
};

/** Servers answer 550 (and 451, 530, 553) for everything: their words tell more. The first that fits counts. */
const WORDS: readonly (readonly [RegExp, FaultCode])[] = [
  [/no space|disk (is )?full|quota|insufficient (disk|storage)|not enough (disk )?space|overlimit/i, 'disk_full'],
  [/maximum number|too many|try again later/i, 'busy'],
  [/no such|not found|does ?n.t exist|does not exist|cannot find/i, 'not_found'],
  [/name too long|invalid (file ?)?name|illegal/i, 'name_illegal'],
  [/\b(TLS|SSL)\b/, 'refused'],
];

/** The first transfer of a connection tries ways to reach a port for its data, and tells the last refusal in a text alone. */
const NO_WAY = /^None of the available transfer strategies work\. Last error response was 'FTPError: (\d{3}) (.*)'\.$/s;

/** The refusal that an error tells of, for those that hold only its words. */
export function refusalIn(error: unknown): unknown {
  const [, code, words] = error instanceof Error ? (NO_WAY.exec(error.message) ?? []) : [];
  return code === undefined ? error : new FTPError({ code: Number(code), message: `${code} ${words}` });
}

/** The number of a server's refusal; undefined for anything else. */
export function replyCode(error: unknown): number | undefined {
  return error instanceof FTPError ? error.code : undefined;
}

/** A reply's number alone makes the message: the words are the server's, and may quote what was sent. */
export function classifyFtp(error: unknown): ChannelError {
  const reply = replyCode(error);
  if (error instanceof FTPError && reply !== undefined) {
    const told = WORDS.find(([words]) => words.test(error.message))?.[1];
    const code = told ?? REPLIES[reply] ?? (reply >= 500 ? 'refused' : 'failed');
    return new ChannelError(code, `expected the FTP server to accept the command, received ${reply}`, { cause: error });
  }
  const text = error instanceof Error ? error.message : '';
  const said = errorCode(error) ?? 'no reply';
  if (/^(ERR_SSL|ERR_TLS|EPROTO)/.test(said)) {
    return new ChannelError('refused', `expected TLS of the FTP server, received ${said}`, { cause: error });
  }
  if (text.startsWith('Timeout')) {
    return new ChannelError('timeout', 'expected the FTP server to go on, it was silent', { cause: error });
  }
  if (/PASV returned another host/.test(text)) {
    return new ChannelError(
      'refused',
      'expected data connections to the host of config.host, the server named another one',
      { cause: error },
    );
  }
  // The library's other faults are ends of connections, which it tells by texts.
  return new ChannelError('connection_lost', 'expected an open connection to the FTP server, received its end', {
    cause: error,
  });
}
