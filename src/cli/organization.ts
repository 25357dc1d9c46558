import { parseArgs } from 'node:util';
import { createLogger } from '../base/index.ts';
import { readConfig } from '../config.ts';
import { isUniqueViolation } from '../db/index.ts';
import { openInstallation } from '../installation.ts';
import { insertOrganization, listOrganizations } from '../library/index.ts';
import type { CommandIo } from './io.ts';

const USAGE = `touchline org create <slug> --name <name>
touchline org list

An organization is one library; its keys see nothing else. Make its first key with touchline key create --org <slug>.
`;

/** `touchline org create|list`. */
export async function runOrganization(args: readonly string[], io: CommandIo): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    strict: false,
    options: { name: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  const [action, slug] = positionals;
  const name = typeof values['name'] === 'string' ? values['name'] : undefined;
  const creates = action === 'create' && slug !== undefined && /^[a-z0-9][a-z0-9-]{0,62}$/.test(slug) && name;
  if (values['help'] || (action !== 'list' && !creates)) {
    (values['help'] ? io.stdout : io.stderr).write(USAGE);
    return values['help'] ? 0 : 2;
  }
  const installation = await openInstallation(readConfig(io.env), createLogger({ level: 'warn' }));
  try {
    if (creates) await insertOrganization(installation.db, { slug, name });
    for (const one of await listOrganizations(installation.db)) {
      if (!creates || one.slug === slug) io.stdout.write(`${one.id}\t${one.slug}\t${one.name}\n`);
    }
    return 0;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    io.stderr.write(`there is an organization ${slug} already\n`);
    return 1;
  } finally {
    await installation.close();
  }
}
