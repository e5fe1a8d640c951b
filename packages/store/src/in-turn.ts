import { untilWritten } from '@parcelway/kernel/optimistic-write';
import { SerialQueue } from '@parcelway/kernel/serial-queue';
import type { Store, Write } from './store.ts';

/** So many may wait behind the one that has its turn. */
const MAX_WAITING = 500;

const queues = new WeakMap<Store, SerialQueue>();

/**
 * Repeats an attempt that reads, decides and writes. After one that was too late, those of a name take turns in this process: what is left to be quicker
 * are other processes.
 * @param name such as the tenant whose documents the attempt is about
 * @param attempt undefined when another was quicker
 * @throws AppError 50301 when too many wait, or others were quicker each time; whatever else the attempt throws
 */
export async function untilWrittenInTurn<T>(store: Store, name: string, attempt: () => Promise<T | undefined>): Promise<T> {
  const first = await attempt();
  if (first !== undefined) return first;
  let queue = queues.get(store);
  if (queue === undefined) {
    queue = new SerialQueue(MAX_WAITING);
    queues.set(store, queue);
  }
  return queue.run([name], () => untilWritten(attempt));
}

/**
 * Makes writes all or none, and decides again when another was quicker, see {@link untilWrittenInTurn}.
 * @param decide reads, and has no effects: it may run several times
 */
export async function decideTogether(store: Store, name: string, decide: () => Promise<readonly Write[]>): Promise<void> {
  await untilWrittenInTurn(store, name, async () => {
    const writes = await decide();
    const outcomes = await store.apply(writes, { together: writes.length > 1 });
    return outcomes.every(({ kind }) => kind === 'written') || undefined;
  });
}
