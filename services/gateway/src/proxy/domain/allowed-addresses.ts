import { isWithin, type Network, parseAddress, parseNetwork } from '@parcelway/kernel/networks';

/** The addresses that may use a key, ready to be asked about each request. */
export interface AllowedAddresses {
  /** True when the key may be used from the address. What is no address, such as a port behind it, is none of them. */
  has(address: string): boolean;
}

/**
 * Reads the addresses of a key once, instead of per request. An entry that cannot be read allows nothing.
 * @returns null for a key without a list, which may be used from everywhere
 */
export function compileAllowedAddresses(texts: readonly string[]): AllowedAddresses | null {
  if (texts.length === 0) return null;
  const networks = texts.map(parseNetwork).filter((network): network is Network => network !== undefined);
  return {
    has(text) {
      const address = parseAddress(text);
      return address !== undefined && networks.some((network) => isWithin(address, network));
    },
  };
}
