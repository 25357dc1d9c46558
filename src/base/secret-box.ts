/** Secrets of destinations and webhooks at rest: AES-256-GCM (NIST SP 800-38D), 96-bit random nonces, bound to the organization. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from './errors.ts';

export type SealedSecrets = { readonly sealed: Buffer; readonly keyId: string };

export type SecretBox = {
  seal(organizationId: number, secrets: Readonly<Record<string, unknown>>): SealedSecrets;
  /** @throws AppError `unavailable` when the key is not there any more, or the bytes are not what was sealed */
  open(organizationId: number, sealed: SealedSecrets): Readonly<Record<string, unknown>>;
  /** Of the key that seals. */
  readonly keyId: string;
};

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** 64 hex digits. @returns undefined for anything else */
export function parseSecretKey(text: string): Buffer | undefined {
  return /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : undefined;
}

const keyIdOf = (key: Buffer): string =>
  createHash('sha256').update('touchline key id').update(key).digest('hex').slice(0, 12);
// The text was chosen when destinations were alone; what is sealed already needs it as it is.
const boundTo = (organizationId: number): Buffer => Buffer.from(`destination secrets of ${organizationId}`);

/** The first key seals; the others open what was sealed before it took their place. */
export function createSecretBox(keys: readonly [Buffer, ...Buffer[]]): SecretBox {
  const byId = new Map(keys.map((key) => [keyIdOf(key), key]));
  const [first] = keys;
  return {
    keyId: keyIdOf(first),
    seal(organizationId, secrets) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', first, nonce).setAAD(boundTo(organizationId));
      const body = Buffer.concat([cipher.update(JSON.stringify(secrets), 'utf8'), cipher.final()]);
      return { sealed: Buffer.concat([nonce, cipher.getAuthTag(), body]), keyId: keyIdOf(first) };
    },
    open(organizationId, { sealed, keyId }) {
      const key = byId.get(keyId);
      if (!key) {
        throw new AppError(
          'unavailable',
          `expected the setting SECRET_KEY to hold the key ${keyId}, which sealed these secrets`,
        );
      }
      try {
        const opener = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES)).setAAD(
          boundTo(organizationId),
        );
        opener.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        const text = Buffer.concat([
          opener.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)),
          opener.final(),
        ]).toString();
        // Authentic, so it is what `seal` wrote: an object as JSON.
        return JSON.parse(text) as Readonly<Record<string, unknown>>;
      } catch (cause) {
        throw new AppError('unavailable', 'the secrets cannot be opened: they are damaged', { cause });
      }
    },
  };
}

/** The keys of the setting, or the one in a file that is made at the first start. @throws AppError `unavailable` */
export async function openSecretBox(options: {
  readonly keys: readonly Buffer[];
  readonly keyFile: string;
}): Promise<SecretBox> {
  const [first, ...others] = options.keys;
  const kept = await readKeyFile(options.keyFile, { make: first === undefined });
  // A key that was generated goes on opening what it sealed when the setting is given later.
  if (first) return createSecretBox([first, ...others, ...(kept ? [kept] : [])]);
  if (!kept) throw new AppError('unavailable', 'expected a key for secrets, there is none');
  return createSecretBox([kept]);
}

async function readKeyFile(path: string, { make }: { readonly make: boolean }): Promise<Buffer | undefined> {
  if (make) {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    // Exclusive: of two nodes that start at once on one folder, one makes the key.
    const handle = await open(path, 'wx', 0o600).catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return undefined;
      throw error;
    });
    if (handle) {
      try {
        await handle.writeFile(`${randomBytes(KEY_BYTES).toString('hex')}\n`);
        await handle.sync();
      } finally {
        await handle.close();
      }
    }
  }
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const key = parseSecretKey(text.trim());
  if (!key)
    throw new AppError('unavailable', `expected a key of 64 hex digits in the file secret.key, found something else`);
  return key;
}
