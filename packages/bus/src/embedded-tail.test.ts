import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { LogRecord } from './driver.ts';
import { RecordTail } from './embedded-tail.ts';

const NOW = 1_700_000_000_000;

function record(offset: number, { bytes = 1, partition = 0, timestamp = NOW } = {}): LogRecord {
  return { topic: 't', partition, offset: String(offset), key: 'k', value: Buffer.alloc(bytes), headers: {}, timestamp };
}

function offsets(tail: RecordTail, from: number, limit = 1000, now = NOW): string[] | undefined {
  return tail.read('t', 0, from, limit, now)?.map(({ offset }) => offset);
}

describe('the tail of the log', () => {
  test('gives what follows a place that it holds, and nothing for others', () => {
    const tail = new RecordTail();
    for (const offset of [5, 6, 7]) tail.add(record(offset));
    expect(offsets(tail, 5, 2)).toEqual(['5', '6']);
    expect(offsets(tail, 7)).toEqual(['7']);
    for (const elsewhere of [0, 4, 8, 100]) expect(offsets(tail, elsewhere)).toBeUndefined();
    expect(tail.read('t', 1, 5, 10, NOW)).toBeUndefined();
    expect(tail.read('other', 0, 5, 10, NOW)).toBeUndefined();
  });

  test('never has a gap, in whatever order records come', () => {
    const come = fc.array(fc.nat(12), { maxLength: 30 });
    fc.assert(
      fc.property(come, fc.nat(12), (order, from) => {
        const tail = new RecordTail();
        for (const offset of order) tail.add(record(offset));
        const read = offsets(tail, from) ?? [];
        expect(read).toEqual(read.map((_, index) => String(from + index)));
      }),
    );
  });

  test('keeps a bounded number of records and of bytes', () => {
    const many = new RecordTail();
    for (let offset = 0; offset < 10_000; offset += 1) many.add(record(offset));
    expect(offsets(many, 9_999)).toEqual(['9999']);
    expect(offsets(many, 9_999 - 256)).toBeUndefined();

    const large = new RecordTail();
    for (let offset = 0; offset < 9; offset += 1) large.add(record(offset, { bytes: 1_000_000, partition: offset }));
    expect(large.read('t', 0, 0, 10, NOW)).toBeUndefined();
    large.add(record(0, { bytes: 9_000_000 }));
    expect(offsets(large, 0)).toBeUndefined();
  });

  test('leaves old records to the file, where the retention may have deleted them', () => {
    const tail = new RecordTail();
    tail.add(record(0));
    expect(offsets(tail, 0, 10, NOW + 60_000)).toEqual(['0']);
    expect(offsets(tail, 0, 10, NOW + 60_001)).toBeUndefined();
  });
});
