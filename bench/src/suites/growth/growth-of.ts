import { median, percentile } from '../../statistics.ts';

/** What an operation cost on one platform. */
export interface Cost {
  /** Microseconds of CPU time of an operation: the platform, and the database's server where it has one. */
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
export interface Turn {
  readonly cpu: number;
  /** Milliseconds of each operation. */
  readonly times: readonly number[];
}

/** Sums up the turns of an operation, by size and cycle. */
export function growthOf(name: string, turns: readonly (readonly Turn[])[]): Growth {
  const costs = turns.map((of): Cost => {
    const times = of.flatMap((one) => one.times);
    const at = (percent: number): number => (times.length === 0 ? Number.NaN : percentile(times, percent));
    return { cpu: median(of.map(({ cpu }) => cpu)), p50: at(50), p95: at(95) };
  });
  const [smallest, largest] = [turns[0] ?? [], turns.at(-1) ?? []];
  return { name, costs, growth: median(largest.map(({ cpu }, cycle) => cpu / (smallest[cycle] as Turn).cpu)) };
}
