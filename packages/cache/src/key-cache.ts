/**
 * A cache of looked-up values with a short life, shared by the replicas of a service where the driver can.
 * It never is the truth: every miss or failure falls back to the store.
 */
export interface KeyCache<T> {
  /** The value, or undefined when it is not (or no longer) cached. Never throws: a failing cache is a miss. */
  get(key: string): Promise<T | undefined> | T | undefined;
  /**
   * Keeps a value for `ttlMs` milliseconds. Never throws. A shared cache may ignore it for some seconds after a deletion
   * of the key, because the value may have been looked up before.
   */
  set(key: string, value: T, ttlMs: number): void;
  /** Forgets a value. Never throws. */
  delete(key: string): void;
}
