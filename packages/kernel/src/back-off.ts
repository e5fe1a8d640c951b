/** How pauses between tries grow. Milliseconds. */
export interface BackOff {
  /** Pause after the first failure. */
  readonly firstMs: number;
  /** No pause is longer. */
  readonly maxMs: number;
  /** Each pause is so many times the one before; default 2. */
  readonly factor?: number;
  /** Share of a pause that is left to chance, 0 to 1; default a half, so that what failed together does not come back together. */
  readonly jitter?: number;
}

/**
 * Exponential back-off: the pause before the next try, in whole milliseconds.
 * @param failures in a row, from 1
 * @param random 0 to 1; left out for the longest pause, without jitter
 */
export function backOffMs({ firstMs, maxMs, factor = 2, jitter = 0.5 }: BackOff, failures: number, random = 1): number {
  // Infinity, behind very many failures, is more than the maximum.
  const ceiling = Math.min(maxMs, firstMs * factor ** (failures - 1));
  return Math.round(ceiling * (1 - jitter + jitter * random));
}
