import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { Store, Write } from '@parcelway/store/store';

/**
 * Makes writes all or none, and decides again when another was quicker.
 * @param decide reads, and has no effects: it may run several times
 * @throws AppError 50301, also after many tries
 */
export async function decideTogether(store: Store, decide: () => Promise<readonly Write[]>): Promise<void> {
  await untilWritten(async () => {
    const writes = await decide();
    const outcomes = await store.apply(writes, { together: writes.length > 1 });
    return outcomes.every(({ kind }) => kind === 'written') || undefined;
  });
}
