import type { Model } from 'mongoose';
import { OUTBOX_INDEX, type OutboxFields } from './mongo-outbox-fields.ts';

/** Documents beyond which the messages in them are no longer counted one by one. */
const BACKLOG = 200;

/** How much waits in an outbox. */
export interface OutboxDepth {
  readonly count: number;
  /** Since when the oldest message waits, epoch milliseconds; null when there is none. */
  readonly oldestAt: number | null;
}

/**
 * Counts the messages in the outbox of a collection. In a backlog it counts documents, by the index alone: their contents would take longer to read
 * than anybody waits for a figure.
 */
export async function readDepth(model: Model<OutboxFields>): Promise<OutboxDepth> {
  // A range, which the index alone can serve; `$exists` would read the documents.
  const waiting = { $match: { outbox_due: { $gt: 0 } } };
  const ask = async (count: object): Promise<OutboxDepth> => {
    const sum = { $group: { _id: null, count, oldest: { $min: '$outbox_since' } } };
    const [row] = await model.aggregate<{ count: number; oldest: number }>([waiting, sum], { hint: OUTBOX_INDEX });
    // Messages of one millisecond differ by fractions, so that they have an order.
    return { count: row?.count ?? 0, oldestAt: row === undefined ? null : Math.ceil(row.oldest) };
  };
  const documents = await ask({ $sum: 1 });
  return documents.count === 0 || documents.count > BACKLOG ? documents : ask({ $sum: { $size: '$outbox' } });
}
