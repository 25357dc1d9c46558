import { parseArgs } from 'node:util';
import {
  type ApiKeyRecord,
  generateKeyText,
  hashKeyText,
  insertKey,
  isCidr,
  listKeys,
  revokeKey,
  SCOPES,
  type Scope,
  scopeOf,
} from '../auth/index.ts';
import { createLogger } from '../base/index.ts';
import { readConfig } from '../config.ts';
import type { Database } from '../db/index.ts';
import { openInstallation } from '../installation.ts';
import { listOrganizations, type Organization, writeLibrary } from '../library/index.ts';
import type { CommandIo } from './io.ts';

const USAGE = `touchline key create --name <name> [--scopes ${SCOPES.join(',')}] [--expires <RFC 3339 time>] [--cidr <network>]... [--org <slug>]
touchline key list [--org <slug>]
touchline key revoke <id or prefix> [--org <slug>]

create prints the key once; only its SHA-256 is kept. Without --scopes a key can read (media.read).
--org may be left out while there is one organization.
`;

class UsageError extends Error {}

function pickOrganization(organizations: readonly Organization[], slug: string | undefined): Organization {
  const found =
    slug === undefined
      ? organizations.length === 1
        ? organizations[0]
        : undefined
      : organizations.find((one) => one.slug === slug);
  if (found) return found;
  const known = organizations.map((one) => one.slug).join(', ') || 'none yet: touchline org create';
  throw new UsageError(
    `expected --org to be one of the organizations (${known})${slug === undefined ? '' : `, received ${slug}`}`,
  );
}

function readScopes(text: string): readonly Scope[] {
  const given = text.split(',').map((one) => one.trim());
  const wrong = given.filter((one) => !(SCOPES as readonly string[]).includes(one));
  if (wrong.length > 0) throw new UsageError(`expected scopes of ${SCOPES.join(', ')}, received ${wrong.join(', ')}`);
  return given as Scope[];
}

function stateOf(key: ApiKeyRecord): string {
  if (key.revokedAt) return `revoked ${key.revokedAt.toISOString()}`;
  if (!key.expiresAt) return 'active';
  return `${key.expiresAt <= new Date() ? 'expired' : 'until'} ${key.expiresAt.toISOString()}`;
}

type Values = { readonly name?: string; readonly scopes?: string; readonly expires?: string; readonly cidr?: string[] };

async function create(db: Database, organization: Organization, values: Values): Promise<string> {
  if (!values.name) throw new UsageError('expected --name, so that a list tells the keys apart');
  const expiresAt = values.expires === undefined ? null : new Date(values.expires);
  if (expiresAt && Number.isNaN(expiresAt.getTime()))
    throw new UsageError('expected --expires to be a time such as 2027-06-30T00:00:00Z');
  const cidrs = values.cidr ?? [];
  const wrong = cidrs.filter((cidr) => !isCidr(cidr));
  if (wrong.length > 0)
    throw new UsageError(`expected --cidr to be a network such as 10.0.0.0/8, received ${wrong.join(', ')}`);
  const { text, publicId } = generateKeyText();
  const scope = scopeOf(organization.id);
  const { name } = values;
  await writeLibrary(db, scope, async (write) => {
    const key = await insertKey(write.tx, scope, {
      publicId,
      secretSha256: hashKeyText(text),
      name,
      scopes: readScopes(values.scopes ?? 'media.read'),
      cidrs,
      expiresAt,
    });
    write.record({ type: 'api_key.created', objectId: key.id });
  });
  return `${text}\n`;
}

async function list(db: Database, organization: Organization): Promise<string> {
  const keys = await listKeys(db, scopeOf(organization.id), { limit: 1000, offset: 0 });
  const rows = keys.map((key) => [
    String(key.id),
    `tl_${key.publicId}`,
    key.name,
    key.scopes.join(','),
    stateOf(key),
    key.lastUsedAt ? `used ${key.lastUsedAt.toISOString()}` : 'never used',
  ]);
  return rows.map((row) => `${row.join('\t')}\n`).join('');
}

async function revoke(db: Database, organization: Organization, wanted: string): Promise<string> {
  const scope = scopeOf(organization.id);
  const keys = await listKeys(db, scope, { limit: 10_000, offset: 0 });
  const key = keys.find((one) => String(one.id) === wanted || `tl_${one.publicId}` === wanted);
  if (!key) throw new UsageError(`expected the id or prefix of a key of ${organization.slug}, received ${wanted}`);
  await writeLibrary(db, scope, async (write) => {
    await revokeKey(write.tx, scope, key.id);
    write.record({ type: 'api_key.revoked', objectId: key.id });
  });
  return `revoked ${key.id} tl_${key.publicId} (${key.name})\n`;
}

/** `touchline key create|list|revoke` on the installation's own database, also while the service runs. */
export async function runKey(args: readonly string[], io: CommandIo): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        scopes: { type: 'string' },
        expires: { type: 'string' },
        cidr: { type: 'string', multiple: true },
        org: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    const [action, wanted] = positionals;
    if (values.help || !action) {
      io.stdout.write(USAGE);
      return values.help ? 0 : 2;
    }
    if (!['create', 'list', 'revoke'].includes(action))
      throw new UsageError(`expected create, list or revoke, received ${action}`);
    const installation = await openInstallation(readConfig(io.env), createLogger({ level: 'warn' }));
    try {
      const organization = pickOrganization(await listOrganizations(installation.db), values.org);
      if (action === 'create') io.stdout.write(await create(installation.db, organization, values));
      else if (action === 'list') io.stdout.write(await list(installation.db, organization));
      else if (wanted === undefined) throw new UsageError('expected the id or prefix of the key to revoke');
      else io.stdout.write(await revoke(installation.db, organization, wanted));
      return 0;
    } finally {
      await installation.close();
    }
  } catch (error) {
    const parsing = error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
    if (!(error instanceof UsageError) && !parsing) throw error;
    io.stderr.write(`${error.message}\n\n${USAGE}`);
    return 2;
  }
}
