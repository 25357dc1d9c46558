import { BlockList, isIP } from 'node:net';
import { plainAddress } from './address.ts';

/** What may be reached although it is internal, and without TLS. */
export type AllowList = {
  readonly isEmpty: boolean;
  /** True when this name is on the list: whatever address it has. */
  allowsHost(host: string, port: number): boolean;
  allowsAddress(address: string, port: number): boolean;
};

type Entry = {
  readonly host?: string;
  readonly network?: { readonly address: string; readonly prefix: number };
  readonly port?: number;
};

/** A name as it is compared: lower case, no dot at the end. */
export const plainHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');

/** `host`, `host:8080`, `10.0.0.0/8`, `10.0.0.0/8:8080`, `fd00::/8`, `[fd00::/8]:8080`. @returns undefined for anything else */
function parseEntry(text: string): Entry | undefined {
  const [, bracketed, plain, portText] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  // Without brackets, colons are those of an IPv6 network.
  const rest = bracketed ?? plain ?? text;
  const port = portText === undefined ? undefined : Number(portText);
  if (port !== undefined && (port < 1 || port > 65_535)) return undefined;
  const withPort = port === undefined ? {} : { port };
  const [address = '', prefixText, ...more] = rest.split('/');
  const family = isIP(address);
  if (family !== 0) {
    const widest = family === 4 ? 32 : 128;
    const prefix = prefixText === undefined ? widest : Number(prefixText);
    const isPrefix = prefixText === undefined || (/^\d{1,3}$/.test(prefixText) && prefix <= widest);
    return isPrefix && more.length === 0 ? { network: { address, prefix }, ...withPort } : undefined;
  }
  const isName = /^[a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9_])?\.?$/i.test(rest) && /[a-z]/i.test(rest);
  return isName ? { host: plainHost(rest), ...withPort } : undefined;
}

/** A list of hosts, addresses and networks with commas between, each with a port or without. @returns undefined when one is none */
export function parseAllowList(text: string): AllowList | undefined {
  const parts = text.split(',').map((one) => one.trim());
  const entries = parts.flatMap((one) => parseEntry(one) ?? []);
  return entries.length === parts.length ? createAllowList(entries) : undefined;
}

function createAllowList(entries: readonly Entry[]): AllowList {
  const networks = entries.flatMap(({ network, port }) => {
    if (network === undefined) return [];
    const list = new BlockList();
    list.addSubnet(network.address, network.prefix, isIP(network.address) === 4 ? 'ipv4' : 'ipv6');
    return [{ list, port }];
  });
  return {
    isEmpty: entries.length === 0,
    allowsHost: (host, port) =>
      entries.some((entry) => entry.host === plainHost(host) && (entry.port ?? port) === port),
    allowsAddress(address, port) {
      const plain = plainAddress(address);
      const family = isIP(plain);
      if (family === 0) return false;
      return networks.some(
        (one) => (one.port ?? port) === port && one.list.check(plain, family === 4 ? 'ipv4' : 'ipv6'),
      );
    },
  };
}

export const NOTHING_ALLOWED: AllowList = createAllowList([]);
