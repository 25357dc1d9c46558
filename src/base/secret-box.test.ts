import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSecretBox, openSecretBox, parseSecretKey } from './secret-box.ts';

const SECRETS = { password: 'correct horse', access_key: 'AKIA' };

describe('secrets at rest', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'secret-box-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('are opened by the organization and key that sealed them alone', () => {
    const box = createSecretBox([randomBytes(32)]);
    const sealed = box.seal(1, SECRETS);
    expect(box.open(1, sealed)).toEqual(SECRETS);
    expect(() => box.open(2, sealed)).toThrow('damaged');
    expect(() => createSecretBox([randomBytes(32)]).open(1, sealed)).toThrow(sealed.keyId);
  });

  test('show nothing of themselves, and are sealed differently each time', () => {
    const box = createSecretBox([randomBytes(32)]);
    const [one, two] = [box.seal(1, SECRETS), box.seal(1, SECRETS)];
    expect(one.sealed.equals(two.sealed)).toBe(false);
    for (const text of ['correct', 'AKIA', 'password']) expect(one.sealed.includes(text)).toBe(false);
  });

  test('are refused when a single bit was changed', () => {
    const box = createSecretBox([randomBytes(32)]);
    const { sealed, keyId } = box.seal(1, SECRETS);
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => box.open(1, { sealed: changed, keyId }), String(at)).toThrow('damaged');
    }
  });

  test('of an older key are opened while it stands behind the new one', () => {
    const [older, newer] = [randomBytes(32), randomBytes(32)];
    const sealed = createSecretBox([older]).seal(1, SECRETS);
    const rotated = createSecretBox([newer, older]);
    expect(rotated.open(1, sealed)).toEqual(SECRETS);
    expect(rotated.seal(1, SECRETS).keyId).not.toBe(sealed.keyId);
  });

  test('have a generated key that nobody else may read, the same at each start', async () => {
    const keyFile = join(folder, 'new', 'secret.key');
    const sealed = (await openSecretBox({ keys: [], keyFile })).seal(1, SECRETS);
    expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
    expect((await readFile(keyFile, 'utf8')).trim()).toMatch(/^[0-9a-f]{64}$/);
    expect((await openSecretBox({ keys: [], keyFile })).open(1, sealed)).toEqual(SECRETS);
    // A setting that is given later.
    const later = await openSecretBox({ keys: [randomBytes(32)], keyFile });
    expect(later.open(1, sealed)).toEqual(SECRETS);
  });

  test('need a key file that holds a key', async () => {
    const keyFile = join(folder, 'broken.key');
    await writeFile(keyFile, 'not a key');
    await expect(openSecretBox({ keys: [], keyFile })).rejects.toMatchObject({ code: 'unavailable' });
    expect(parseSecretKey('ab'.repeat(31))).toBeUndefined();
    expect(parseSecretKey('AB'.repeat(32))).toHaveLength(32);
  });
});
