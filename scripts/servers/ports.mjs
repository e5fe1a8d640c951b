/** First port of a set, unless PARCELWAY_SERVERS_PORT_BASE says otherwise; below the range that the kernel hands out to clients. */
export const DEFAULT_PORT_BASE = 27_000;

/** A set uses ports from its base up to base + 199, so that bases 200 apart never meet. */
const SPAN = 200;

/** The port through a fault proxy is this far above the server's own. */
const PROXY_OFFSET = 100;

/**
 * The port base that a variable asks for.
 * @param {string | undefined} text
 * @returns {number}
 * @throws {Error} when it is no whole number from 1024 to 65336
 */
export function portBaseOf(text) {
  if (text === undefined || text === '') return DEFAULT_PORT_BASE;
  const base = Number(text);
  if (!Number.isInteger(base) || base < 1024 || base + SPAN > 65_536) {
    throw new Error(`PARCELWAY_SERVERS_PORT_BASE must be a whole number from 1024 to ${65_536 - SPAN}, not "${text}"`);
  }
  return base;
}

/**
 * Every port of a set, all on 127.0.0.1.
 * @param {number} base
 * @param {boolean} cluster three MongoDB and three Kafka nodes instead of one
 */
export function portsOf(base, cluster) {
  const nodes = cluster ? [0, 1, 2] : [0];
  const proxied = (port) => ({ port, proxy: port + PROXY_OFFSET });
  return {
    mongo: nodes.map((node) => proxied(base + 17 + node)),
    toxiproxy: base + 74,
    redis: proxied(base + 79),
    s3: proxied(base + 90),
    kafka: nodes.map((node) => ({
      port: base + 92 + node,
      /** The listener behind the proxy; its clients are told the proxy's port. */
      behindProxy: base + 102 + node,
      controller: base + 112 + node,
      proxy: base + 92 + node + PROXY_OFFSET,
    })),
  };
}
