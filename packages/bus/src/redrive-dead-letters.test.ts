import { expect, test } from '@jest/globals';
import { topics } from '@parcelway/contracts/topics';
import { AppError } from '@parcelway/kernel/app-error';
import { type LogFields, silentLogger } from '@parcelway/kernel/logger';
import type { PassOver } from './bus.ts';
import { toDeadLetter } from './dead-letters.ts';
import type { LogRecord, OutgoingRecord, PeekOptions } from './driver.ts';
import { redriveDeadLetters } from './redrive-dead-letters.ts';

const topic = topics.forecast;

/** A dead letter as the log returns it: the message at `offset` of the topic, which `group` could not process. */
function deadLetter(offset: number, group: string): LogRecord {
  const record = {
    topic,
    partition: 0,
    offset: String(offset),
    key: `tnt_a/FC${offset}`,
    value: Buffer.from('{}'),
    headers: {},
    timestamp: 0,
  };
  const { value, headers = {}, ...dead } = toDeadLetter(record, group, new AppError('42201'), 0);
  return { ...dead, value: value as Uint8Array, headers, partition: 3, offset: String(offset * 10), timestamp: 0 };
}

function log(deadLetters: readonly LogRecord[]) {
  const published: OutgoingRecord[] = [];
  const committed: LogRecord[] = [];
  const logged: object[] = [];
  return {
    published,
    committed,
    logged,
    options: {
      driver: {
        // Nobody moves the position meanwhile.
        peek: async ({ partition, limit }: PeekOptions) =>
          deadLetters.filter(({ partition: at }) => partition === undefined || at === partition).slice(0, limit),
        publish: async (records: readonly OutgoingRecord[]) => void published.push(...records),
        commit: async ({ records }: { readonly records: readonly LogRecord[] }) => void committed.push(...records),
      },
      logger: { ...silentLogger, warn: (fields: LogFields) => void logged.push(fields) },
    },
  };
}

test('what is passed over is forgotten without being published, and is named in the log', async () => {
  const deadLetters = [deadLetter(1, 'file'), deadLetter(2, 'file'), deadLetter(2, 'tracking'), deadLetter(3, 'file')];
  const { options, published, committed, logged } = log(deadLetters);
  const passOver: PassOver = async (found) => new Set(found.filter(({ record }) => record.key !== 'tnt_a/FC2'));
  expect(await redriveDeadLetters(options, topic, 10, passOver)).toBe(2);
  expect(published.map(({ key }) => key)).toEqual(['tnt_a/FC2']);
  expect(committed).toEqual(deadLetters);
  expect(logged).toEqual([{ topic, passed_over: '3:10 3:30' }]);
});

test('nothing is redriven when it cannot be known what is to be passed over', async () => {
  const { options, published, committed } = log([deadLetter(1, 'file')]);
  const passOver: PassOver = () => Promise.reject(AppError.unavailable('forecast is out'));
  await expect(redriveDeadLetters(options, topic, 10, passOver)).rejects.toMatchObject({ code: '50301' });
  expect([published, committed]).toEqual([[], []]);
});
