import { Type } from 'typebox';
import { findTools } from '../../../base/index.ts';
import { defineChannel } from '../../channel.ts';
import { WINDOWS_NAMES } from '../../name-rules.ts';
import { otherCallsOf } from '../put-by-rename.ts';
import { faultOf, STALL_MS } from '../transfer.ts';
import { classifySmb } from './smb-faults.ts';
import { createSmbFiles } from './smb-files.ts';
import { SMB_PROCESSORS, type SmbShare } from './smb-messages.ts';
import { createSmbPool } from './smb-pool.ts';
import { putOverSmb } from './smb-put.ts';
import { checkEncryption, findSmbCommand, renameUnlessTaken } from './smb-command.ts';
import { startSmbWorker } from './smb-worker.ts';

/** No separators, wildcards or control characters. */
const NAME = '[^/\\\\:*?"<>|\\x00-\\x1f]+';
const configSchema = Type.Object(
  {
    host: Type.String({ minLength: 1, maxLength: 255, pattern: '^[A-Za-z0-9_.-]+$' }),
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535, default: 445 })),
    share: Type.String({ maxLength: 80, pattern: `^${NAME}$` }),
    // A percent sign would be the end of the name for the command.
    user: Type.String({ minLength: 1, maxLength: 104, pattern: `^(?!.*%)${NAME}$` }),
    domain: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        default: 'WORKGROUP',
        pattern: `^${NAME}$`,
        description: 'Domain or workgroup',
      }),
    ),
    prefix: Type.Optional(
      Type.String({
        maxLength: 1024,
        pattern: `^(?!(?:.*/)?\\.\\.?(?:/|$))${NAME}(?:/${NAME})*$`,
        description: 'Folder in the share that exists',
      }),
    ),
    encryption: Type.Optional(
      Type.Union([Type.Literal('required'), Type.Literal('if_offered')], {
        default: 'if_offered',
        description: 'Everything is signed in any case',
      }),
    ),
    min_protocol: Type.Optional(
      Type.Union([Type.Literal('SMB2_10'), Type.Literal('SMB3_00'), Type.Literal('SMB3_11')], { default: 'SMB2_10' }),
    ),
  },
  { additionalProperties: false },
);
const secretsSchema = Type.Object(
  { password: Type.String({ minLength: 1, maxLength: 127, pattern: '^[^\\x00-\\x1f]+$' }) },
  { additionalProperties: false },
);

/** Shares of Windows, Samba and storage systems, through the libsmbclient of this machine. */
export const smbChannel = defineChannel({
  kind: 'smb',
  configSchema,
  secretsSchema,
  names: WINDOWS_NAMES,
  missing: missingSmbLibrary,
  open: async ({ config, secrets, concurrency, stallMs = STALL_MS, signal }) => {
    const share: SmbShare = {
      host: config.host,
      port: config.port ?? 445,
      share: config.share,
      domain: config.domain ?? 'WORKGROUP',
      user: config.user,
      password: secrets.password,
      encryption: config.encryption ?? 'if_offered',
      minProtocol: leastProtocol(config.min_protocol, config.encryption),
      prefix: config.prefix ?? '',
      stallMs,
    };
    // One more than there are files at a time: it reads back what another one writes.
    const pool = createSmbPool({ limit: concurrency + 1, start: (one) => startSmbWorker(share, one) });
    const files = createSmbFiles(pool);
    const guarded = async <Result>(one: AbortSignal, work: () => Promise<Result>): Promise<Result> => {
      try {
        one.throwIfAborted();
        return await work();
      } catch (error) {
        throw faultOf(error, { signal: one, classify: classifySmb });
      }
    };
    try {
      // Its start is the check of everything in the config.
      await guarded(signal, () => pool.use(signal, async () => {}));
      if (share.encryption === 'required') await guarded(signal, () => checkEncryption(share, signal));
    } catch (error) {
      await pool.close();
      throw error;
    }
    return {
      ...otherCallsOf(files),
      put: (options) =>
        putOverSmb({ pool, files, renameUnlessTaken: (names) => renameUnlessTaken(share, names) }, options),
      stat: (path, one) => guarded(one, () => files.stat(path, one)),
      close: () => pool.close(),
    };
  },
});

/** Encryption came with SMB 3. */
function leastProtocol(wanted: string | undefined, encryption: string | undefined): string {
  if (wanted === 'SMB3_11' || encryption !== 'required') return wanted ?? 'SMB2_10';
  return 'SMB3_00';
}

function missingSmbLibrary(): string | undefined {
  if (process.platform !== 'linux' || !SMB_PROCESSORS.some((arch) => arch === process.arch)) {
    return `it needs Linux on ${SMB_PROCESSORS.join(' or ')}`;
  }
  if (findTools({ path: '' }).libsmbclient !== undefined && findSmbCommand() !== undefined) return undefined;
  return 'libsmbclient or smbclient is missing (apt-get install smbclient)';
}
