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
