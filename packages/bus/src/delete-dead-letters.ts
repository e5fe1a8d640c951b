import { deadLetterTopic } from '@parcelway/contracts/topics';
import { AppError } from '@parcelway/kernel/app-error';
import type { Logger } from '@parcelway/kernel/logger';
import type { DeadLetter, DeadLetterPosition } from './bus.ts';
import { REDRIVE_GROUP, readDeadLetter } from './dead-letters.ts';
import type { BusDriver } from './driver.ts';

/** Positions that a sentence for people names one by one. */
const MAX_NAMED = 10;

function listed(positions: readonly string[]): string {
  const named = positions.slice(0, MAX_NAMED).join(', ');
  return positions.length > MAX_NAMED ? `${named} and others` : named;
}

/** @param before dead letters before a named one that are not named themselves @param missing named, and not there */
function assertFree(topic: string, before: readonly string[], missing: readonly string[]): void {
  if (before.length > 0) {
    const sentence =
      `Nothing was deleted. A partition deletes its dead letters oldest first, and these are older than the ones you named: ${listed(before)} ` +
      `(partition:offset) of ${deadLetterTopic(topic)}. Redrive them first, or name them too`;
    throw new AppError('40902', sentence);
  }
  if (missing.length === 0) return;
  const sentence =
    `Nothing was deleted. ${deadLetterTopic(topic)} has no dead letter ${listed(missing)} (partition:offset) any more: ` +
    'it was redriven, deleted or expired meanwhile. List them again';
  throw new AppError('40403', sentence);
}

/**
 * Deletes dead letters: moves the position past them without publishing them again. All that are named, or none.
 * @returns them, as they were
 * @throws AppError 40902 when a partition has older ones that are not named, because a position stands for all before it; 40403 when
 *   one is not there; 50301
 */
export async function deleteDeadLetters(
  { driver, logger }: { readonly driver: BusDriver; readonly logger: Logger },
  topic: string,
  positions: readonly DeadLetterPosition[],
): Promise<readonly DeadLetter[]> {
  const found = await Promise.all(
    [...new Set(positions.map(({ partition }) => partition))].map(async (partition) => {
      const named = new Set(positions.flatMap((position) => (position.partition === partition ? [position.offset] : [])));
      // Some more, so that a refusal can say what lies before.
      const limit = named.size + MAX_NAMED + 1;
      const open = await driver.peek({ group: REDRIVE_GROUP, topic: deadLetterTopic(topic), partition, limit });
      const last = [...named].map(BigInt).reduce((most, offset) => (offset > most ? offset : most), 0n);
      const records = open.filter(({ offset }) => named.has(offset));
      const before = open.filter((record) => !records.includes(record) && BigInt(record.offset) < last);
      const missing = [...named].filter((offset) => !records.some((record) => record.offset === offset));
      return {
        records,
        before: before.map(({ offset }) => `${partition}:${offset}`),
        missing: missing.map((offset) => `${partition}:${offset}`),
      };
    }),
  );
  assertFree(
    topic,
    found.flatMap(({ before }) => before),
    found.flatMap(({ missing }) => missing),
  );
  const records = found.flatMap((each) => each.records);
  await driver.commit({ group: REDRIVE_GROUP, records });
  const deleted = records.map(({ partition, offset }) => `${partition}:${offset}`).join(' ');
  logger.warn({ topic, deleted }, 'Dead letters were deleted by the operator');
  return records.map((record) => readDeadLetter(record, topic));
}
