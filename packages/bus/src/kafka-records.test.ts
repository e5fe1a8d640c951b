import { describe, expect, test } from '@jest/globals';
import type { KafkaMessage } from 'kafkajs';
import { nextOffset, sizeOf, toLogRecord, toTopicMessages } from './kafka-records.ts';

const message = (fields: Partial<KafkaMessage>): KafkaMessage => {
  return {
    key: Buffer.from('k'),
    value: Buffer.from('v'),
    timestamp: '1700000000000',
    attributes: 0,
    offset: '7',
    headers: {},
    ...fields,
  } as KafkaMessage;
};

describe('records on kafka', () => {
  test('take over what an outside producer may write', () => {
    const headers = { once: Buffer.from('ü'), twice: [Buffer.from('a'), Buffer.from('b')], none: undefined };
    expect(toLogRecord('t', 2, message({ key: null, value: null, headers }))).toEqual({
      topic: 't',
      partition: 2,
      offset: '7',
      key: null,
      value: null,
      headers: { once: 'ü', twice: 'b', none: '' },
      timestamp: 1_700_000_000_000,
    });
  });

  test('keep their order within a topic, and get its name in the cluster', () => {
    const records = [
      { topic: 'a', key: '1', value: 'x' },
      { topic: 'b', key: '2', value: 'y', headers: { h: '1' } },
      { topic: 'a', key: '3', value: new Uint8Array([1, 2, 3]).subarray(1) },
    ];
    expect(toTopicMessages({ prefix: 'p.' }, records)).toEqual([
      {
        topic: 'p.a',
        messages: [
          { key: '1', value: 'x' },
          { key: '3', value: Buffer.from([2, 3]) },
        ],
      },
      { topic: 'p.b', messages: [{ key: '2', value: 'y', headers: { h: '1' } }] },
    ]);
  });

  test('are never larger than estimated', () => {
    const record = { topic: 't', key: '绿'.repeat(50), value: '绿'.repeat(500), headers: { 'b-ü': 'zwölf' } };
    expect(sizeOf(record)).toBeGreaterThan(50 * 3 + 500 * 3 + 4 + 6);
  });

  test('have offsets beyond what a number holds', () => {
    expect(nextOffset('9007199254740993')).toBe('9007199254740994');
  });
});
