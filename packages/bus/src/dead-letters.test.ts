import { beforeEach, describe, expect, test } from '@jest/globals';
import { deadLetterTopic, PARTITIONS, topics } from '@parcelway/contracts/topics';
import { AppError } from '@parcelway/kernel/app-error';
import { type LogFields, silentLogger } from '@parcelway/kernel/logger';
import type { DeadLetterPosition, PassOver } from './bus.ts';
import { toDeadLetter } from './dead-letters.ts';
import type { LogRecord, OutgoingRecord, PeekOptions } from './driver.ts';
import { redriveDeadLetters } from './redrive-dead-letters.ts';
import { useEmbeddedBus } from './testing/use-embedded-bus.ts';

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

describe('delete dead letters', () => {
  const topic = topics.warehouseIntake;

  describe('deleting dead letters', () => {
    const opened = useEmbeddedBus();

    /** Writes dead letters, one for each value, to the partition of `key`. */
    const addDeadLetters = async (key: string, ...values: readonly string[]): Promise<void> => {
      const deadLetters = values.map((value, offset) => {
        const record = { topic, partition: 0, offset: String(offset), key, value: Buffer.from(value), headers: {}, timestamp: 0 };
        return toDeadLetter(record, 'warehouse-intake', new AppError('40001'), 0);
      });
      await opened.driver.publish(deadLetters);
    };
    const left = async (): Promise<string[]> =>
      (await opened.bus.deadLetters(topic, 100)).map(({ record }) => Buffer.from(record.value ?? []).toString());
    const positionOf = async (value: string): Promise<DeadLetterPosition> => {
      const deadLetter = (await opened.bus.deadLetters(topic, 100)).find(
        ({ record }) => Buffer.from(record.value ?? []).toString() === value,
      );
      if (deadLetter === undefined) throw new Error(`there is no dead letter ${value}`);
      return { partition: deadLetter.record.partition, offset: deadLetter.record.offset };
    };
    const named = (...values: readonly string[]): Promise<DeadLetterPosition[]> => Promise.all(values.map(positionOf));

    beforeEach(async () => {
      await addDeadLetters('a', 'a1', 'a2', 'a3');
      await addDeadLetters('b', 'b1', 'b2');
      const [{ partition: ofA } = { partition: -1 }, { partition: ofB } = { partition: -1 }] = await named('a1', 'b1');
      expect(ofA).not.toBe(ofB);
    });

    test('takes those that are named, in whatever order, and no others; they stay away', async () => {
      const deadLetters = await opened.bus.deleteDeadLetters(topic, await named('b1', 'a2', 'a1'));
      expect(deadLetters.map(({ reason, group }) => [reason.slice(0, 5), group])).toEqual(Array(3).fill(['40001', 'warehouse-intake']));
      expect((await left()).sort()).toEqual(['a3', 'b2']);
      await opened.reopen();
      expect((await left()).sort()).toEqual(['a3', 'b2']);
    });

    test('publishes nothing again, not by a redrive either', async () => {
      await opened.bus.deleteDeadLetters(topic, await named('a1', 'a2', 'a3', 'b1'));
      expect(await opened.bus.redrive(topic, 10)).toBe(1);
      const again = await opened.driver.peek({ group: 'somebody', topic, limit: 10 });
      expect(again.map(({ value }) => Buffer.from(value ?? []).toString())).toEqual(['b2']);
    });

    test('keeps a redrive under way from publishing them, and is not undone by it', async () => {
      const redriven = await opened.bus.redrive(topic, 10, async (deadLetters) => {
        expect(deadLetters).toHaveLength(5);
        await opened.bus.deleteDeadLetters(topic, await named('a1', 'a2', 'b1', 'b2'));
        await addDeadLetters('b', 'b3');
        return new Set();
      });
      expect(redriven).toBe(1);
      const again = await opened.driver.peek({ group: 'somebody', topic, limit: 10 });
      expect(again.map(({ value }) => Buffer.from(value ?? []).toString())).toEqual(['a3']);
      expect(await left()).toEqual(['b3']);
    });

    test('of one behind others is refused, names those, and leaves all, of other partitions too', async () => {
      const [{ partition } = { partition: -1 }] = await named('a1');
      const refused = opened.bus.deleteDeadLetters(topic, await named('b1', 'a3'));
      await expect(refused).rejects.toMatchObject({ code: '40902', message: expect.stringContaining(` ${partition}:0, ${partition}:1 (`) });
      await expect(refused).rejects.toThrow(deadLetterTopic(topic));
      expect(await left()).toHaveLength(5);
      expect(opened.logged).toEqual([]);
    });

    test('of one that is gone, or never was, is refused and leaves all', async () => {
      const [first, second] = await named('a1', 'a2');
      await opened.bus.deleteDeadLetters(topic, [first as DeadLetterPosition]);
      for (const wrong of [
        first as DeadLetterPosition,
        { partition: PARTITIONS, offset: '0' },
        { partition: 0, offset: '9223372036854775807' },
      ]) {
        const refused = opened.bus.deleteDeadLetters(topic, [second as DeadLetterPosition, wrong]);
        await expect(refused).rejects.toMatchObject({
          code: '40403',
          message: expect.stringContaining(` ${wrong.partition}:${wrong.offset} (`),
        });
      }
      expect(await left()).toHaveLength(4);
    });
  });
});
