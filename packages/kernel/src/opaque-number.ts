import { createCipheriv, hkdfSync } from 'node:crypto';

/** Results are from here on: versions before showed the numbers themselves, and those that they have shown stay free. */
const START = 2 ** 24;
/** Up to here results fit the 32-bit integers of every language. */
const END = 2 ** 31;
const LOW_BITS = 15;
const LOW_MASK = 2 ** LOW_BITS - 1;
const HIGH_MASK = 0xffff;
/** Four are enough against whoever sees results and chooses no numbers; the rest is margin. */
const ROUNDS = 8;

/**
 * Turns the numbers of a series that runs over all tenants (1, 2, 3, …) into numbers from 2²⁴ on that say nothing of how many there are: a
 * keyed permutation of 2²⁴ to 2³¹ − 1, made as a Feistel network. Each number has a result of its own, always the same; those for which there is
 * no room any more get results above it, in their order.
 * @param secret of the installation; with another one the results are others
 * @param series name of the series, so that two series are not alike
 */
export function createOpaqueNumbers(secret: string, series: string): (number: number) => number {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `parcelway numbers ${series}`, 16));
  // One block at a time, each without regard to the others: the cipher is a keyed function of 16 bytes.
  const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false);
  const block = Buffer.alloc(16);
  const mixed = (round: number, half: number): number => {
    block.writeUInt32BE(half, 0);
    block[4] = round;
    return cipher.update(block).readUInt16BE(0);
  };
  const permuted = (number: number): number => {
    let high = number >>> LOW_BITS;
    let low = number & LOW_MASK;
    for (let round = 0; round < ROUNDS; round += 2) {
      high ^= mixed(round, low) & HIGH_MASK;
      low ^= mixed(round + 1, high) & LOW_MASK;
    }
    return high * 2 ** LOW_BITS + low;
  };
  return (number) => {
    if (!Number.isInteger(number) || number < 1) return number;
    if (number > END - START) return number + START;
    // A permutation leads every number back to itself in the end, so the walk comes to one of the range, and to another from each.
    let result = permuted(number - 1 + START);
    while (result < START) result = permuted(result);
    return result;
  };
}
