import { cpuPerOperation } from '../../capacity/replica-capacity.ts';
import { steadily } from '../../closed-loop.ts';
import { pause } from '../../suite.ts';
import type { Demand } from '../mongo-demand.ts';
import type { Rig } from './rig.ts';

/** What all processes use and ask for when nobody asks anything of them, a second. */
export interface Idle {
  readonly cpu: Readonly<Record<string, number>>;
  readonly demand: Demand;
}

/** What one piece of a load costs. */
export interface Cost {
  /** CPU time of each process, microseconds. */
  readonly cpu: Readonly<Record<string, number>>;
  readonly demand: Demand;
}

/** Pieces of work at a steady rate. */
export interface Load {
  readonly perSecond: number;
  readonly count: number;
  act(index: number): Promise<void>;
  /** Waits until all that follows from them is done. */
  settle(): Promise<void>;
}

function eachOf(demand: Demand, of: (count: number, name: keyof Demand) => number): Demand {
  return {
    mongoReads: of(demand.mongoReads, 'mongoReads'),
    mongoWrites: of(demand.mongoWrites, 'mongoWrites'),
    mongoCommands: of(demand.mongoCommands, 'mongoCommands'),
    kafkaMessages: of(demand.kafkaMessages, 'kafkaMessages'),
    documentBytes: of(demand.documentBytes, 'documentBytes'),
  };
}

interface Usage {
  readonly seconds: number;
  readonly cpu: Readonly<Record<string, number>>;
  readonly demand: Demand;
}

/** What all processes use and ask for while something goes on. */
async function usageDuring(rig: Rig, go: () => Promise<void>): Promise<Usage> {
  const demandBefore = await rig.demand.read();
  const cpuBefore = rig.cpu();
  const started = performance.now();
  await go();
  const cpu = rig.cpu();
  const seconds = (performance.now() - started) / 1000;
  const demand = await rig.demand.read();
  return {
    seconds,
    cpu: Object.fromEntries(Object.entries(cpu).map(([name, now]) => [name, now - (cpuBefore[name] ?? 0)])),
    demand: eachOf(demand, (now, name) => now - demandBefore[name]),
  };
}

/** Measures what goes on when nothing does. */
export async function measureIdle(rig: Rig, milliseconds: number): Promise<Idle> {
  const { seconds, cpu, demand } = await usageDuring(rig, () => pause(milliseconds));
  return {
    cpu: Object.fromEntries(Object.entries(cpu).map(([name, used]) => [name, used / seconds])),
    demand: eachOf(demand, (count) => count / seconds),
  };
}

/** What one of `operations` costs that `go` brings about, above what is used when idle. @param go gives how many it were */
export async function measureCost(rig: Rig, idle: Idle, go: () => Promise<number>): Promise<Cost> {
  let operations = 0;
  const { seconds, cpu, demand } = await usageDuring(rig, async () => {
    operations = await go();
  });
  const perOperation = (name: string, used: number): number =>
    cpuPerOperation({ operations, cpuMicroseconds: used, seconds, idleMicrosecondsPerSecond: idle.cpu[name] ?? 0 });
  return {
    cpu: Object.fromEntries(Object.entries(cpu).map(([name, used]) => [name, perOperation(name, used)])),
    demand: eachOf(demand, (count, name) => Math.max(0, count - idle.demand[name] * seconds) / operations),
  };
}

/** What one piece of a load costs. */
export function measureLoad(rig: Rig, idle: Idle, load: Load): Promise<Cost> {
  return measureCost(rig, idle, async () => {
    await steadily(load.perSecond, load.count, (index) => load.act(index));
    await load.settle();
    return load.count;
  });
}
