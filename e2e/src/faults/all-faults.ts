import type { Fault } from './fault.ts';
import { kafkaFaults } from './kafka-faults.ts';
import { mongodbFaults } from './mongodb-faults.ts';
import { processFaults, soak } from './process-faults.ts';

/** Every fault, in the order of the table. @param soakSeconds how long services are killed at random */
export function allFaults(soakSeconds: number): readonly Fault[] {
  return [...kafkaFaults, ...mongodbFaults, ...processFaults, soak(soakSeconds)];
}
