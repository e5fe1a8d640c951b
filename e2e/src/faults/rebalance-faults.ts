import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceProcess } from '@parcelway/harness/platform';
import type { Fault, FaultStage, Findings } from './fault.ts';

/** Longer than a member of a group may be silent without losing its partitions. */
const FROZEN_MS = 14_000;

/** The second process of every service that reads the log; merchants are served by the first ones. */
function secondReaders({ platform }: FaultStage): readonly (ServiceProcess & { readonly pid: number })[] {
  const readers = platform.services().filter(({ name }) => /^(forecast|tracking|warehouse-intake|webhook)-2$/.test(name));
  return readers.map((reader) => {
    if (reader.pid === null) throw new Error(`${reader.name} does not run`);
    return { ...reader, pid: reader.pid };
  });
}

/** How many parcels of the load got through within a span of time, to show that the partitions had another reader. */
function receivedSince({ receivers }: FaultStage, from: number): number {
  return new Set(receivers[0].received.filter(({ receivedAt }) => receivedAt >= from).map(({ id }) => id)).size;
}

async function frozen(stage: FaultStage): Promise<Findings> {
  const readers = secondReaders(stage);
  for (const { pid } of readers) process.kill(pid, 'SIGSTOP');
  try {
    await pause(FROZEN_MS);
  } finally {
    for (const { pid } of readers) process.kill(pid, 'SIGCONT');
  }
  const from = Date.now();
  await pause(3000);
  const received = receivedSince(stage, from);
  const restarted = stage.platform
    .services()
    .filter(({ name, starts }) => readers.some((reader) => reader.name === name && starts > reader.starts));
  return {
    observed: `${readers.length} processes frozen and thawed; ${received} webhooks in the 3 s after that`,
    violations: [
      ...(received === 0 ? ['no webhook arrived after the processes went on'] : []),
      ...restarted.map(({ name, last_end }) => `${name} ended with ${last_end}`),
    ],
  };
}

const shared = {
  group: 'Consumers',
  expected: 'the other process takes over; every effect happens once',
  servers: 'single',
  env: { REPLICAS: '2' },
} as const;

/** What happens to one of two readers of the log. */
export const rebalanceFaults: readonly Fault[] = [
  { ...shared, name: `one of two processes of each service frozen for ${FROZEN_MS / 1000} s, beyond its session`, strike: frozen },
];
