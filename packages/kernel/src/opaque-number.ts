import { createInvertiblePermutation } from './keyed-permutation.ts';

/** Results are from here on, so that all have eight digits or more. */
const START = 2 ** 24;
/** Up to here results fit the 32-bit integers of every language. */
const END = 2 ** 31;

/** What is shown of a number. */
export interface OpaqueNumbers {
  (number: number): number;
  /** The number whose result is shown; undefined when there is none. */
  hidden(result: number): number | undefined;
}

/**
 * Turns the numbers of a series that runs over all tenants (1, 2, 3, …) into numbers from 2²⁴ on that say nothing of how many there are: a
 * keyed permutation of 2²⁴ to 2³¹ − 1. Each number has a result of its own, always the same; those for which there is
 * no room any more get results above it, in their order.
 * @param secret of the installation; with another one the results are others
 * @param series name of the series, so that two series are not alike
 */
export function createOpaqueNumbers(secret: string, series: string): OpaqueNumbers {
  const { apply, invert } = createInvertiblePermutation(secret, series, { from: START, to: END });
  const shown = (number: number): number => {
    if (!Number.isInteger(number) || number < 1) return number;
    return number > END - START ? number + START : apply(number - 1 + START);
  };
  const hidden = (result: number): number | undefined => {
    if (!Number.isSafeInteger(result) || result < START || result === END) return undefined;
    return result > END ? result - START : invert(result) + 1 - START;
  };
  return Object.assign(shown, { hidden });
}
