import { type Burst, replicasFor, type Work } from './headroom.ts';

/** The numbers of partitions that come into question: multiples of what topics have, so that more partitions divide evenly among as many consumers. */
const STEP = 12;
const MOST = 240;

/** Work of which a share is of events, which the partitions divide; any replica does the rest. */
export interface ConsumerWork extends Omit<Work, 'imbalance'> {
  /** From 0 to 1. */
  readonly consumedShare: number;
}

/**
 * The busiest replica's part of all work, times the number of replicas: 1 when it divides evenly. With more replicas than partitions some consume
 * nothing.
 */
export function imbalanceOf(partitions: number, replicas: number, consumedShare: number): number {
  const ofConsumed = (Math.ceil(partitions / replicas) * replicas) / partitions;
  return 1 - consumedShare + consumedShare * ofConsumed;
}

/** Partitions for all topics, and replicas of each service that consumes them. */
export interface Division {
  readonly partitions: number;
  readonly replicas: ReadonlyMap<string, number>;
}

/** The division for one number of partitions; undefined when no number of replicas of a service has headroom with it. */
export function divisionFor(partitions: number, consumers: ReadonlyMap<string, ConsumerWork>, burst: Burst): Division | undefined {
  const replicas = new Map<string, number>();
  for (const [service, work] of consumers) {
    const needed = replicasFor(work, burst, (count) => imbalanceOf(partitions, count, work.consumedShare));
    if (needed === undefined) return undefined;
    replicas.set(service, needed);
  }
  return { partitions, replicas };
}

/**
 * The division with the fewest replicas of all services together, where {@link STEP} more partitions have to save a replica at least. The busiest
 * replica of each has headroom.
 * @throws RangeError when {@link MOST} partitions are not enough
 */
export function bestDivision(consumers: ReadonlyMap<string, ConsumerWork>, burst: Burst): Division {
  let best: Division | undefined;
  const price = ({ partitions, replicas }: Division): number =>
    [...replicas.values()].reduce((sum, count) => sum + count, partitions / STEP);
  for (let partitions = STEP; partitions <= MOST; partitions += STEP) {
    const division = divisionFor(partitions, consumers, burst);
    if (division !== undefined && (best === undefined || price(division) < price(best))) best = division;
  }
  if (best === undefined) throw new RangeError(`${MOST} partitions are not enough for the consumers`);
  return best;
}
