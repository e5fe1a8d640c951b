import { AppError } from '@parcelway/kernel/app-error';
import type { Store, Write } from '@parcelway/store/store';

/** Decisions on one change. */
const MAX_TRIES = 20;

/**
 * Makes writes all or none, and decides again when another was quicker.
 * @param decide reads, and has no effects: it may run several times
 * @throws AppError 50301, also after many tries
 */
export async function decideTogether(store: Store, decide: () => Promise<readonly Write[]>): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const writes = await decide();
    const outcomes = await store.apply(writes, { together: writes.length > 1 });
    if (outcomes.every(({ kind }) => kind === 'written')) return;
  }
  throw AppError.unavailable('Others change the same data all the time; try again');
}
