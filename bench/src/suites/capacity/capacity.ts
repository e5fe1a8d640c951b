import { type CapacityMeasured, capacityTables } from '../../capacity/capacity-tables.ts';
import { ceilingOf } from '../../capacity/replica-capacity.ts';
import { type DistributedStage, onDistributedStage, serviceProcesses } from '../../distributed-stage.ts';
import { peakMegabytesOfTree, residentMegabytesOfTree } from '../../process-usage.ts';
import { type Row, rowOf } from '../../report/row.ts';
import { inCycles, type SuiteOptions } from '../../suite.ts';
import { oneByOne } from '../distributed/consumers.ts';
import type { DiskUse } from '../mongo-demand.ts';
import { type CapacityCycle, capacityCycle, POLL_EVERY_SECONDS } from './cycle.ts';
import { onRig, type Rig } from './rig.ts';

/** Resident memory of each service with the processes that it starts, and of the reference, MiB. */
type Memory = Readonly<Record<string, number>>;

function memoryOf({ stage, references }: Rig, look: (pid: number) => number): Memory {
  const services = serviceProcesses.map((name) => [name, look(stage.pidsOf(name)[0] as number)] as const);
  return Object.fromEntries([...services, ['http', look(references.pids.http)]]);
}

/** The most that a consumer does a second because it waits, by the name of its measure; without those that ran out of processors. */
async function ceilings(stage: DistributedStage, events: number): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (const [name, run] of Object.entries(await oneByOne(stage, events))) {
    const ceiling = ceilingOf(run);
    if (ceiling !== undefined) found.set(name, ceiling);
  }
  await stage.log.settled();
  return found;
}

function growthOf(before: DiskUse, after: DiskUse): DiskUse {
  return {
    documentBytes: after.documentBytes - before.documentBytes,
    storageBytes: after.storageBytes - before.storageBytes,
    indexBytes: after.indexBytes - before.indexBytes,
  };
}

function rowsOf(memory: { readonly atRest: Memory; readonly peak: Memory }, cycles: readonly CapacityCycle[]): Row[] {
  const about = { suite: 'capacity', reference: 'node:http, constant response', better: 'lower' as const };
  const ofMemory = (name: string, taken: Memory): Row[] =>
    serviceProcesses.map((service) =>
      rowOf({ ...about, name: `${name}, ${service}`, unit: 'MiB' }, [
        { ours: taken[service] as number, reference: taken['http'] as number },
      ]),
    );
  // Its idle CPU is next to nothing, a ratio to which says nothing: one request a second is what it is held against.
  const idle = serviceProcesses.map((service) =>
    rowOf(
      { ...about, name: `CPU when idle, ${service}`, unit: 'µs/s', reference: 'node:http, 1 request/s' },
      cycles.map((cycle) => ({ ours: cycle.idle.cpu[service] as number, reference: cycle.references.http })),
    ),
  );
  return [...ofMemory('Memory at rest', memory.atRest), ...ofMemory('Memory, peak', memory.peak), ...idle];
}

async function measure(options: SuiteOptions, rig: Rig): Promise<readonly Row[]> {
  const { measureMs, quick } = options.scale;
  const seconds = (1.25 * measureMs) / 1000;
  const atRest = memoryOf(rig, residentMegabytesOfTree);
  // Empty collections and indexes have files of some size already.
  const empty = await rig.demand.disk();
  options.progress('warming up');
  await capacityCycle({ ...options, progress: () => undefined }, rig, quick ? 0.2 : 0.5);
  options.progress('ceilings of consumers');
  const found = await ceilings(rig.stage, quick ? 200 : 1000);
  const cycles = await inCycles(options, 'capacity', () => capacityCycle(options, rig, seconds));
  const measured: CapacityMeasured = { cycles, ceilings: found, disk: growthOf(empty, await rig.demand.disk()) };
  for (const table of capacityTables(measured)) options.table(table);
  return rowsOf({ atRest, peak: memoryOf(rig, peakMegabytesOfTree) }, cycles);
}

/**
 * What an operation costs each service, and what one replica with one core therefore holds, next to the least that one can
 * do instead; what the services ask of their servers for it.
 */
export function capacity(options: SuiteOptions): Promise<readonly Row[]> {
  options.progress('starting the platform');
  const env = { TRACKING_POLL_SCHEDULE: `1d:${POLL_EVERY_SECONDS}s` };
  return onDistributedStage(1, (stage) => onRig(stage, (rig) => measure(options, rig)), env);
}
