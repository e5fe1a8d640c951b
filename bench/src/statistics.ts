/** The middle value; the mean of the two in the middle when there is an even number. @throws RangeError without values */
export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/**
 * The value below which `percent` of the values lie, interpolated linearly between the two nearest ranks.
 * @param percent 0 to 100
 * @throws RangeError without values
 */
export function percentile(values: readonly number[], percent: number): number {
  if (values.length === 0) throw new RangeError('There is nothing to take a percentile of');
  const sorted = [...values].sort((a, b) => a - b);
  const rank = ((sorted.length - 1) * percent) / 100;
  const below = sorted[Math.floor(rank)] as number;
  const above = sorted[Math.ceil(rank)] as number;
  return below + (above - below) * (rank - Math.floor(rank));
}
