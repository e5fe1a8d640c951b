import type { Fault } from './fault.ts';
import { kafkaFaults } from './kafka-faults.ts';

/** Every fault, in the order of the table. */
export const allFaults: readonly Fault[] = [...kafkaFaults];
