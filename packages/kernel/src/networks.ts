import ipaddr from 'ipaddr.js';

/** An IP address. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A network such as 10.0.0.0/8: its first address, and the bits that all of its addresses share. */
export type Network = readonly [address: Address, prefix: number];

const IPV4_BITS = 32;
const IPV6_BITS = 128;
/** Bits before the IPv4 address in `::ffff:0:0/96` (RFC 4291, 2.5.5.2). */
const MAPPED_BITS = 96;

/**
 * An address from its text. IPv4 has four decimal numbers: other spellings, such as 0x7f.1, mean different addresses to different programs. An IPv4 address
 * written as IPv6 (`::ffff:192.0.2.1`) comes back as IPv4. A zone (`fe80::1%eth0`), which only this machine knows, is left out.
 * @returns undefined for any other text
 */
export function parseAddress(text: string): Address | undefined {
  const bare = text.split('%')[0] as string;
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare);
  if (!bare.includes(':') || !ipaddr.IPv6.isValid(bare)) return undefined;
  const address = ipaddr.IPv6.parse(bare);
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/**
 * A network from its CIDR notation, or an address as the network that has no other. Bits behind the prefix are cleared: 10.1.2.3/8 is 10.0.0.0/8. A network
 * within `::ffff:0:0/96` comes back as the IPv4 network that it stands for.
 * @returns undefined for any other text
 */
export function parseNetwork(text: string): Network | undefined {
  const [host = '', bits, ...rest] = text.split('/');
  if (host.includes('%') || rest.length > 0) return undefined;
  const address = parseAddress(host);
  if (address === undefined) return undefined;
  const isMapped = address.kind() === 'ipv4' && host.includes(':');
  const most = host.includes(':') ? IPV6_BITS : IPV4_BITS;
  if (bits === undefined) return [address, isMapped ? IPV4_BITS : most];
  if (!/^(0|[1-9]\d{0,2})$/.test(bits) || Number(bits) > most) return undefined;
  const prefix = Number(bits) - (isMapped ? MAPPED_BITS : 0);
  return prefix < 0 ? undefined : [firstOf(address, prefix), prefix];
}

function firstOf(address: Address, prefix: number): Address {
  const cidr = `${address.toString()}/${prefix}`;
  return address.kind() === 'ipv4' ? ipaddr.IPv4.networkAddressFromCIDR(cidr) : ipaddr.IPv6.networkAddressFromCIDR(cidr);
}

/** The one spelling of a network: an address alone when it has no other, IPv6 shortened as in RFC 5952. */
export function networkText([address, prefix]: Network): string {
  const isOne = prefix === (address.kind() === 'ipv4' ? IPV4_BITS : IPV6_BITS);
  return isOne ? address.toString() : `${address.toString()}/${prefix}`;
}

/** True when the network has the address. IPv4 and IPv6 have no address in common. */
export function isWithin(address: Address, [network, prefix]: Network): boolean {
  if (address.kind() !== network.kind()) return false;
  return address.match([network, prefix] as [ipaddr.IPv4, number] & [ipaddr.IPv6, number]);
}
