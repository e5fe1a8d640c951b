/** Groups of an IPv6 address that name the network; the other half is the holder's to choose. */
const NETWORK_GROUPS = 4;

/** Who counts as one client: an IPv4 address, or the IPv6 network of 64 bits that a single customer gets. */
export function networkOf(address: string): string {
  // What is no IPv6 address, or carries an IPv4 one (::ffff:192.0.2.1), stands for itself.
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail = ''] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  return [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...tail.split(':')].slice(0, NETWORK_GROUPS).join(':');
}
