import type { IHeaders, KafkaMessage, Message, TopicMessages } from 'kafkajs';
import type { LogRecord, OutgoingRecord } from './driver.ts';
import { type KafkaConnection, kafkaTopic } from './kafka-connection.ts';

const NO_HEADERS: Readonly<Record<string, string>> = Object.freeze({});

/** Space that a record takes on the wire beside its key and value; generous. */
const RECORD_OVERHEAD = 100;

/** Bytes of a record in the log, roughly. */
export function sizeOf({ key, value, headers = NO_HEADERS }: OutgoingRecord): number {
  let size = RECORD_OVERHEAD + key.length * 3;
  size += typeof value === 'string' ? Buffer.byteLength(value, 'utf8') : (value?.byteLength ?? 0);
  for (const [name, text] of Object.entries(headers)) size += (name.length + text.length) * 3;
  return size;
}

/** Records as kafkajs sends them, by topic, in their order. */
export function toTopicMessages(connection: Pick<KafkaConnection, 'prefix'>, records: readonly OutgoingRecord[]): TopicMessages[] {
  const byTopic = new Map<string, Message[]>();
  for (const { topic, key, value, headers } of records) {
    const bytes = typeof value === 'string' || value === null ? value : bufferOver(value);
    const message: Message = { key, value: bytes, ...(headers ? { headers } : {}) };
    const messages = byTopic.get(topic);
    if (messages) messages.push(message);
    else byTopic.set(topic, [message]);
  }
  return [...byTopic].map(([topic, messages]) => ({ topic: kafkaTopic(connection, topic), messages }));
}

/** A record as it came from a broker. `topic`: its name without prefix. */
export function toLogRecord(topic: string, partition: number, message: KafkaMessage): LogRecord {
  return {
    topic,
    partition,
    offset: message.offset,
    key: message.key === null ? null : message.key.toString('utf8'),
    value: message.value,
    headers: textHeaders(message.headers),
    timestamp: Number(message.timestamp),
  };
}

/** The offset behind `offset`. */
export function nextOffset(offset: string): string {
  return (BigInt(offset) + 1n).toString();
}

/** Of a header that is there more than once, the last counts. */
function textHeaders(headers: IHeaders | undefined): Readonly<Record<string, string>> {
  const entries = Object.entries(headers ?? NO_HEADERS);
  if (entries.length === 0) return NO_HEADERS;
  return Object.fromEntries(entries.map(([name, value]) => [name, String((Array.isArray(value) ? value.at(-1) : value) ?? '')]));
}

function bufferOver(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
