import { AppError } from '@parcelway/kernel/app-error';
import type { Logger } from '@parcelway/kernel/logger';
import type { Admin } from 'kafkajs';
import { KafkaClient } from './kafka-client.ts';
import type { KafkaConnection } from './kafka-connection.ts';
import { causeOf, within } from './kafka-errors.ts';

/** Time that a broker has for a response, and the cluster for a connection. */
export const ADMIN_TIMEOUT_MS = 15_000;

/** Opens an admin client, runs `use` and closes the client. @throws AppError 50301 when the cluster does not respond; whatever `use` throws */
export async function withAdmin<T>(connection: KafkaConnection, logger: Logger, use: (admin: Admin) => Promise<T>): Promise<T> {
  const client = new KafkaClient(connection, ADMIN_TIMEOUT_MS, logger);
  const admin = client.kafka.admin();
  try {
    await within(ADMIN_TIMEOUT_MS, 'Connecting to Kafka', admin.connect()).catch((error: unknown) => {
      throw AppError.unavailable('The Kafka cluster does not respond', causeOf(error));
    });
    return await use(admin);
  } finally {
    await within(1000, 'Disconnecting', admin.disconnect()).catch(() => undefined);
    client.kill();
  }
}
