import { connect as connectTcp, isIP, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Logger } from '@parcelway/kernel/logger';
import { type Cluster, type Consumer, type ConsumerConfig, type ISocketFactoryArgs, Kafka, logLevel, PartitionAssigners } from 'kafkajs';
import type { KafkaConnection } from './kafka-connection.ts';
import { patchIdleTimers } from './kafka-idle-timers.ts';

const CONNECT_TIMEOUT_MS = 1000;
const AUTHENTICATION_TIMEOUT_MS = 3000;
const KEEP_ALIVE_MS = 60_000;

/** A consumer with the cluster that it talks to. */
export interface ConsumerOnCluster {
  readonly consumer: Consumer;
  readonly cluster: Cluster;
}

/**
 * kafkajs with a switch. A kafkajs client cannot be cancelled: a producer that its caller has abandoned would go on trying
 * and could append records behind newer ones, and a connection to a broker that is gone without a word is used until the
 * system abandons it after minutes. So the client owns its sockets and can break them.
 */
export class KafkaClient {
  readonly kafka: Kafka;
  /** Its name at the brokers. */
  readonly clientId: string;
  readonly #sockets = new Set<Socket>();
  #killed = false;

  /** @param requestTimeoutMs time that a broker has for a response, except where the request itself asks it to wait */
  constructor(connection: KafkaConnection, requestTimeoutMs: number, logger: Logger) {
    patchIdleTimers();
    const { brokers, clientId, ssl, sasl } = connection;
    this.clientId = clientId;
    this.kafka = new Kafka({
      brokers: [...brokers],
      clientId,
      ...(ssl ? { ssl } : {}),
      ...(sasl ? { sasl: saslOf(sasl) } : {}),
      connectionTimeout: CONNECT_TIMEOUT_MS,
      authenticationTimeout: AUTHENTICATION_TIMEOUT_MS,
      requestTimeout: requestTimeoutMs,
      retry: { retries: 2, initialRetryTime: 100, maxRetryTime: 500 },
      socketFactory: (args) => this.#openSocket(args),
      logLevel: logLevel.WARN,
      // What matters is logged by the driver, with what follows from it; kafkajs repeats each failure on every level.
      logCreator:
        () =>
        ({ namespace, log: { message, ...fields } }) => {
          if (!this.#killed) logger.debug({ kafkajs: namespace, ...fields }, message);
        },
    });
  }

  /** A consumer and its cluster. kafkajs shows the cluster, its public type, only to partition assigners. */
  consumer(config: ConsumerConfig): ConsumerOnCluster {
    let cluster: Cluster | undefined;
    const consumer = this.kafka.consumer({
      ...config,
      allowAutoTopicCreation: false,
      partitionAssigners: [
        (assignerConfig) => {
          cluster = assignerConfig.cluster;
          return PartitionAssigners.roundRobin(assignerConfig);
        },
      ],
    });
    if (!cluster) throw new Error('This version of kafkajs makes its partition assigners too late');
    return { consumer, cluster };
  }

  /** Breaks the connections; kafkajs opens new ones. */
  reset(reason: string): void {
    for (const socket of this.#sockets) socket.destroy(new Error(reason));
  }

  /** Breaks the connections for good. What runs fails, and nothing more is sent. */
  kill(): void {
    this.#killed = true;
    this.reset('The client was closed');
  }

  #openSocket({ host, port, ssl, onConnect }: ISocketFactoryArgs): Socket {
    // Its error comes after kafkajs has begun to listen for it.
    if (this.#killed) return new Socket().destroy(new Error('The client was closed'));
    const socket = ssl
      ? connectTls({ host, port, ...(isIP(host) ? {} : { servername: host }), ...ssl }, onConnect)
      : connectTcp({ host, port }, onConnect);
    // Without it a small request behind an unacknowledged one waits for up to 40 ms.
    socket.setNoDelay(true);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    return socket;
  }
}

function saslOf({ mechanism, username, password }: NonNullable<KafkaConnection['sasl']>) {
  // One by one, because the type of kafkajs ties each mechanism to its own options.
  if (mechanism === 'plain') return { mechanism, username, password };
  if (mechanism === 'scram-sha-256') return { mechanism, username, password };
  return { mechanism, username, password };
}
