import { afterEach, beforeEach } from '@jest/globals';
import { type LogFields, type Logger, silentLogger } from '@parcelway/kernel/logger';
import type { BusDriver, LogRecord } from '../driver.ts';
import { withAdmin } from '../kafka-admin.ts';
import type { KafkaConnection } from '../kafka-connection.ts';
import { openKafkaBus } from '../kafka-driver.ts';
import { newConnection, removeTopics } from './kafka-test-cluster.ts';

type Admin = Parameters<Parameters<typeof withAdmin>[2]>[0];

/** Opens drivers on the real cluster. Each test has its own topic prefix. */
export interface TestKafka {
  /** The connection of the test. */
  readonly connection: KafkaConnection;
  readonly logger: Logger;
  /** Messages that were logged as errors. */
  readonly lines: readonly string[];
  /** Another connection, with its own topic prefix. */
  anotherConnection(): KafkaConnection;
  open(options?: Partial<Parameters<typeof openKafkaBus>[0]>): Promise<BusDriver>;
  /** Consumes topics. @returns a list that grows with what is received */
  collect(driver: BusDriver, group: string, topics: readonly string[]): Promise<readonly LogRecord[]>;
  /** Shows what the cluster itself has, without the driver. */
  withAdmin<T>(use: (admin: Admin) => Promise<T>): Promise<T>;
}

/**
 * Registers hooks that open a connection before each test, then close its drivers and remove its topics.
 * @param variable as of {@link newConnection}
 */
export function useKafka(variable?: Parameters<typeof newConnection>[0]): TestKafka {
  let connection: KafkaConnection;
  let connections: KafkaConnection[];
  let drivers: BusDriver[];
  let lines: string[];
  const logger: Logger = {
    ...silentLogger,
    error: (_fields: LogFields, message: string) => lines.push(message),
    child: () => logger,
  };
  const anotherConnection = (): KafkaConnection => {
    const opened = newConnection(variable);
    connections.push(opened);
    return opened;
  };
  beforeEach(() => {
    connections = [];
    connection = anotherConnection();
    drivers = [];
    lines = [];
  });
  afterEach(async () => {
    await Promise.all(drivers.map((driver) => driver.close()));
    await Promise.all(connections.map(removeTopics));
  });
  return {
    get connection() {
      return connection;
    },
    get lines() {
      return lines;
    },
    logger,
    anotherConnection,
    open: async (options = {}) => {
      const driver = await openKafkaBus({ connection, logger, ...options });
      drivers.push(driver);
      return driver;
    },
    collect: async (driver, group, topics) => {
      const seen: LogRecord[] = [];
      await driver.consume({
        group,
        topics,
        handle: async (records) => {
          seen.push(...records);
          return { done: records.length, pauseMs: 0 };
        },
      });
      return seen;
    },
    withAdmin: (use) => withAdmin(connection, silentLogger, use),
  };
}
