import { join } from 'node:path';
import { runScript } from '../child-server.ts';
import { onDistributedStage } from '../distributed-stage.ts';
import { exactCpuMicrosecondsOf } from '../process-usage.ts';
import type { RawClient } from '../raw-client.ts';
import { onStage } from '../stage.ts';
import { onStagesOfSizes, shown } from '../stages-of-sizes.ts';
import type { SuiteOptions } from '../suite.ts';

/** A platform whose view of one warehouse has forecasts. */
export interface FilledStage {
  readonly forecasts: number;
  /** Of the warehouse. */
  readonly client: RawClient;
  /** CPU time that the platform has used so far: of the processes that work on a request of a warehouse. Microseconds. */
  cpuMicroseconds(): number;
}

/** Requests at the same time. */
export const CONNECTIONS = 4;

const fill = (kind: 'sqlite' | 'mongo', place: string, warehouseCode: string, forecasts: number): Promise<unknown> =>
  runScript('processes/fill-view.js', [kind, place, warehouseCode, '1', String(forecasts)]);

/** One platform in one process. */
function onEmbedded<T>(forecasts: number, use: (stage: FilledStage) => Promise<T>): Promise<T> {
  return onStage(async ({ platform, warehouseCode, warehouseKey, client }) => {
    await fill('sqlite', join(platform.dataDirectory, 'warehouse-intake.db'), warehouseCode, forecasts);
    return use({ forecasts, client: client(warehouseKey, CONNECTIONS), cpuMicroseconds: () => exactCpuMicrosecondsOf(platform.pid) });
  });
}

/** One platform of a process each service. The CPU time is that of the gateway and of the service with the view. */
function onDistributed<T>(forecasts: number, use: (stage: FilledStage) => Promise<T>): Promise<T> {
  return onDistributedStage(1, async ({ platform, warehouseCode, warehouseKey, client, pidsOf }) => {
    await fill('mongo', `${platform.servers['RESOURCE_PREFIX']}-warehouse-intake`, warehouseCode, forecasts);
    const pids = [...pidsOf('gateway'), ...pidsOf('warehouse-intake')];
    const cpuMicroseconds = (): number => pids.reduce((sum, pid) => sum + exactCpuMicrosecondsOf(pid), 0);
    return use({ forecasts, client: client(warehouseKey, CONNECTIONS), cpuMicroseconds });
  });
}

const ways = { embedded: onEmbedded, distributed: onDistributed } as const;

/** A mode in which the view is measured. */
export type ViewMode = keyof typeof ways;

const SIZES: Readonly<Record<ViewMode, { readonly full: readonly number[]; readonly quick: readonly number[] }>> = {
  embedded: { full: [1_000, 100_000, 1_000_000], quick: [1_000, 10_000] },
  // A write is acknowledged by several disks: a million would take many minutes.
  distributed: { full: [1_000, 100_000], quick: [1_000, 3_000] },
};

/** Starts a platform for each size, all at the same time so that they can be measured in turns, fills them and lets `use` work with them. */
export function onFilledStages<T>(options: SuiteOptions, mode: ViewMode, use: (stages: readonly FilledStage[]) => Promise<T>): Promise<T> {
  const on = (forecasts: number, next: (stage: FilledStage) => Promise<T>): Promise<T> => {
    options.progress(`filling a view with ${shown(forecasts)} forecasts`);
    return ways[mode](forecasts, next);
  };
  return onStagesOfSizes(SIZES[mode][options.scale.quick ? 'quick' : 'full'], on, use);
}
