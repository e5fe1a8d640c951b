import type { ServiceName } from './service-name.ts';
import { type Topic, topics } from './topics.ts';

/**
 * The services that read each topic. The replicas of a service share one consumer group.
 * `warehouse.expected.v1` is for systems outside the platform.
 */
export const topicConsumers: Readonly<Record<Topic, readonly ServiceName[]>> = {
  [topics.forecast]: ['warehouse-intake', 'tracking', 'webhook', 'file'],
  [topics.warehouse]: ['forecast', 'file'],
  [topics.tracking]: ['forecast', 'webhook'],
  [topics.gateway]: ['forecast'],
  [topics.warehouseIntake]: ['warehouse-intake'],
  [topics.warehouseExpected]: [],
};
