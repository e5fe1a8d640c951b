import { isWithin, type Network, parseAddress, parseNetwork } from '@parcelway/kernel/networks';

/**
 * Networks from their CIDR notation.
 * @throws Error with a sentence that completes "WEBHOOK_ALLOWED_NETWORKS …"
 */
export function parseNetworks(list: readonly string[]): readonly Network[] {
  return list.map((text) => {
    const network = text.includes('/') ? parseNetwork(text) : undefined;
    if (network !== undefined) return network;
    throw new Error(`must be networks in CIDR notation separated by commas, such as 127.0.0.0/8,::1/128; "${text}" is not a network`);
  });
}

/** Global unicast addresses are assigned from here alone (RFC 4291 and IANA); this also leaves out IPv4-compatible ones such as ::127.0.0.1. */
const GLOBAL_UNICAST_V6 = parseNetwork('2000::/3') as Network;

/** Addresses of the public range that lead into a provider's own network: the host agent and metadata of Azure. */
const PROVIDER_INTERNAL = parseNetworks(['168.63.129.16/32']);

/**
 * What an address is to webhooks: `allowed` when the operator has named its network, `public` when it is one of the
 * internet's, `refused` otherwise. An IPv4 address written as IPv6 (::ffff:0:0/96) is judged as the IPv4 address that
 * it reaches; the other ways to reach IPv4 through IPv6 (NAT64, 6to4, Teredo) are refused.
 */
export function judgeAddress(address: string, allowed: readonly Network[]): 'allowed' | 'public' | 'refused' {
  const parsed = parseAddress(address);
  if (parsed === undefined) return 'refused';
  if (allowed.some((network) => isWithin(parsed, network))) return 'allowed';
  if (parsed.range() !== 'unicast' || PROVIDER_INTERNAL.some((network) => isWithin(parsed, network))) return 'refused';
  return parsed.kind() === 'ipv4' || isWithin(parsed, GLOBAL_UNICAST_V6) ? 'public' : 'refused';
}

/** The network of this machine that an address, or a name of this machine, is in; undefined for every other place. */
export function loopbackNetworkOf(place: string): string | undefined {
  if (/(^|\.)localhost$/.test(place)) return '127.0.0.0/8';
  const parsed = parseAddress(place);
  if (parsed?.range() !== 'loopback') return undefined;
  return parsed.kind() === 'ipv4' ? '127.0.0.0/8' : '::1/128';
}
