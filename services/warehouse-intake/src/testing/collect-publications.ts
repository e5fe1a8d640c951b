import type { OutboxSource } from '@parcelway/platform/outbox';

/**
 * Stands in for the relay: each call takes out of the outboxes what is in them.
 * @returns all that has been taken out since, in the order of leaving
 */
export function collectPublications(...outboxes: readonly OutboxSource[]): () => Promise<readonly string[]> {
  const collected: string[] = [];
  const drain = async (outbox: OutboxSource): Promise<void> => {
    for (;;) {
      const leased = await outbox.lease(1000);
      if (leased.length === 0) break;
      collected.push(...leased.map(({ value }) => value));
      await outbox.remove(leased.map(({ id }) => id));
    }
    await outbox.settle?.();
  };
  return async () => {
    for (const outbox of outboxes) await drain(outbox);
    return collected;
  };
}
