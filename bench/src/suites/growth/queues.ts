import { runScript } from '../../child-server.ts';
import type { SuiteOptions } from '../../suite.ts';
import { mongoServerPid } from '../mongo-server.ts';
import type { GrownStage } from './grown-stage.ts';
import { type Growth, growthOf, type Turn } from './growth-of.ts';
import { idleOf } from './idle.ts';
import type { FillOrder } from './model.ts';

/** What is to be measured on the stores of a platform. */
export interface QueueOrder extends Pick<FillOrder, 'kind' | 'place'> {
  readonly tenantId: string;
  readonly endpointId: string;
  readonly repeats: number;
  /** Process id of the database's server; undefined where there is none. */
  readonly serverPid: number | undefined;
}

/** What one of the platform's own operations cost. */
export interface QueueCost {
  readonly name: string;
  /** Microseconds of CPU time of one, in the process that asks. */
  readonly own: number;
  /** Microseconds of CPU time of the server in all that time, whatever else it did … */
  readonly server: number;
  /** … and how long that was. */
  readonly seconds: number;
  /** Milliseconds of each. */
  readonly times: readonly number[];
}

const REPEATS = { full: 100, quick: 10 } as const;

/** Each operation once on the stores of a platform. */
async function turnOn(stage: GrownStage, quick: boolean): Promise<ReadonlyMap<string, Turn>> {
  const repeats = quick ? REPEATS.quick : REPEATS.full;
  const serverPid = stage.stores.kind === 'mongo' ? await mongoServerPid() : undefined;
  const idle = await idleOf(stage, 1_000);
  const order: QueueOrder = {
    ...stage.stores,
    tenantId: stage.stage.platform.quickstart.tenant.id,
    endpointId: stage.endpointId,
    repeats,
    serverPid,
  };
  const costs = await runScript<readonly QueueCost[]>('processes/growth-queues.js', [JSON.stringify(order)]);
  const atRest = idle.all - idle.services;
  return new Map(
    costs.map(({ name, own, server, seconds, times }) => [name, { times, cpu: own + Math.max(0, server - seconds * atRest) / repeats }]),
  );
}

/** Measures what the platform does by itself, by the stores alone: how they find what is due and what is over. */
export async function measureQueues(options: SuiteOptions, stages: readonly GrownStage[]): Promise<readonly Growth[]> {
  const turns: ReadonlyMap<string, Turn>[][] = stages.map(() => []);
  for (let cycle = 0; cycle < options.scale.cycles; cycle += 1) {
    options.progress(`queues and retention, cycle ${cycle + 1} of ${options.scale.cycles}`);
    for (const [at, stage] of stages.entries()) turns[at]?.push(await turnOn(stage, options.scale.quick));
  }
  const names = [...(turns[0]?.[0]?.keys() ?? [])];
  return names.map((name) =>
    growthOf(
      name,
      turns.map((of) => of.flatMap((turn) => turn.get(name) ?? [])),
    ),
  );
}
