import type { Mode } from '../../arguments.ts';
import { timesPeer, typicalRuns } from './cycles.ts';
import type { LoadResult } from './summary.ts';

/** Delivery p95 in milliseconds that Convoy has published for its own load test, by events a second. */
export const CONVOY_P95_MS: Readonly<Record<number, number>> = { 50: 124, 200: 127 };
/** Upper bounds of A's p95 in milliseconds. */
const A_P95_MS: Readonly<Record<Mode, number>> = { embedded: 4, distributed: 60 };
const TIMES_PEER = 3.5;
const TIMES_HEALTHY = 1.5;
/** Share of the processors that others may take, other programs and the host of a virtual machine together. Beyond it latency is theirs, and work that waits goes in larger batches, at less cost. */
export const QUIET = 0.05;
/** A load was held when at least this share of its rate was delivered; what was not held says nothing of latency. */
const HELD = 0.95;

/** Something that the measured side should reach, and whether it did. */
export interface Goal {
  readonly goal: string;
  /** Null when the run has nothing to judge it by. */
  readonly value: number | null;
  readonly met: boolean | null;
}

const goalOf = (goal: string, value: number | null | undefined, isMet: (value: number) => boolean): Goal =>
  value === null || value === undefined ? { goal, value: null, met: null } : { goal, value, met: isMet(value) };

function goalsOfA(run: LoadResult, mode: Mode): Goal[] {
  const p95 = run.latencyMs?.p95 ?? Number.POSITIVE_INFINITY;
  const bound = A_P95_MS[mode];
  const convoy = CONVOY_P95_MS[run.perSecond];
  const own = goalOf(`${run.load}: p95 at most ${bound} ms`, p95, (value) => value <= bound);
  if (convoy === undefined) return [own];
  return [own, goalOf(`${run.load}: p95 below the ${convoy} ms that Convoy publishes`, p95, (value) => value < convoy)];
}

function goalsOfThroughput(run: LoadResult, ratio: number | null): Goal[] {
  return [
    goalOf(`${run.load}: nothing lost`, run.lost, (value) => value === 0),
    goalOf(`${run.load}: deliveries per CPU second at least ${TIMES_PEER} times Outpost's`, ratio, (value) => value >= TIMES_PEER),
  ];
}

/**
 * Judges the runs of one side, those of all cycles together.
 * @param peers runs of the peer in the same run of the program
 * @param others share of the processors that others took meanwhile, 0 to 1
 */
export function judge(runs: readonly LoadResult[], peers: readonly LoadResult[], mode: Mode, others: number): readonly Goal[] {
  const typical = typicalRuns(runs);
  const healthy = typical.find((run) => run.shape === 'B' && run.deliveredPerSecond >= HELD * run.perSecond)?.latencyMs?.p95;
  return typical.flatMap((run) => {
    if (run.shape === 'A') return goalsOfA(run, mode);
    if (run.shape === 'E') return [goalOf(`${run.load}: nothing lost`, run.lost, (value) => value === 0)];
    if (run.shape !== 'D') return goalsOfThroughput(run, others <= QUIET ? timesPeer(runs, peers, run.load) : null);
    const ratio = healthy === undefined ? null : (run.latencyMs?.p95 ?? Number.POSITIVE_INFINITY) / healthy;
    return [
      goalOf(`${run.load}: p95 of endpoints that respond within ${TIMES_HEALTHY} times B's`, ratio, (value) => value <= TIMES_HEALTHY),
    ];
  });
}
