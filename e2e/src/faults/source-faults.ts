import type { Fault } from './fault.ts';
import { type SourceFault, sourceFaultEnv } from './source-fault.ts';
import { sourceOutageFaults } from './source-outage-faults.ts';
import { sourceKillFaults } from './source-process-faults.ts';
import { sourcePushFaults } from './source-push-faults.ts';
import { sourceReplicaFault } from './source-replica-fault.ts';

/** What tracking sources do, and what happens to their pushes: each has sources of its own, so these may go on at the same time. */
export const sourceBehaviourFaults: readonly SourceFault[] = [...sourceOutageFaults, ...sourcePushFaults];

/** All of them, for the table: with two processes of each service. */
export const sourceFaults: readonly Fault[] = [...sourceBehaviourFaults, sourceReplicaFault, ...sourceKillFaults].map((fault) => ({
  ...fault,
  group: 'Tracking sources',
  servers: 'single',
  env: { ...sourceFaultEnv, REPLICAS: '2' },
}));
