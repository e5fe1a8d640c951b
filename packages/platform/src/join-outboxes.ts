import type { OutboxSource } from './outbox.ts';

const SEPARATOR = ':';

/**
 * Several outboxes as one, each with the messages of its own aggregates: order holds within each of them.
 * @param sources by a name without a colon
 */
export function joinOutboxes(sources: Readonly<Record<string, OutboxSource>>): OutboxSource {
  const all = Object.entries(sources);
  return {
    async lease(limit) {
      const leased = await Promise.all(
        all.map(async ([name, source]) =>
          (await source.lease(limit)).map((message) => ({ ...message, id: `${name}${SEPARATOR}${message.id}` })),
        ),
      );
      return leased.flat().slice(0, limit);
    },
    async remove(ids) {
      await Promise.all(
        all.map(async ([name, source]) => {
          const prefix = name + SEPARATOR;
          const own = ids.filter((id) => id.startsWith(prefix)).map((id) => id.slice(prefix.length));
          if (own.length > 0) await source.remove(own);
        }),
      );
    },
    async settle() {
      await Promise.all(all.map(([, source]) => source.settle?.()));
    },
    async flush() {
      await Promise.all(all.map(([, source]) => source.flush?.()));
    },
    async depth() {
      const depths = await Promise.all(all.map(([, source]) => source.depth()));
      const oldest = depths.flatMap(({ oldestAt }) => oldestAt ?? []);
      return { count: depths.reduce((sum, { count }) => sum + count, 0), oldestAt: oldest.length === 0 ? null : Math.min(...oldest) };
    },
  };
}
