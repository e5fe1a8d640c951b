/** The clock of a process that has work may be ahead by as much, in milliseconds. What looks like a longer lead is not believed. */
export const MAX_CLOCK_LEAD_MS = 60_000;

/**
 * Who does a regular work of a service, how far it has come, and when it is due again: one process at a time, kept in the store of the service. Times are
 * epoch milliseconds, by the clocks of the processes. When clocks differ by more than a lease, or a step lasts longer, two processes work side by side for a
 * while: the work has to bear that.
 */
export interface WorkLease {
  /**
   * Takes the work when it is due and no process has it. One whose process has ended without a word is taken once its lease has run out, and at once when the
   * lease ends more than {@link MAX_CLOCK_LEAD_MS} after `until`: it is of a clock that was ahead.
   * @param until the end of the lease
   * @param latest work that no process has, and that is due later than this, is due now: a process with a longer pause in its settings has given it back, or
   * there is something new to do
   * @returns the place up to which it has come, '' at first; undefined when it was not taken
   * @throws AppError 50301
   */
  take(now: number, until: number, latest: number): Promise<string | undefined>;
  /**
   * Extends the lease, and keeps how far the work has come, in one durable write.
   * @returns false when another process has taken the work; then nothing is written
   * @throws AppError 50301
   */
  keep(place: string, until: number): Promise<boolean>;
  /** Gives the work back, to be taken from an instant on. Does nothing when another process has it. @throws AppError 50301 */
  giveBack(place: string, dueAt: number): Promise<void>;
}
