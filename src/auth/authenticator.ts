import { timingSafeEqual } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import { AppError, type Clock, type Logger, MINUTE_MS, messageOf, SECOND_MS } from '../base/index.ts';
import type { Database } from '../db/index.ts';
import { type ApiKeyRecord, findKeyByPublicId, touchKey } from './api-key-store.ts';
import { hashKeyText, parseKeyText } from './key-text.ts';
import { type LibraryScope, type Scope, scopeOf } from './scopes.ts';

/** Who calls: the key, and the proof of the organization it may touch. */
export type Principal = { readonly key: ApiKeyRecord; readonly scope: LibraryScope };

export type Authenticator = {
  /**
   * @throws AppError `api_key_invalid` for unknown, revoked and expired keys alike; `address_not_allowed` when the key is
   *   bound to networks and `address` is outside of them
   */
  authenticate(keyText: string, address: string): Promise<Principal>;
  /** For answers that go on: whether the key may still be used. @throws AppError as `authenticate` */
  confirm(principal: Principal, address: string): Promise<void>;
  /** Forgets a key that was just revoked, so that the refusal is immediate on this node. */
  forget(publicId: string): void;
};

/** Another node's revocation is seen after this time at most. */
const CACHE_MS = 2 * SECOND_MS;
const CACHE_MAX_KEYS = 10_000;
const LAST_USED_RESOLUTION_MS = MINUTE_MS;

const invalid = () => new AppError('api_key_invalid', 'The API key is unknown, revoked or expired.');

/** True for `10.0.0.0/8`, `2001:db8::/32` or a single address. */
export function isCidr(text: string): boolean {
  const [address, prefix, ...rest] = text.split('/');
  const family = isIP(address ?? '');
  if (family === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128);
}

/** An IPv4 address that came in over an IPv6 socket (`::ffff:10.0.0.1`) is the IPv4 address. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}

/** True when the address lies in one of the networks. */
export function addressMatches(address: string, cidrs: readonly string[]): boolean {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [network = '', prefix] = cidr.split('/');
    const family = isIP(network) === 4 ? 'ipv4' : 'ipv6';
    list.addSubnet(network, prefix === undefined ? (family === 'ipv4' ? 32 : 128) : Number(prefix), family);
  }
  const plain = plainAddress(address);
  const family = isIP(plain);
  return family !== 0 && list.check(plain, family === 4 ? 'ipv4' : 'ipv6');
}

/** Recognises keys by one indexed look-up, remembered for 2 s. */
export function createAuthenticator(options: {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
}): Authenticator {
  const { db, clock, logger } = options;
  type Cached = { readonly record: ApiKeyRecord; readonly secretSha256: Buffer; readonly readAtMs: number };
  const cache = new Map<string, Cached>();
  const touchedAtMs = new Map<number, number>();

  const find = async (publicId: string): Promise<Cached | undefined> => {
    const nowMs = clock.now().getTime();
    const cached = cache.get(publicId);
    if (cached && nowMs - cached.readAtMs < CACHE_MS) return cached;
    const found = await findKeyByPublicId(db, publicId);
    if (!found) {
      cache.delete(publicId);
      return undefined;
    }
    if (cache.size >= CACHE_MAX_KEYS) cache.clear();
    const entry = { ...found, readAtMs: nowMs };
    cache.set(publicId, entry);
    return entry;
  };

  const noteUse = (record: ApiKeyRecord, now: Date) => {
    const before = touchedAtMs.get(record.id) ?? record.lastUsedAt?.getTime() ?? 0;
    if (now.getTime() - before < LAST_USED_RESOLUTION_MS) return;
    touchedAtMs.set(record.id, now.getTime());
    touchKey(db, record.id, now).catch((error: unknown) =>
      logger.warn({ event: 'api_key.touch_failed', reason: messageOf(error) }),
    );
  };

  const checkUsable = (record: ApiKeyRecord, address: string): void => {
    if (record.revokedAt || (record.expiresAt && record.expiresAt <= clock.now())) throw invalid();
    if (record.cidrs.length > 0 && !addressMatches(address, record.cidrs)) {
      throw new AppError('address_not_allowed', `This API key may not be used from ${plainAddress(address)}.`);
    }
  };

  return {
    async authenticate(keyText, address) {
      const parsed = parseKeyText(keyText);
      if (!parsed) throw invalid();
      const found = await find(parsed.publicId);
      if (!found || !timingSafeEqual(found.secretSha256, hashKeyText(keyText))) throw invalid();
      const { record } = found;
      checkUsable(record, address);
      noteUse(record, clock.now());
      return { key: record, scope: scopeOf(record.organizationId) };
    },
    async confirm({ key }, address) {
      const found = await find(key.publicId);
      if (!found) throw invalid();
      checkUsable(found.record, address);
    },
    forget: (publicId) => void cache.delete(publicId),
  };
}

/** @throws AppError `scope_missing` that names the required and the missing scopes. */
export function requireScopes(principal: Principal, required: readonly Scope[]): void {
  const missing = required.filter((scope) => !principal.key.scopes.includes(scope));
  if (missing.length > 0) {
    throw new AppError('scope_missing', `This request needs the scope ${required.join(' and ')}.`, {
      details: { required, missing },
    });
  }
}
