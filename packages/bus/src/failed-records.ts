import { type AppError, toAppError } from '@parcelway/kernel/app-error';
import { backOffMs } from '@parcelway/kernel/back-off';
import type { Clock } from '@parcelway/kernel/clock';
import { consumerActionOf } from '@parcelway/kernel/error-codes';
import type { Logger } from '@parcelway/kernel/logger';
import { toDeadLetter, toTruncatedDeadLetter } from './dead-letters.ts';
import type { BusDriver, LogRecord } from './driver.ts';

/** Tries of a message that fails with what may be a defect, before it goes to the dead letters. */
export const MAX_TRIES = 5;
const PAUSES = { firstMs: 200, maxMs: 30_000 };

/** How often a message has failed, this time included, and how often of that with what may be a defect. */
export interface Tries {
  readonly all: number;
  readonly defects: number;
}

/** What becomes of a message that failed: again after a pause in milliseconds, or to the dead letters. */
export type Verdict = { readonly action: 'retry'; readonly pauseMs: number } | { readonly action: 'dead-letter' };

/** Pause before the next try of a message, in milliseconds: doubles from 200 ms to 30 s. @param random 0 to 1 */
function pauseAfter(tries: number, random: number): number {
  return backOffMs(PAUSES, tries, random);
}

/**
 * Decides by the code of the failure (kernel/error-codes). A dependency that is out is waited for without limit; the
 * retention of the log is the bound. Failures of a dependency do not count against what may be a defect: behind a long
 * outage a message still has all its tries.
 * @param random 0 to 1
 */
export function verdictOn(error: AppError, tries: Tries, random: number): Verdict {
  const action = consumerActionOf[error.code];
  if (action === 'dead-letter' || (action === 'retry-then-dead-letter' && tries.defects >= MAX_TRIES)) return { action: 'dead-letter' };
  return { action: 'retry', pauseMs: pauseAfter(tries.all, random) };
}

/** What the handling of failures is made of. */
export interface FailedRecordsOptions {
  readonly group: string;
  /** Stores dead letters. */
  readonly publish: BusDriver['publish'];
  readonly logger: Logger;
  readonly clock: Clock;
  /** 0 to 1; for jitter. */
  readonly random: () => number;
}

/** Tries of the records of a partition that are not finished, by offset. */
export type TriesByOffset = Map<string, Tries>;

/** Decides what becomes of records that failed, and moves those that cannot be processed to the dead letters. */
export class FailedRecords {
  readonly #options: FailedRecordsOptions;

  constructor(options: FailedRecordsOptions) {
    this.#options = options;
  }

  /**
   * Counts a failure of one record and moves it to the dead letters when no further try will help.
   * @returns the pause before it must come again, in milliseconds; undefined when it is finished
   */
  async one(record: LogRecord, memory: TriesByOffset, error: AppError): Promise<number | undefined> {
    const tries = countTry(record, memory, error);
    const verdict = verdictOn(error, tries, this.#options.random());
    if (verdict.action === 'dead-letter') return this.#deadLetter(record, error, tries.all);
    this.#options.logger.warn(
      { ...this.#fields(record), ...describe(error), tries: tries.all, pauseMs: verdict.pauseMs },
      'Handling a message failed; it will be retried',
    );
    return verdict.pauseMs;
  }

  /**
   * Counts a failure of a dependency against all records of a batch, which come again together.
   * @returns the pause before that, in milliseconds
   */
  together(records: readonly LogRecord[], memory: TriesByOffset, error: AppError): number {
    const tries = Math.max(...records.map((record) => countTry(record, memory, error).all));
    const pauseMs = pauseAfter(tries, this.#options.random());
    this.#options.logger.warn(
      { ...this.#fields(records[0] as LogRecord), ...describe(error), messages: records.length, tries, pauseMs },
      'Handling a batch failed; it will be retried',
    );
    return pauseMs;
  }

  /** Logs that the records of a failed batch are handled one by one. */
  split(records: readonly LogRecord[], error: AppError): void {
    this.#options.logger.warn(
      { ...this.#fields(records[0] as LogRecord), ...describe(error), messages: records.length },
      'Handling a batch failed; its messages are handled one by one',
    );
  }

  async #deadLetter(record: LogRecord, error: AppError, tries: number): Promise<number | undefined> {
    const { logger, random } = this.#options;
    try {
      await this.store(record, error);
    } catch (failure) {
      const pauseMs = pauseAfter(tries, random());
      logger.error(
        { ...this.#fields(record), ...describe(toAppError(failure)), pauseMs },
        'A dead letter could not be stored; the message will be retried',
      );
      return pauseMs;
    }
    logger.error({ ...this.#fields(record), ...describe(error), tries }, 'A message cannot be processed; it was moved to the dead letters');
    return undefined;
  }

  /**
   * Stores a dead letter, or the beginning of one that is too large for the log: without it the partition would stop for good.
   * @throws AppError 50301 when the log is out
   */
  async store(record: LogRecord, error: AppError): Promise<void> {
    const { group, publish, logger, clock } = this.#options;
    try {
      await publish([toDeadLetter(record, group, error, clock.now())]);
    } catch (refusal) {
      if (toAppError(refusal).code !== '41301') throw refusal;
      await publish([toTruncatedDeadLetter(record, group, error, clock.now())]);
      logger.error(
        { ...this.#fields(record), bytes: record.value?.byteLength ?? 0 },
        'A message was too large for the dead letters; only its beginning was kept, so it cannot be redriven',
      );
    }
  }

  #fields(record: LogRecord): Readonly<Record<string, unknown>> {
    return { group: this.#options.group, topic: record.topic, partition: record.partition, offset: record.offset };
  }
}

/** Counts a failed try of a record. @returns its tries with this one */
function countTry(record: LogRecord, memory: TriesByOffset, error: AppError): Tries {
  const before = memory.get(record.offset) ?? { all: 0, defects: 0 };
  const defects = before.defects + (consumerActionOf[error.code] === 'retry-then-dead-letter' ? 1 : 0);
  const tries = { all: before.all + 1, defects };
  memory.set(record.offset, tries);
  return tries;
}

/** Log fields of a failure. The text of a JSON syntax error quotes the message, so it is left out. */
function describe(error: AppError): Readonly<Record<string, unknown>> {
  const cause = error.cause instanceof Error && !(error.cause instanceof SyntaxError) ? error.cause.stack : undefined;
  return { code: error.code, reason: error.message, ...(cause === undefined ? {} : { cause }) };
}
