import { deadLetterTopic } from '@parcelway/contracts/topics';
import { AppError } from '@parcelway/kernel/app-error';
import type { Logger } from '@parcelway/kernel/logger';
import type { DeadLetter, DeadLetterPosition } from './bus.ts';
import { REDRIVE_GROUP, readDeadLetter } from './dead-letters.ts';
import type { BusDriver, LogRecord } from './driver.ts';

/** Positions that a sentence for people names one by one. */
const MAX_NAMED = 10;

/** Offsets by partition, each once. */
function byPartition(positions: readonly DeadLetterPosition[]): ReadonlyMap<number, ReadonlySet<string>> {
  const offsets = new Map<number, Set<string>>();
  for (const { partition, offset } of positions) offsets.set(partition, (offsets.get(partition) ?? new Set<string>()).add(offset));
  return offsets;
}

/** What prevents deleting in one partition. */
interface Obstacles {
  /** Dead letters before a named one that are not named themselves. */
  readonly before: readonly string[];
  /** Named, and not there. */
  readonly missing: readonly string[];
}

/** @param open the oldest dead letters of the partition, more than are named unless there are no more */
function obstaclesOf(partition: number, named: ReadonlySet<string>, open: readonly LogRecord[]): Obstacles {
  const last = [...named].map(BigInt).reduce((most, offset) => (offset > most ? offset : most), 0n);
  const there = new Set(open.map(({ offset }) => offset));
  return {
    before: open.flatMap(({ offset }) => (!named.has(offset) && BigInt(offset) < last ? [`${partition}:${offset}`] : [])),
    missing: [...named].flatMap((offset) => (there.has(offset) ? [] : [`${partition}:${offset}`])),
  };
}

function listed(positions: readonly string[]): string {
  const named = positions.slice(0, MAX_NAMED).join(', ');
  return positions.length > MAX_NAMED ? `${named} and others` : named;
}

function assertFree(topic: string, obstacles: readonly Obstacles[]): void {
  const before = obstacles.flatMap((each) => each.before);
  if (before.length > 0) {
    const sentence =
      `Nothing was deleted. A partition deletes its dead letters oldest first, and these are older than the ones you named: ${listed(before)} ` +
      `(partition:offset) of ${deadLetterTopic(topic)}. Redrive them first, or name them too`;
    throw new AppError('40902', sentence);
  }
  const missing = obstacles.flatMap((each) => each.missing);
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
  const partitions = [...byPartition(positions)];
  const peek = (partition: number, limit: number): Promise<LogRecord[]> =>
    driver.peek({ group: REDRIVE_GROUP, topic: deadLetterTopic(topic), partition, limit });
  const found = await Promise.all(
    partitions.map(async ([partition, named]) => {
      // Some more, so that a refusal can say what lies before.
      const open = await peek(partition, named.size + MAX_NAMED + 1);
      return { records: open.filter(({ offset }) => named.has(offset)), obstacles: obstaclesOf(partition, named, open) };
    }),
  );
  assertFree(
    topic,
    found.map(({ obstacles }) => obstacles),
  );
  const records = found.flatMap((each) => each.records);
  await driver.commit({ group: REDRIVE_GROUP, records });
  const deleted = records.map(({ partition, offset }) => `${partition}:${offset}`).join(' ');
  logger.warn({ topic, deleted }, 'Dead letters were deleted by the operator');
  return records.map((record) => readDeadLetter(record, topic));
}
