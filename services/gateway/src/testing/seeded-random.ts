/** Numbers from 0 to below 1 that are the same in every run (a linear congruential generator, with the numbers of the C standard's example). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
