/** First port of a set, unless PARCELWAY_SERVERS_PORT_BASE says otherwise; below the range that the kernel gives to clients. */
export const DEFAULT_PORT_BASE = 27_000;

/** A set uses ports from its base up to base + 199, so that bases 200 apart never meet. */
const SPAN = 200;

/** The port through a fault proxy is this far above the server's own. */
const PROXY_OFFSET = 100;

/**
 * The port base that a variable asks for.
 * @throws Error when it is no whole number from 1024 to 65336
 */
export function portBaseOf(text: string | undefined): number {
  if (text === undefined || text === '') return DEFAULT_PORT_BASE;
  const base = Number(text);
  if (!Number.isInteger(base) || base < 1024 || base + SPAN > 65_536) {
    throw new Error(`PARCELWAY_SERVERS_PORT_BASE must be a whole number from 1024 to ${65_536 - SPAN}, not "${text}"`);
  }
  return base;
}

/** A server's own port and the one of the fault proxy in front of it. */
export interface ProxiedPort {
  readonly port: number;
  readonly proxy: number;
}

/** The ports of a Kafka node. */
export interface KafkaPorts extends ProxiedPort {
  /** The listener behind the proxy; its clients get the proxy's port. */
  readonly behindProxy: number;
  readonly controller: number;
}

/** Every port of a set; the first node is always there. */
export interface Ports {
  readonly mongo: readonly [ProxiedPort, ...ProxiedPort[]];
  readonly toxiproxy: number;
  readonly redis: ProxiedPort;
  readonly s3: ProxiedPort;
  readonly kafka: readonly [KafkaPorts, ...KafkaPorts[]];
}

/**
 * Every port of a set, all on 127.0.0.1.
 * @param cluster three MongoDB and three Kafka nodes instead of one
 */
export function portsOf(base: number, cluster: boolean): Ports {
  const others = cluster ? [1, 2] : [];
  const proxied = (port: number): ProxiedPort => ({ port, proxy: port + PROXY_OFFSET });
  const kafka = (node: number): KafkaPorts => ({
    ...proxied(base + 92 + node),
    behindProxy: base + 102 + node,
    controller: base + 112 + node,
  });
  const mongo = (node: number): ProxiedPort => proxied(base + 17 + node);
  return {
    mongo: [mongo(0), ...others.map(mongo)],
    toxiproxy: base + 74,
    redis: proxied(base + 79),
    s3: proxied(base + 90),
    kafka: [kafka(0), ...others.map(kafka)],
  };
}
