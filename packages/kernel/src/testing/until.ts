type Truthy<T> = Exclude<T, false | 0 | '' | null | undefined>;

/** Bounds of a wait. */
export interface UntilOptions {
  /** Milliseconds after which the wait fails; default 20 s: a machine may be slow, and a test that passes does not wait. */
  readonly within?: number;
  /** Completes "Waited in vain for …". */
  readonly what?: string;
  /** Milliseconds between two looks; default 10. */
  readonly everyMs?: number;
}

/**
 * Looks again and again until `probe` gives something truthy, and returns that. The last look comes after the deadline: a pause of the process is no failure.
 * @throws Error when the deadline passes; a probe that throws counts as not yet, its last error is the cause
 */
export async function until<T>(probe: () => T | Promise<T>, options: UntilOptions = {}): Promise<Truthy<T>> {
  const { within = 20_000, what = 'a condition', everyMs = 10 } = options;
  const deadline = Date.now() + within;
  let lastError: unknown;
  for (;;) {
    const isLast = Date.now() >= deadline;
    try {
      const value = await probe();
      if (value) return value as Truthy<T>;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    if (isLast) throw new Error(`Waited in vain for ${what} (${within} ms)`, { cause: lastError });
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
