import { within } from './kafka-errors.ts';
import { LazyPositions } from './lazy-positions.ts';

const COMMIT_DELAY_MS = 250;
/** Time for one commit. */
const COMMIT_TIMEOUT_MS = 3000;

/** Writes positions down: offset behind the last finished record, by partition. */
export type Commit = (positions: ReadonlyMap<number, string>) => Promise<void>;

/**
 * How far a consumer has come in its partitions, written to the cluster.
 * @param failed is called for the first of a run of commits in the background that fail; they are tried again
 * @param settle makes durable what was handled, before it is committed; default nothing
 */
export function commitLazily(
  commit: Commit,
  failed: (error: unknown) => void,
  settle?: () => Promise<void>,
): LazyPositions<number, string> {
  /** Ends with the last commit that was sent, which may be long after its deadline: kafkajs cannot be stopped. */
  let sent: Promise<void> = Promise.resolve();
  const write = async (positions: ReadonlyMap<number, string>, isCurrent: () => boolean): Promise<void> => {
    const deadline = performance.now() + COMMIT_TIMEOUT_MS;
    // An older commit that lands after this one would move the position back.
    await within(COMMIT_TIMEOUT_MS, 'The commit before', sent);
    if (settle !== undefined) await within(deadline - performance.now(), 'Making durable what was handled', settle());
    // Meanwhile the partitions may have gone to another member, whose position this would move.
    if (!isCurrent()) return;
    const committing = commit(positions);
    sent = committing.catch(() => undefined);
    await within(deadline - performance.now(), 'Committing', committing);
  };
  return new LazyPositions({ delayMs: COMMIT_DELAY_MS, write, failed });
}
