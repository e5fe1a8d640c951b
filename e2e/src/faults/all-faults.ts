import { carrierFaults } from './carrier-faults.ts';
import { consumerFaults } from './consumer-faults.ts';
import type { Fault } from './fault.ts';
import { fullPayloadFaults } from './full-payload-faults.ts';
import { kafkaFaults } from './kafka-faults.ts';
import { mongodbFaults } from './mongodb-faults.ts';
import { objectStoreFaults } from './object-store-faults.ts';
import { poisonFaults } from './poison-faults.ts';
import { processFaults, soak } from './process-faults.ts';
import { rebalanceFaults } from './rebalance-faults.ts';
import { redisFaults } from './redis-faults.ts';
import { sourceFaults } from './source-faults.ts';
import { webhookFaults } from './webhook-faults.ts';

/** What happens to the servers. */
const serverFaults: readonly Fault[] = [...kafkaFaults, ...mongodbFaults, ...redisFaults, ...objectStoreFaults];
/** What comes in over the log, and what those outside do. */
const outsideFaults: readonly Fault[] = [
  ...consumerFaults,
  ...rebalanceFaults,
  ...poisonFaults,
  ...carrierFaults,
  ...sourceFaults,
  ...webhookFaults,
  ...fullPayloadFaults,
];

/** Every fault, in the order of the table. @param soakSeconds how long services are killed at random */
export function allFaults(soakSeconds: number): readonly Fault[] {
  return [...serverFaults, ...outsideFaults, ...processFaults, soak(soakSeconds)];
}
