import { deadLetterTopic } from '@parcelway/contracts/topics';
import type { AppError } from '@parcelway/kernel/app-error';
import type { DeadLetter } from './bus.ts';
import type { LogRecord, OutgoingRecord } from './driver.ts';

/** Group whose position in a dead-letter topic tells what has been redriven. */
export const REDRIVE_GROUP = 'dlq-redrive';

const PREFIX = 'dlq-';
const MAX_MESSAGE = 500;

/**
 * A message that was given up, as a record for the dead-letter topic: the original bytes, key and headers, and in
 * `dlq-*` headers where it came from and why it failed.
 * @param failedAt epoch milliseconds
 */
export function toDeadLetter(record: LogRecord, group: string, error: AppError, failedAt: number): OutgoingRecord {
  return {
    topic: deadLetterTopic(record.topic),
    key: record.key ?? '',
    value: record.value ?? new Uint8Array(),
    headers: {
      ...record.headers,
      'dlq-topic': record.topic,
      'dlq-partition': String(record.partition),
      'dlq-offset': record.offset,
      'dlq-group': group,
      'dlq-code': error.code,
      'dlq-message': error.message.slice(0, MAX_MESSAGE),
      'dlq-failed-at': new Date(failedAt).toISOString(),
      'dlq-key': record.key ?? '',
    },
  };
}

/** What a record of the dead-letter topic of `topic` says. */
export function readDeadLetter(record: LogRecord, topic: string): DeadLetter {
  const { headers } = record;
  return {
    record,
    topic: headers['dlq-topic'] ?? topic,
    group: headers['dlq-group'] ?? '',
    reason: `${headers['dlq-code'] ?? ''} ${headers['dlq-message'] ?? ''}`.trim(),
    failedAt: headers['dlq-failed-at'] ?? new Date(record.timestamp).toISOString(),
  };
}

/** The original message of a dead letter, to be published again. */
export function toOriginal({ record, topic }: DeadLetter): OutgoingRecord {
  return {
    topic,
    key: record.headers['dlq-key'] ?? record.key ?? '',
    value: record.value ?? new Uint8Array(),
    headers: Object.fromEntries(Object.entries(record.headers).filter(([name]) => !name.startsWith(PREFIX))),
  };
}
