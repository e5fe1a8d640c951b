import { until } from '@parcelway/kernel/testing/until';
import { closedLoopOf } from '../../closed-loop.ts';
import { shown } from '../../stages-of-sizes.ts';
import { inCycles, type SuiteOptions } from '../../suite.ts';
import { CONNECTIONS, type GrownStage } from './grown-stage.ts';
import { type Growth, growthOf, type Turn } from './growth-of.ts';
import { type Idle, idleOf, usedByService } from './idle.ts';
import type { Operation } from './operation.ts';

const WINDOW_MS = 200;
/** Share of a processor that a platform may use for itself while nobody uses it, beyond what it used at rest. */
const AT_REST = 0.03;
const SETTLED_WITHIN_MS = 60_000;
const IDLE_MS = 2_000;
const total = (stage: GrownStage): number => {
  const { services, server } = stage.cpu();
  return services + server;
};

/** Waits until a platform has done what the responses have left to do: it uses hardly more than at rest in two windows on end. @throws Error that names what is busy */
async function settled(stage: GrownStage, { name }: Operation, atRest: number): Promise<void> {
  let quiet = 0;
  const look = async (): Promise<boolean> => {
    const { services } = await idleOf(stage, WINDOW_MS);
    quiet = services < atRest + AT_REST * 1e6 ? quiet + 1 : 0;
    return quiet >= 2;
  };
  const what = `a platform of ${stage.parcels} parcels to come to rest`;
  await until(look, { within: SETTLED_WITHIN_MS, what }).catch(async (error: Error) => {
    const used = await usedByService(stage, IDLE_MS);
    throw new Error(`${name}: ${error.message}. At rest it used ${shown(Math.round(atRest))} µs/s; now ${used}`);
  });
}

async function turn(stage: GrownStage, operation: Operation, count: number): Promise<Turn> {
  const idle = idles.get(stage) as Idle;
  const send = await operation.prepare(stage, count);
  if (operation.settles || operation.prepares) await settled(stage, operation, idle.services);
  const times: number[] = [];
  const before = total(stage);
  const begun = performance.now();
  let next = 0;
  await closedLoopOf(CONNECTIONS, count, async () => {
    const at = next;
    next += 1;
    const sent = performance.now();
    await send(at);
    times.push(performance.now() - sent);
  });
  if (operation.settles) await settled(stage, operation, idle.services);
  const seconds = (performance.now() - begun) / 1000;
  return { times, cpu: Math.max(0, total(stage) - before - seconds * idle.all) / count };
}

const idles = new WeakMap<GrownStage, Idle>();

/** Has the platforms come to rest and notes what they use then. */
async function atRest(stages: readonly GrownStage[]): Promise<readonly Turn[]> {
  const turns: Turn[] = [];
  for (const stage of stages) {
    const rests = async (): Promise<boolean> => (await idleOf(stage, WINDOW_MS)).services < 10 * AT_REST * 1e6;
    await until(rests, { within: SETTLED_WITHIN_MS, what: `a platform of ${stage.parcels} parcels to rest` });
    const idle = await idleOf(stage, IDLE_MS);
    idles.set(stage, idle);
    turns.push({ cpu: idle.services, times: [] });
  }
  return turns;
}

/**
 * Measures operations on each platform. In each cycle an operation has its turns on all of them, one right after the other, so that what goes on beside falls
 * on all of them; every other cycle goes the other way round.
 */
export async function measureGrowth(
  options: SuiteOptions,
  stages: readonly GrownStage[],
  operations: readonly Operation[],
  count: number,
): Promise<readonly Growth[]> {
  const idle: Turn[][] = stages.map(() => []);
  const turns = new Map(operations.map((operation) => [operation, stages.map((): Turn[] => [])]));
  const cycle = async (index: number): Promise<void> => {
    for (const [at, rest] of (await atRest(stages)).entries()) if (index >= 0) idle[at]?.push(rest);
    for (const [operation, of] of turns) {
      for (const stage of index % 2 === 0 ? stages : stages.toReversed()) {
        const measured = await turn(stage, operation, Math.ceil(count / (operation.share ?? 1)));
        if (index >= 0) of[stages.indexOf(stage)]?.push(measured);
      }
    }
  };
  if (!options.scale.quick) {
    options.progress('warming up');
    await cycle(-1);
  }
  await inCycles(options, 'growth', cycle);
  return [growthOf(IDLE, idle), ...[...turns].map(([{ name }, of]) => growthOf(name, of))];
}

/** Name of what a platform does that nobody uses. */
const IDLE = 'Nothing, for a second';
