/** Most of a replica's core that the peak hour may use. */
export const PEAK_SHARE = 0.6;
/** The same while one replica is away: what a burst leaves is then gone within minutes. */
export const PEAK_SHARE_ONE_FEWER = 0.8;

/** Work that arrives at replicas with one core each. */
export interface Work {
  /** Cores' worth of it in the peak hour. */
  readonly cores: number;
  /** Share of a core that a replica uses when it has no work. */
  readonly idleShare: number;
  /** The busiest replica's part of the work, times the number of replicas; 1 when all have the same. */
  readonly imbalance?: number;
}

/** A time in which more comes than in the rest of the peak hour. */
export interface Burst {
  /** Of the rate of the peak hour. */
  readonly factor: number;
  readonly seconds: number;
}

/** How a burst passes. */
export interface BurstOutcome {
  /** Share of the busiest replica's time that its work needs in the peak hour, and during the burst; above 1 is more than it has. */
  readonly peak: number;
  readonly burst: number;
  /** Work that waits at the end of the burst, seconds of the peak hour's arrivals. */
  readonly backlogSeconds: number;
  /** From the end of the burst until nothing waits; infinite when the peak hour alone is too much. */
  readonly drainSeconds: number;
}

/**
 * How `replicas` pass a burst that follows the peak hour's load.
 * @throws RangeError without replicas
 */
export function passBurst({ cores, idleShare, imbalance = 1 }: Work, replicas: number, { factor, seconds }: Burst): BurstOutcome {
  if (!(replicas >= 1)) throw new RangeError(`Work needs at least one replica, not ${replicas}`);
  const work = (cores * imbalance) / replicas;
  const free = 1 - idleShare;
  const peak = idleShare + work;
  const burst = idleShare + work * factor;
  if (burst <= 1) return { peak, burst, backlogSeconds: 0, drainSeconds: 0 };
  // Core seconds that the busiest replica could not do during the burst.
  const left = (work * factor - free) * seconds;
  return { peak, burst, backlogSeconds: left / work, drainSeconds: peak < 1 ? left / (free - work) : Number.POSITIVE_INFINITY };
}

/** True when the peak hour uses at most {@link PEAK_SHARE}, and the burst less than all. */
export function hasHeadroom({ peak, burst }: Pick<BurstOutcome, 'peak' | 'burst'>): boolean {
  return peak <= PEAK_SHARE && burst < 1;
}

/** So many of each at least: one may always be away. */
export const LEAST_REPLICAS = 2;
const MOST_REPLICAS = 2_000;

/**
 * The fewest replicas with headroom, of which one may be away: the others then use at most {@link PEAK_SHARE_ONE_FEWER} in the peak hour.
 * @param imbalanceOf see {@link Work.imbalance}, by the number of replicas
 * @param most undefined comes back when more were needed
 */
export function replicasFor(
  work: Work,
  burst: Burst,
  imbalanceOf: (replicas: number) => number = () => 1,
  most: number = MOST_REPLICAS,
): number | undefined {
  const outcomeOf = (replicas: number): BurstOutcome => passBurst({ ...work, imbalance: imbalanceOf(replicas) }, replicas, burst);
  for (let replicas = LEAST_REPLICAS; replicas <= most; replicas += 1) {
    if (hasHeadroom(outcomeOf(replicas)) && outcomeOf(replicas - 1).peak <= PEAK_SHARE_ONE_FEWER) return replicas;
  }
  return undefined;
}
