import { createCipheriv, hkdfSync } from 'node:crypto';

/** Numbers that fit the 32-bit integers of every language. Of larger ones there is no way back to a small one, so they stay as they are. */
const END = 2 ** 31;
const LOW_BITS = 15;
const LOW_MASK = 2 ** LOW_BITS - 1;
const HIGH_MASK = 0xffff;
/** Four are enough against whoever sees results and chooses no numbers; the rest is margin. */
const ROUNDS = 8;

/**
 * Turns the numbers of a series that runs over all tenants (1, 2, 3, …) into numbers that say nothing of how many there are: a keyed permutation
 * of 1 to 2³¹ − 1, made as a Feistel network. Each number has a result of its own, always the same; larger ones are returned as they are.
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
    if (!Number.isInteger(number) || number < 1 || number >= END) return number;
    const result = permuted(number);
    // The one number that leads to 0 gets what 0 leads to, which no other does.
    return result === 0 ? permuted(0) : result;
  };
}
