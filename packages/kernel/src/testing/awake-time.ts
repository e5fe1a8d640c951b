const TICK_MS = 10;
/** What one tick counts at most. */
const MOST_MS = 20;

/**
 * Measures work by a clock that stops while the process stands still, as it may on a machine that has much else to do: what is left is what
 * the work itself waited for.
 */
export async function awakeTime<T>(work: () => T | Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  let ms = 0;
  let last = performance.now();
  const tick = (): void => {
    const now = performance.now();
    ms += Math.min(now - last, MOST_MS);
    last = now;
  };
  const ticking = setInterval(tick, TICK_MS);
  try {
    const value = await work();
    tick();
    return { value, ms };
  } finally {
    clearInterval(ticking);
  }
}
