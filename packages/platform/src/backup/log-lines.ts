import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { LogRecord, OutgoingRecord } from '@parcelway/bus/driver';

/** A record as a line of JSON; its value in base64, because it may be any bytes. */
type Line = Omit<LogRecord, 'value'> & { readonly value: string | null };

/** Records as lines. @param counted called for each */
export async function* toLines(records: AsyncIterable<LogRecord>, counted: () => void): AsyncGenerator<Buffer> {
  for await (const { topic, partition, offset, key, value, headers, timestamp } of records) {
    const encoded = value === null ? null : Buffer.from(value).toString('base64');
    const line: Line = { topic, partition, offset, key, value: encoded, headers, timestamp };
    counted();
    yield Buffer.from(`${JSON.stringify(line)}\n`);
  }
}

/** The records in a file of lines, to be published again. */
export async function* fromLines(file: string): AsyncGenerator<OutgoingRecord> {
  for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (text === '') continue;
    const { topic, key, value, headers } = JSON.parse(text) as Line;
    yield { topic, key: key ?? '', value: Buffer.from(value ?? '', 'base64'), headers };
  }
}
