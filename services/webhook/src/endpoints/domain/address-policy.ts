import ipaddr from 'ipaddr.js';

/** A network such as 10.0.0.0/8. */
export type Network = readonly [address: ipaddr.IPv4 | ipaddr.IPv6, prefix: number];

/**
 * Networks from their CIDR notation.
 * @throws Error with a sentence that completes "WEBHOOK_ALLOWED_NETWORKS …"
 */
export function parseNetworks(list: readonly string[]): readonly Network[] {
  return list.map((text) => {
    try {
      return ipaddr.parseCIDR(text);
    } catch (cause) {
      throw new Error(`must be networks in CIDR notation separated by commas, such as 127.0.0.0/8,::1/128; "${text}" is not a network`, {
        cause,
      });
    }
  });
}

/** Global unicast addresses are assigned from here alone (RFC 4291 and IANA); this also leaves out IPv4-compatible ones such as ::127.0.0.1. */
const GLOBAL_UNICAST_V6: Network = [ipaddr.IPv6.parse('2000::'), 3];

/** Addresses of the public range that lead into a provider's own network: the host agent and metadata of Azure. */
const PROVIDER_INTERNAL: readonly Network[] = [[ipaddr.IPv4.parse('168.63.129.16'), 32]];

/**
 * What an address is to webhooks: `allowed` when the operator has named its network, `public` when it is one of the
 * internet's, `refused` otherwise. An IPv4 address written as IPv6 (::ffff:0:0/96) is judged as the IPv4 address that
 * it reaches; the other ways to reach IPv4 through IPv6 (NAT64, 6to4, Teredo) are refused.
 */
export function judgeAddress(address: string, allowed: readonly Network[]): 'allowed' | 'public' | 'refused' {
  // A zone (fe80::1%eth0) only exists on link-local addresses.
  const bare = address.split('%')[0] as string;
  if (!ipaddr.isValid(bare)) return 'refused';
  const parsed = ipaddr.process(bare);
  if (allowed.some((network) => isWithin(parsed, network))) return 'allowed';
  if (parsed.range() !== 'unicast' || PROVIDER_INTERNAL.some((network) => isWithin(parsed, network))) return 'refused';
  return parsed.kind() === 'ipv4' || isWithin(parsed, GLOBAL_UNICAST_V6) ? 'public' : 'refused';
}

/** The network of this machine that an address, or a name of this machine, is in; undefined for every other place. */
export function loopbackNetworkOf(place: string): string | undefined {
  if (/(^|\.)localhost$/.test(place)) return '127.0.0.0/8';
  const bare = place.split('%')[0] as string;
  if (!ipaddr.isValid(bare)) return undefined;
  const parsed = ipaddr.process(bare);
  if (parsed.range() !== 'loopback') return undefined;
  return parsed.kind() === 'ipv4' ? '127.0.0.0/8' : '::1/128';
}

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, [network, prefix]: Network): boolean {
  if (address.kind() !== network.kind()) return false;
  return address.match([network, prefix] as [ipaddr.IPv4, number] & [ipaddr.IPv6, number]);
}
