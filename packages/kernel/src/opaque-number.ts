import { createKeyedPermutation } from './keyed-permutation.ts';

/** Results are from here on, so that all have eight digits or more. */
const START = 2 ** 24;
/** Up to here results fit the 32-bit integers of every language. */
const END = 2 ** 31;

/**
 * Turns the numbers of a series that runs over all tenants (1, 2, 3, …) into numbers from 2²⁴ on that say nothing of how many there are: a
 * keyed permutation of 2²⁴ to 2³¹ − 1. Each number has a result of its own, always the same; those for which there is
 * no room any more get results above it, in their order.
 * @param secret of the installation; with another one the results are others
 * @param series name of the series, so that two series are not alike
 */
export function createOpaqueNumbers(secret: string, series: string): (number: number) => number {
  const permuted = createKeyedPermutation(secret, series, { from: START, to: END });
  return (number) => {
    if (!Number.isInteger(number) || number < 1) return number;
    return number > END - START ? number + START : permuted(number - 1 + START);
  };
}
