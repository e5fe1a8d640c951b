/** A source of numbers from 0 to 1, 1 excluded. */
export type Random = () => number;

/** The same numbers for the same seed, on every machine: mulberry32. @param seed a whole number */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A time between events that come independently of each other. @param perUnit how many come in one unit of time, on average */
export function exponential(random: Random, perUnit: number): number {
  return -Math.log(1 - random()) / perUnit;
}
