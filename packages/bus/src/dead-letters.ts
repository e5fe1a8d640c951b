import { deadLetterTopic } from '@parcelway/contracts/topics';
import type { AppError } from '@parcelway/kernel/app-error';
import type { DeadLetter } from './bus.ts';
import type { LogRecord, OutgoingRecord } from './driver.ts';

/** Group whose position in a dead-letter topic shows what has been redriven or deleted. */
export const REDRIVE_GROUP = 'dlq-redrive';

const PREFIX = 'dlq-';
const TRUNCATED = 'dlq-truncated';
const SIZE = 'dlq-size';
const MAX_MESSAGE = 500;
/** What is kept of a message whose dead letter the log does not take: bytes of its value, and characters of its key and of each header. */
const KEPT_BYTES = 65_536;
const KEPT_CHARACTERS = 1024;
const KEPT_HEADERS = 50;

/**
 * A message that could not be processed, as a record for the dead-letter topic: the original bytes, key and headers, and in
 * `dlq-*` headers where it came from and why it failed.
 * @param failedAt epoch milliseconds
 */
export function toDeadLetter(record: LogRecord, group: string, error: AppError, failedAt: number): OutgoingRecord {
  return {
    topic: deadLetterTopic(record.topic),
    key: record.key ?? '',
    value: record.value ?? new Uint8Array(),
    headers: {
      ...ownHeaders(record),
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

/**
 * As {@link toDeadLetter}, for a message that is too large for its dead-letter topic: its value cut to 64 KiB, without
 * headers of more than 1 KiB, and marked, so that it is never taken for the message itself.
 */
export function toTruncatedDeadLetter(record: LogRecord, group: string, error: AppError, failedAt: number): OutgoingRecord {
  const small = Object.entries(record.headers).filter(([name, text]) => name.length + text.length <= KEPT_CHARACTERS);
  const cut: LogRecord = {
    ...record,
    key: record.key?.slice(0, KEPT_CHARACTERS) ?? null,
    value: record.value?.subarray(0, KEPT_BYTES) ?? null,
    headers: Object.fromEntries(small.slice(0, KEPT_HEADERS)),
  };
  const deadLetter = toDeadLetter(cut, group, error, failedAt);
  const size = String(record.value?.byteLength ?? 0);
  return { ...deadLetter, headers: { ...deadLetter.headers, [TRUNCATED]: 'true', [SIZE]: size } };
}

/** True when a dead letter does not hold the whole message, so that it cannot be published again. */
export function isTruncated({ record }: DeadLetter): boolean {
  return record.headers[TRUNCATED] === 'true';
}

/** Names the message of a dead letter: the same for the dead letters of all groups that could not process it. */
export function originOf({ record: { topic, partition, offset, headers } }: DeadLetter): string {
  const { 'dlq-topic': from = topic, 'dlq-partition': at = String(partition), 'dlq-offset': position = offset } = headers;
  return `${from} ${at} ${position}`;
}

/** Where a truncated dead letter came from and how large it was, for people. */
export function describeTruncated({ record: { headers } }: DeadLetter): string {
  return `partition ${headers['dlq-partition']}, offset ${headers['dlq-offset']}, ${headers[SIZE]} bytes`;
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
    headers: ownHeaders(record),
  };
}

/** The headers that a message came with; a publisher's own must not pass for what is said here. */
function ownHeaders({ headers }: LogRecord): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(PREFIX)));
}
