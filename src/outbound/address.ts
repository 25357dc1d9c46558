/**
 * Which addresses lie in the public internet. What the IANA registries of special-purpose addresses (RFC 6890, RFC 8190) do not call
 * globally reachable is internal, and so is every form of IPv6 that carries such an IPv4 address.
 */
import { BlockList, isIP } from 'node:net';

/** Blocks of IPv4 that are not reachable from everywhere, or that are nobody's. */
const INTERNAL_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local: metadata of clouds
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // relays of 6to4
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
];

/** Blocks inside 2000::/3, which is all that is given out as global unicast. */
const INTERNAL_V6: readonly (readonly [string, number])[] = [
  ['2001::', 23], // protocol assignments: Teredo, ORCHID, benchmarks
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4: leads to any IPv4 address
  ['3fff::', 20], // documentation
];

const internalV4 = new BlockList();
for (const [network, prefix] of INTERNAL_V4) internalV4.addSubnet(network, prefix, 'ipv4');
const internalV6 = new BlockList();
for (const [network, prefix] of INTERNAL_V6) internalV6.addSubnet(network, prefix, 'ipv6');
const globalV6 = new BlockList();
globalV6.addSubnet('2000::', 3, 'ipv6');

/** The eight groups of an IPv6 address that `isIP` has accepted. */
function groupsOf(address: string): readonly number[] {
  // The URL parser writes the last 32 bits as groups too, and all in lower case.
  const plain = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = '', tail] = plain.split('::');
  const read = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)));
  const [first, last] = [read(head), read(tail ?? '')];
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}

const v4Of = (high: number, low: number): string => [high >> 8, high & 255, low >> 8, low & 255].join('.');

/**
 * The address without its zone, and as IPv4 where it is IPv4 in the clothes of IPv6: mapped (`::ffff:10.0.0.1`, RFC 4291) or through
 * NAT64 (`64:ff9b::10.0.0.1`, RFC 6052), which networks without IPv4 use for all of it.
 */
export function plainAddress(address: string): string {
  const [bare = ''] = address.split('%');
  if (isIP(bare) !== 6) return bare;
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, high = 0, low = 0] = groupsOf(bare);
  const isMapped = (a | b | c | d | e) === 0 && f === 0xffff;
  const isNat64 = a === 0x64 && b === 0xff9b && (c | d | e | f) === 0;
  return isMapped || isNat64 ? v4Of(high, low) : bare;
}

/** True for an address that anybody on the internet could have; false for all others, and for what is no address. */
export function isPublicAddress(address: string): boolean {
  const plain = plainAddress(address);
  const family = isIP(plain);
  if (family === 4) return !internalV4.check(plain, 'ipv4');
  if (family === 6) return globalV6.check(plain, 'ipv6') && !internalV6.check(plain, 'ipv6');
  return false;
}
