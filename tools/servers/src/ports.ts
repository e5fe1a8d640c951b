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

/** Every port of a set, all on 127.0.0.1, from its base up to base + 199; the first node is always there. */
export interface Ports {
  readonly mongo: readonly [ProxiedPort, ...ProxiedPort[]];
  readonly toxiproxy: number;
  readonly redis: ProxiedPort;
  readonly s3: ProxiedPort;
  readonly kafka: readonly [KafkaPorts, ...KafkaPorts[]];
}

const proxied = (port: number): ProxiedPort => ({ port, proxy: port + 100 });

/** @param cluster three MongoDB and three Kafka nodes instead of one */
export function portsOf(base: number, cluster: boolean): Ports {
  const others = cluster ? [1, 2] : [];
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
