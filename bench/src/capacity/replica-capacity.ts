/** Share of its one core that a replica is planned to use: the rest is for peaks within a second, and for a replica that is away. */
export const PLANNED_SHARE = 0.7;

/** A process or a machine that is busy for this share of its time waits for processors, and not for a store. */
const EXHAUSTED_SHARE = 0.9;

/** What was counted while a load lasted. */
export interface LoadUsage {
  /** Operations that the process did. */
  readonly operations: number;
  /** CPU time of the process, user and system. */
  readonly cpuMicroseconds: number;
  /** From the first operation to the moment at which nothing was left to do. */
  readonly seconds: number;
  /** CPU time that the process uses when nobody asks anything of it, a second. */
  readonly idleMicrosecondsPerSecond: number;
}

/**
 * CPU time of one operation, microseconds: what the load used above what the process uses anyway; never below 0.
 * @throws RangeError without operations
 */
export function cpuPerOperation({ operations, cpuMicroseconds, seconds, idleMicrosecondsPerSecond }: LoadUsage): number {
  if (!(operations > 0)) throw new RangeError('There was no operation to take the CPU time of');
  return Math.max(0, cpuMicroseconds - idleMicrosecondsPerSecond * seconds) / operations;
}

/** How fast one process went when it was given all that it could take. */
export interface CeilingRun {
  readonly perSecond: number;
  /** Share of one core that the process used meanwhile, 0 to 1. */
  readonly processShare: number;
  /** Share of all processors of the machine that was busy meanwhile, 0 to 1. */
  readonly machineShare: number;
}

/**
 * The most that one process does a second because it waits for something else, such as its store; undefined when it, or
 * the machine that it shares with the load and the servers, ran out of processors first: then the run says nothing of waiting.
 */
export function ceilingOf({ perSecond, processShare, machineShare }: CeilingRun): number | undefined {
  return processShare >= EXHAUSTED_SHARE || machineShare >= EXHAUSTED_SHARE ? undefined : perSecond;
}

/** What one replica holds of one kind of work. */
export interface Holding {
  readonly perSecond: number;
  readonly boundBy: 'cpu' | 'ceiling';
}

/**
 * What one replica with one core holds: what fits into {@link PLANNED_SHARE} of it beside what the process uses when idle,
 * or its ceiling when that is lower.
 * @param cpuMicroseconds of one operation
 * @param idleShare of the core, 0 to 1
 * @param ceilingPerSecond undefined when none was found
 * @throws RangeError when an operation costs nothing, or idling takes all that is planned
 */
export function holdingOf(cpuMicroseconds: number, idleShare: number, ceilingPerSecond?: number): Holding {
  if (!(cpuMicroseconds > 0)) throw new RangeError('An operation that costs no CPU time was not measured');
  if (idleShare >= PLANNED_SHARE) throw new RangeError('The process uses all that is planned for it while it is idle');
  const byCpu = ((PLANNED_SHARE - idleShare) * 1_000_000) / cpuMicroseconds;
  return ceilingPerSecond !== undefined && ceilingPerSecond < byCpu
    ? { perSecond: ceilingPerSecond, boundBy: 'ceiling' }
    : { perSecond: byCpu, boundBy: 'cpu' };
}
