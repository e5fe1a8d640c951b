import { deadLetterTopic } from '@parcelway/contracts/topics';
import { AppError } from '@parcelway/kernel/app-error';
import type { Logger } from '@parcelway/kernel/logger';
import type { DeadLetter, PassOver } from './bus.ts';
import { describeTruncated, isTruncated, originOf, REDRIVE_GROUP, readDeadLetter, toOriginal } from './dead-letters.ts';
import type { BusDriver } from './driver.ts';

/** Dead letters that a sentence for people names one by one. */
const MAX_NAMED = 10;

/** Says of dead letters that hold only the beginning of their message why they were not redriven. */
function refusalOf(topic: string, truncated: readonly DeadLetter[], redriven: number, logger: Logger): AppError {
  const named = truncated.slice(0, MAX_NAMED).map(describeTruncated).join('; ');
  const list = truncated.length > MAX_NAMED ? `${named}; and others` : named;
  const sentence =
    `${redriven} dead letters were redriven. ${truncated.length} were passed over, because they were too large and only their beginning was kept: ` +
    `${list}. Ask the publisher to publish them again, in smaller messages; what was kept stays in ${deadLetterTopic(topic)} until its retention ends`;
  logger.error({ topic, redriven, truncated: list }, 'Truncated dead letters were not redriven');
  return new AppError('40902', sentence);
}

/** What a redrive reads and writes. */
export interface RedriveOptions {
  readonly driver: Pick<BusDriver, 'peek' | 'publish' | 'commit'>;
  readonly logger: Logger;
}

/** Those of some dead letters that nobody has redriven or deleted since they were read: the ones behind the position of their partition. */
async function stillOpen(driver: RedriveOptions['driver'], topic: string, found: readonly DeadLetter[]): Promise<readonly DeadLetter[]> {
  const partitions = [...new Set(found.map(({ record }) => record.partition))];
  const first = new Map(
    await Promise.all(
      partitions.map(async (partition) => {
        const [open] = await driver.peek({ group: REDRIVE_GROUP, topic: deadLetterTopic(topic), partition, limit: 1 });
        return [partition, open?.offset] as const;
      }),
    ),
  );
  return found.filter(({ record }) => {
    const offset = first.get(record.partition);
    return offset !== undefined && BigInt(record.offset) >= BigInt(offset);
  });
}

/**
 * Publishes the oldest dead letters of a topic again, then moves the position past them. Those that somebody else redrives or deletes before
 * `passOver` has resolved are left out.
 * @returns how many were published
 * @throws AppError as `Bus.redrive`
 */
export async function redriveDeadLetters(
  { driver, logger }: RedriveOptions,
  topic: string,
  limit: number,
  passOver: PassOver = async () => new Set(),
): Promise<number> {
  const records = await driver.peek({ group: REDRIVE_GROUP, topic: deadLetterTopic(topic), limit });
  const found = records.map((record) => readDeadLetter(record, topic));
  if (found.length === 0) return 0;
  const passed = await passOver(found.filter((deadLetter) => !isTruncated(deadLetter)));
  const open = await stillOpen(driver, topic, found);
  const truncated = open.filter(isTruncated);
  const passedOver = open.filter((deadLetter) => passed.has(deadLetter));
  const redriven = open.filter((deadLetter) => !isTruncated(deadLetter) && !passed.has(deadLetter));
  // One message for the dead letters of all groups: every group of the topic gets it again.
  const messages = new Map(redriven.map((deadLetter) => [originOf(deadLetter), toOriginal(deadLetter)]));
  // In this order: a crash in between publishes them twice, the other order would lose them.
  await driver.publish([...messages.values()]);
  // Those that are not published too: one that stayed in front would keep all behind it from being redriven.
  await driver.commit({ group: REDRIVE_GROUP, records: open.map(({ record }) => record) });
  if (passedOver.length > 0) {
    const places = passedOver.map(({ record: { partition, offset } }) => `${partition}:${offset}`).join(' ');
    logger.warn({ topic, passed_over: places }, 'Dead letters whose data was deleted were not redriven');
  }
  if (truncated.length > 0) throw refusalOf(topic, truncated, redriven.length, logger);
  return redriven.length;
}
