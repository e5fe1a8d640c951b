import { patchIdleTimers } from '@parcelway/bus/kafka-idle-timers';
import kafkajs, { type Kafka } from 'kafkajs';

/**
 * A plain kafkajs client of the brokers of KAFKA_BROKERS, except that it does not wake up every millisecond when it has
 * nothing to do: references and load must not take the processor from what is measured.
 */
export function createKafka(logLevel: kafkajs.logLevel = kafkajs.logLevel.ERROR): Kafka {
  patchIdleTimers();
  return new kafkajs.Kafka({ brokers: (process.env['KAFKA_BROKERS'] ?? '').split(','), clientId: 'bench', logLevel });
}
