const HOUR_MS = 3_600_000;
const LENGTHS: Readonly<Record<string, number>> = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS };

/**
 * Where a range of the feed begins, in RFC 3339; undefined for all that is kept.
 * @param range `hour`, `day`, `week` or `all`; anything else is a day
 * @param now epoch milliseconds
 */
export function sinceOf(range: string, now: number): string | undefined {
  if (range === 'all') return undefined;
  return new Date(now - (LENGTHS[range] ?? 24 * HOUR_MS)).toISOString();
}
