/**
 * Looks every 10 ms until `probe` gives something truthy, and returns that.
 * @throws Error when it does not within 10 s
 */
export async function until<T>(what: string, probe: () => T | Promise<T>): Promise<NonNullable<T>> {
  const end = performance.now() + 10_000;
  for (;;) {
    const value = await probe();
    if (value) return value as NonNullable<T>;
    if (performance.now() > end) throw new Error(`Waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
