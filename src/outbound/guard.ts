/**
 * Decides where a request may go, on the address that is really connected to: the names are looked up here, every address is judged,
 * and the socket gets the judged ones. A name that answers differently the next time changes nothing.
 */
import { lookup as lookUpInSystem, Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { SECOND_MS } from '../base/index.ts';
import { isPublicAddress } from './address.ts';
import { type AllowList, plainHost } from './allow-list.ts';
import { OutboundError } from './errors.ts';

/** The addresses of a name. @throws what Node throws when there are none */
export type ResolveName = (host: string) => Promise<readonly string[]>;

/** Asks the name servers without a thread of the pool, which files and pictures need: a name may be slow on purpose. */
export function createResolver(): ResolveName {
  const resolver = new Resolver({ timeout: 2 * SECOND_MS, tries: 2 });
  return async (host) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const found = [v4, v6].flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    if (found.length === 0 && v4.status === 'rejected') throw v4.reason;
    return found;
  };
}

/** Names on the allow-list are the operator's own: they may stand in the machine's hosts file. */
const resolveInSystem: ResolveName = async (host) =>
  (await lookUpInSystem(host, { all: true })).map(({ address }) => address);

export type Guard = {
  /** What can be said without looking a name up. @throws OutboundError `url_invalid`, `address_refused` */
  checkUrl(url: URL): void;
  /** Addresses of the host that may be connected to, one at least. @throws OutboundError `address_refused`, `name_not_found` */
  resolve(host: string, options: { readonly port: number; readonly isSecure: boolean }): Promise<readonly string[]>;
};

/** For a socket: these addresses, whatever the name is. */
export function fixedLookup(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, { all }, callback) => {
    const [first] = found;
    if (all === true || !first) callback(null, found);
    else callback(null, first.address, first.family);
  };
}

export const portOf = (url: URL): number => Number(url.port || (url.protocol === 'https:' ? 443 : 80));

export function createGuard(options: { readonly allow: AllowList; readonly resolve?: ResolveName }): Guard {
  const { allow, resolve: resolveName = createResolver() } = options;

  /** Public addresses need TLS; without it, and inside, is what the list says. */
  const isAllowed = (address: string, port: number, isSecure: boolean): boolean =>
    allow.allowsAddress(address, port) || (isSecure && isPublicAddress(address));

  const refused = (host: string, isSecure: boolean) =>
    new OutboundError(
      'address_refused',
      isSecure
        ? `${host} leads to an internal address, which the setting OUTBOUND_ALLOW does not have`
        : `${host} is asked for without TLS, which the setting OUTBOUND_ALLOW does not have`,
    );

  const resolve: Guard['resolve'] = async (given, { port, isSecure }) => {
    const host = plainHost(given);
    if (isIP(host) !== 0) {
      if (allow.allowsHost(host, port) || isAllowed(host, port, isSecure)) return [host];
      throw refused(host, isSecure);
    }
    const isNamed = allow.allowsHost(host, port);
    const notFound = (cause?: unknown) => new OutboundError('name_not_found', `there is no host ${host}`, { cause });
    const addresses = await (isNamed ? resolveInSystem(host) : resolveName(host)).catch((error: unknown) => {
      throw notFound(error);
    });
    if (addresses.length === 0) throw notFound();
    // One internal address among them is enough: which one is taken is not for the name's owner to choose.
    if (!isNamed && !addresses.every((address) => isAllowed(address, port, isSecure))) throw refused(host, isSecure);
    return addresses;
  };

  return {
    resolve,
    checkUrl(url) {
      if (url.protocol !== 'https:' && url.protocol !== 'http:') {
        throw new OutboundError('url_invalid', `expected an https URL, received ${url.protocol}`);
      }
      if (url.username !== '' || url.password !== '') {
        throw new OutboundError('url_invalid', 'expected a URL without user name and password');
      }
      const [host, port, isSecure] = [plainHost(url.hostname), portOf(url), url.protocol === 'https:'];
      const isAddress = isIP(host) !== 0;
      if (isAddress && !allow.allowsHost(host, port) && !isAllowed(host, port, isSecure)) throw refused(host, isSecure);
      if (!isSecure && allow.isEmpty) throw refused(host, isSecure);
    },
  };
}
