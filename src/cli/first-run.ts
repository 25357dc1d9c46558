import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateKeyText, hashKeyText, insertKey, SCOPES, scopeOf } from '../auth/index.ts';
import { type Database, inTransaction } from '../db/index.ts';
import { insertOrganization, listOrganizations } from '../library/index.ts';

/** What the first start writes to DATA_DIR/first-run.json, readable by its owner alone. */
export type FirstRun = { readonly base_url: string; readonly api_key: string; readonly organization: string };

const FILE = 'first-run.json';

export async function readFirstRun(dataDir: string): Promise<FirstRun | undefined> {
  try {
    return JSON.parse(await readFile(join(dataDir, FILE), 'utf8')) as FirstRun;
  } catch {
    return undefined;
  }
}

/**
 * Gives an empty installation its first organization and a key with every scope. Undefined when there is one already. The
 * file is written before the transaction commits: a crash in between leaves a file that the next start overwrites, never
 * an organization whose key nobody knows.
 */
export async function createFirstOrganization(
  db: Database,
  options: { readonly dataDir: string; readonly baseUrl: string; readonly sample: boolean },
): Promise<FirstRun | undefined> {
  const organization = options.sample
    ? { slug: 'harbour-city', name: 'Harbour City sample library' }
    : { slug: 'main', name: 'Main organization' };
  return inTransaction(db, async (tx) => {
    if ((await listOrganizations(tx)).length > 0) return undefined;
    const { id } = await insertOrganization(tx, organization);
    const { text, publicId } = generateKeyText();
    await insertKey(tx, scopeOf(id), {
      publicId,
      secretSha256: hashKeyText(text),
      name: 'first key',
      scopes: SCOPES,
      cidrs: [],
      expiresAt: null,
    });
    const firstRun = { base_url: options.baseUrl, api_key: text, organization: organization.slug };
    const path = join(options.dataDir, FILE);
    await writeFile(`${path}.tmp`, `${JSON.stringify(firstRun, null, 2)}\n`, { mode: 0o600 });
    await rename(`${path}.tmp`, path);
    return firstRun;
  });
}
