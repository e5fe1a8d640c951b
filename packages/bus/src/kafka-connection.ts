import type { ConnectionOptions } from 'node:tls';

/** How a process reaches the Kafka cluster. */
export interface KafkaConnection {
  /** Addresses `host:port` of some of the brokers; the rest is learned from them. */
  readonly brokers: readonly string[];
  /** Name of this program in the logs and quotas of the brokers. */
  readonly clientId: string;
  /**
   * Names this process among those with the same `clientId`, and nothing else that runs: when it starts again under this name, it takes over from the one
   * before at once. Default a new name at each start.
   */
  readonly replica?: string;
  /**
   * Put before every topic and group of this installation, such as `sandbox.`, so that several can share a cluster;
   * default none. Records are delivered under their names without it.
   */
  readonly prefix?: string;
  /** TLS to the brokers: true for the well-known authorities, or an own authority or client certificate; default off. */
  readonly ssl?: boolean | Pick<ConnectionOptions, 'ca' | 'cert' | 'key' | 'servername'>;
  /** User and password; default none. */
  readonly sasl?: { readonly mechanism: KafkaSaslMechanism; readonly username: string; readonly password: string };
}

/** How user and password are shown to the brokers. `plain` only together with `ssl`. */
export type KafkaSaslMechanism = 'plain' | 'scram-sha-256' | 'scram-sha-512';

/** Name of a topic in the cluster. */
export function kafkaTopic({ prefix = '' }: Pick<KafkaConnection, 'prefix'>, topic: string): string {
  return `${prefix}${topic}`;
}

/**
 * Name of the group in the cluster by which `group` reads `topic`: one for each topic. The member that kafkajs makes
 * leader shares out the topics that it has subscribed itself. In a group whose members read different topics, those of
 * the others are read by nobody; in a group of one topic that cannot happen. Members of one group also stop together at
 * each rebalance, and so do not stop for a topic that they do not read. The price is two connections to each broker and
 * one heartbeat every two seconds for each topic, and no latency: each consumer waits on its own fetch.
 */
export function kafkaGroup({ prefix = '' }: Pick<KafkaConnection, 'prefix'>, group: string, topic: string): string {
  return `${prefix}${group}.${topic}`;
}
