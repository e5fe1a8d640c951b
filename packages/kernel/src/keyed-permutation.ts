import { createCipheriv, hkdfSync } from 'node:crypto';

/** Four are enough against somebody who sees results and cannot choose numbers; the rest is margin. */
const ROUNDS = 8;
/** Integers from `from` up to `to`, exclusive. */
export interface NumberRange {
  readonly from: number;
  readonly to: number;
}

/**
 * A keyed permutation of a range: each number of it has another number of it as its result, always the same, and no two share one. It is a Feistel
 * network over the bits that the range needs; a result outside of the range is permuted again until one lies in it.
 * @param secret of the installation; with another one the results are others
 * @param series name of the series, so that two series are not alike
 * @param range should take up most of the numbers below the power of two above it, or the walk into it is long
 */
export function createKeyedPermutation(secret: string, series: string, { from, to }: NumberRange): (number: number) => number {
  // Halves of 27 bits at most are the whole numbers that bit operators take.
  if (!(from >= 0 && from < to && to <= Number.MAX_SAFE_INTEGER)) throw new RangeError(`There is no permutation of ${from} to ${to}`);
  const bits = Math.max(2, Math.ceil(Math.log2(to)));
  const low = 2 ** Math.floor(bits / 2);
  const high = 2 ** (bits - Math.floor(bits / 2));
  const key = Buffer.from(hkdfSync('sha256', secret, '', `parcelway numbers ${series}`, 16));
  // One block at a time, each without regard to the others: the cipher is a keyed function of 16 bytes.
  const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false);
  const block = Buffer.alloc(16);
  const mixed = (round: number, half: number): number => {
    block.writeUInt32BE(half, 0);
    block[4] = round;
    const output = cipher.update(block);
    return output.readUInt16BE(0) + output.readUInt16BE(2) * 2 ** 16;
  };
  const permuted = (number: number): number => {
    let left = Math.floor(number / low);
    let right = number % low;
    for (let round = 0; round < ROUNDS; round += 2) {
      left ^= mixed(round, right) % high;
      right ^= mixed(round + 1, left) % low;
    }
    return left * low + right;
  };
  return (number) => {
    if (!Number.isInteger(number) || number < from || number >= to) throw new RangeError(`${number} is not one of ${from} to ${to - 1}`);
    // A permutation leads every number back to itself in the end, so the walk comes to one of the range, and to another from each.
    let result = permuted(number);
    while (result < from || result >= to) result = permuted(result);
    return result;
  };
}
