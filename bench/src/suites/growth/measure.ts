import { until } from '@parcelway/kernel/testing/until';
import { closedLoopOf } from '../../closed-loop.ts';
import { median, percentile } from '../../statistics.ts';
import { pause, type SuiteOptions } from '../../suite.ts';
import { CONNECTIONS, type GrownStage, shown } from './grown-stage.ts';
import type { Operation } from './operations.ts';

/** What an operation cost on one platform. */
interface Cost {
  /** Microseconds of CPU time of an operation. */
  readonly cpu: number;
  /** Milliseconds until the response. */
  readonly p50: number;
  readonly p95: number;
}

/** Costs of one operation, by size of the platform. */
export interface Growth {
  readonly name: string;
  readonly costs: readonly Cost[];
  /** CPU time on the largest over that on the smallest: median over the cycles, so that what differs between them cancels out. */
  readonly growth: number;
}

/** What one turn gave. */
interface Turn {
  readonly cpu: number;
  /** Milliseconds of each operation. */
  readonly times: readonly number[];
}

/** Operations of a turn. */
const COUNT = { full: 40, quick: 8 } as const;
const CYCLES = { full: 4, quick: 1 } as const;
/** No further cycle is begun so long after the stores are filled. */
const CYCLES_WITHIN_MS = 600_000;
const WINDOW_MS = 200;
/** A platform counts as idle while it uses at most this share of a processor more than at rest. */
const AT_REST = 0.03;
const SETTLED_WITHIN_MS = 60_000;
const IDLE_MS = 2_000;
/** Name of the row for an idle platform. */
const IDLE = 'Nothing, for a second';

/** CPU microseconds per second of an idle platform, measured over `milliseconds`. */
async function idleOf(stage: GrownStage, milliseconds: number): Promise<number> {
  const [before, begun] = [stage.cpu(), performance.now()];
  await pause(milliseconds);
  return (stage.cpu() - before) / ((performance.now() - begun) / 1000);
}

/** Waits until a platform has finished the work after its responses: two windows in a row are idle. @throws Error with `what` after the deadline */
async function settled(stage: GrownStage, what: string, atRest: number): Promise<void> {
  let quiet = 0;
  const look = async (): Promise<boolean> => {
    quiet = (await idleOf(stage, WINDOW_MS)) < atRest + AT_REST * 1e6 ? quiet + 1 : 0;
    return quiet >= 2;
  };
  await until(look, { within: SETTLED_WITHIN_MS, what: `a platform of ${shown(stage.parcels)} parcels to rest after "${what}"` });
}

async function turn(stage: GrownStage, operation: Operation, count: number, idle: number): Promise<Turn> {
  const send = await operation.prepare(stage, count);
  const rest = (): Promise<void> => settled(stage, operation.name, idle);
  if (operation.settles) await rest();
  const times: number[] = [];
  const [before, begun] = [stage.cpu(), performance.now()];
  let next = 0;
  await closedLoopOf(CONNECTIONS, count, async () => {
    const at = next;
    next += 1;
    const sent = performance.now();
    await send(at);
    times.push(performance.now() - sent);
  });
  if (operation.settles) await rest();
  const seconds = (performance.now() - begun) / 1000;
  return { times, cpu: Math.max(0, stage.cpu() - before - seconds * idle) / count };
}

/** Sums up the turns of an operation, by size and cycle. */
function growthOf(name: string, turns: readonly (readonly Turn[])[]): Growth {
  const costs = turns.map((of): Cost => {
    const times = of.flatMap((one) => one.times);
    const at = (percent: number): number => (times.length === 0 ? Number.NaN : percentile(times, percent));
    return { cpu: median(of.map(({ cpu }) => cpu)), p50: at(50), p95: at(95) };
  });
  const [smallest, largest] = [turns[0] ?? [], turns.at(-1) ?? []];
  return { name, costs, growth: median(largest.map(({ cpu }, cycle) => cpu / (smallest[cycle] as Turn).cpu)) };
}

/**
 * Measures operations on each platform. Each cycle measures an operation on all of them in a row, so that other load affects all alike. Every other
 * cycle reverses the order. The first cycle warms up.
 */
export async function measureGrowth(
  { scale, progress }: SuiteOptions,
  stages: readonly GrownStage[],
  operations: readonly Operation[],
): Promise<readonly Growth[]> {
  const kind = scale.quick ? 'quick' : 'full';
  const begun = performance.now();
  let idleTurns: Turn[][] = [];
  let turns = new Map<Operation, Turn[][]>();
  const forget = (): void => {
    idleTurns = stages.map(() => []);
    turns = new Map(operations.map((operation) => [operation, stages.map((): Turn[] => [])]));
  };
  const cycle = async (isForward: boolean): Promise<void> => {
    for (const [at, stage] of stages.entries()) {
      await settled(stage, 'the cycle before', 10 * AT_REST * 1e6);
      idleTurns[at]?.push({ cpu: await idleOf(stage, IDLE_MS), times: [] });
    }
    for (const [operation, of] of turns) {
      for (const stage of isForward ? stages : stages.toReversed()) {
        const at = stages.indexOf(stage);
        const count = Math.ceil(COUNT[kind] / (operation.share ?? 1));
        of[at]?.push(await turn(stage, operation, count, idleTurns[at]?.at(-1)?.cpu ?? 0));
      }
    }
  };
  forget();
  if (!scale.quick) {
    progress('warming up');
    await cycle(false);
    forget();
  }
  for (let index = 0; index < CYCLES[kind] && (index === 0 || performance.now() - begun < CYCLES_WITHIN_MS); index += 1) {
    progress(`growth, cycle ${index + 1} of ${CYCLES[kind]}`);
    await cycle(index % 2 === 0);
  }
  return [growthOf(IDLE, idleTurns), ...[...turns].map(([{ name }, of]) => growthOf(name, of))];
}
