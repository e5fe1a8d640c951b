import type { ServerRow, ServerStage } from '@parcelway/harness/sources/source-server';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The first stages of a parcel; then it is seen in transit and in customs, again and again. None is final. */
const BEGINNING: readonly ServerStage[] = ['info received', 'picked up'];
const WAY: readonly ServerStage[] = ['in transit', 'customs'];

/**
 * Rows of a parcel, oldest first, one an hour from the day before `now` on. Each has another status than the one before it.
 * @param count at most 24, so that none lies in the future
 */
export function rowsAt(now: number, count: number): readonly ServerRow[] {
  return Array.from({ length: count }, (_, index) => ({
    stage: (BEGINNING[index] ?? WAY[index % WAY.length]) as ServerStage,
    at: new Date(now - DAY_MS + index * HOUR_MS).toISOString(),
    text: `Seen at place ${index}`,
    city: 'Shenzhen',
    country: 'CN',
  }));
}
