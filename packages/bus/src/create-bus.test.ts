import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { decodeEvent } from '@parcelway/contracts/encode-event';
import { topics } from '@parcelway/contracts/topics';
import { AppError } from '@parcelway/kernel/app-error';
import { until } from '@parcelway/kernel/testing/until';
import type { OutgoingRecord } from './driver.ts';
import { eventOf, useEmbeddedBus } from './testing/use-embedded-bus.ts';

const topic = topics.forecast;

const sizeOf = ({ key, value, headers }: OutgoingRecord): number =>
  key.length + (value?.length ?? 0) + JSON.stringify(headers ?? {}).length;

describe('bus over the embedded log', () => {
  /** What a dead letter may hold: key, value and headers. */
  let dlqLimit: number;
  const opened = useEmbeddedBus({
    over(driver) {
      const publish = driver.publish.bind(driver);
      driver.publish = async (records) => {
        if (records.some((record) => record.topic.endsWith('.dlq') && sizeOf(record) > dlqLimit)) throw new AppError('41301');
        await publish(records);
      };
    },
  });
  beforeEach(() => {
    dlqLimit = Number.POSITIVE_INFINITY;
  });

  const finished = (group = 'g'): Promise<unknown> => until(async () => (await opened.bus.lag(group, topic)) === 0, { what: 'lag 0' });
  const raw = (value: OutgoingRecord['value'], key = 'k'): Promise<void> =>
    opened.driver.publish([{ topic, key, value, headers: { origin: 'test' } }]);
  /** Subscribes and notes the subjects of cancelled forecasts. */
  const subscribe = async () => {
    const seen: string[] = [];
    await opened.bus.subscribe('g', {
      'forecast.cancelled': async ({ subject }) => {
        seen.push(subject);
      },
    });
    return seen;
  };

  test('fails its check while a batch is handled for a minute', async () => {
    let finish = (): void => undefined;
    const begun = new Promise<void>((begin) => {
      void opened.bus.subscribe('stuck', {
        'forecast.cancelled': () => {
          begin();
          return new Promise((resolve) => {
            finish = resolve;
          });
        },
      });
    });
    await opened.bus.publish([eventOf('forecast.cancelled', 'F1')]);
    await begun;
    await expect(opened.bus.check()).resolves.toBeUndefined();
    const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_500);
    await expect(opened.bus.check()).rejects.toMatchObject({ code: '50301', message: expect.stringContaining('Group stuck') });
    clock.mockRestore();
    finish();
    await until(async () => (await opened.bus.lag('stuck', topic)) === 0, { what: 'the end of the batch' });
    await expect(opened.bus.check()).resolves.toBeUndefined();
  });

  test('hands events to the handler of their type and skips types without one', async () => {
    const seen = await subscribe();
    await opened.bus.publish([
      eventOf('parcel.weighed', 'FC1'),
      eventOf('forecast.cancelled', 'FC1'),
      eventOf('forecast.cancelled', 'FC2'),
    ]);
    await finished();
    expect(seen.sort()).toEqual(['FC1', 'FC2']);
    expect(await opened.bus.deadLetters(topic, 10)).toEqual([]);
  });

  test.each([
    ['bad JSON', '{"secret-canary', '40001'],
    ['bytes that are no UTF-8', new Uint8Array([0xff, 0xfe]), '40001'],
    ['data of the wrong shape', eventOf('forecast.cancelled', 'FC1').value.replace('"po_number":"PO-1"', '"po_number":7'), '42201'],
  ])('puts %s with the dead letters and goes on', async (_name, value, code) => {
    const seen = await subscribe();
    await raw(value, 'tnt_1/FC9');
    await opened.bus.publish([eventOf('forecast.cancelled', 'FC9')]);
    await finished();
    expect(seen).toEqual(['FC9']);
    const deadLetters = await opened.bus.deadLetters(topic, 10);
    expect(deadLetters).toHaveLength(1);
    const deadLetter = deadLetters[0];
    expect(deadLetter).toMatchObject({ topic, group: 'g' });
    expect(deadLetter?.reason.startsWith(`${code} `)).toBe(true);
    expect(Buffer.from(deadLetter?.record.value ?? [])).toEqual(Buffer.from(value));
    expect(deadLetter?.record.headers).toMatchObject({ origin: 'test', 'dlq-topic': topic, 'dlq-key': 'tnt_1/FC9', 'dlq-code': code });
    expect(Number.isNaN(Date.parse(deadLetter?.failedAt ?? ''))).toBe(false);
    expect(opened.logged.join()).not.toContain('secret-canary');
  });

  test('redrive brings dead letters back to their topic, with bytes, key and headers, once', async () => {
    let fixed = false;
    const seen: string[] = [];
    await opened.bus.subscribeRawBatch('g', topics.warehouseIntake, async (messages) => {
      if (!fixed) throw new AppError('42201', 'not understood yet');
      for (const { record } of messages)
        seen.push(`${record.key} ${Buffer.from(record.value ?? []).toString()} ${JSON.stringify(record.headers)}`);
    });
    await opened.driver.publish(
      ['1', '2', '3'].map((value) => ({ topic: topics.warehouseIntake, key: `k${value}`, value, headers: { h: value } })),
    );
    await until(async () => (await opened.bus.deadLetters(topics.warehouseIntake, 10)).length === 3, { what: 'dead letters' });
    fixed = true;
    expect(await opened.bus.redrive(topics.warehouseIntake, 2)).toBe(2);
    expect(await opened.bus.redrive(topics.warehouseIntake, 10)).toBe(1);
    expect(await opened.bus.redrive(topics.warehouseIntake, 10)).toBe(0);
    await until(() => seen.length === 3, { what: 'all handled' });
    expect(seen.sort()).toEqual(['k1 1 {"h":"1"}', 'k2 2 {"h":"2"}', 'k3 3 {"h":"3"}']);
    expect(await opened.bus.deadLetters(topics.warehouseIntake, 10)).toEqual([]);
  });

  test('an event that fails after its handler has returned becomes a dead letter, and redrive brings it back', async () => {
    const encoded = ['FC1', 'FC2'].map((forecastNo) => eventOf('forecast.cancelled', forecastNo));
    for (const { value } of encoded) await opened.bus.deadLetter('g', decodeEvent(value), new AppError('50000', 'No items'));
    const dead = await opened.bus.deadLetters(topic, 10);
    expect(dead).toMatchObject(encoded.map(() => ({ topic, group: 'g', reason: '50000 No items' })));
    expect(await opened.bus.redrive(topic, 10)).toBe(2);
    const seen: string[] = [];
    await opened.bus.subscribe('g', { 'forecast.cancelled': async ({ data }) => void seen.push(data.forecast_no) });
    await until(() => seen.length === 2, { what: 'the redriven events' });
    expect(seen.sort()).toEqual(['FC1', 'FC2']);
    expect(await opened.bus.deadLetters(topic, 10)).toEqual([]);
  });

  test.each([
    ['value', { value: '{'.repeat(300_000), key: 'k', headers: { origin: 'test' } }],
    ['key', { value: '{', key: 'k'.repeat(150_000), headers: { origin: 'test' } }],
    ['headers', { value: '{', key: 'k', headers: { origin: 'test', large: 'h'.repeat(300_000) } }],
  ])('of a message whose %s is too large for the dead letters the beginning is kept, and the next is handled', async (_name, poison) => {
    dlqLimit = 200_000;
    const seen = await subscribe();
    await opened.driver.publish([{ topic, ...poison }]);
    await opened.bus.publish([eventOf('forecast.cancelled', 'FC1')]);
    await finished();
    expect(seen).toEqual(['FC1']);
    const deadLetters = await opened.bus.deadLetters(topic, 10);
    const size = String(poison.value.length);
    expect(deadLetters.map(({ record }) => record.headers)).toMatchObject([
      { origin: 'test', 'dlq-truncated': 'true', 'dlq-size': size, 'dlq-code': '40001' },
    ]);
    expect(Buffer.from(deadLetters[0]?.record.value ?? []).toString()).toBe(poison.value.slice(0, 65_536));
    expect(opened.logged.join()).toContain('too large for the dead letters');
  });

  test('redrive passes over what was kept only in part, and says so', async () => {
    dlqLimit = 200_000;
    let fixed = false;
    const seen: string[] = [];
    await opened.bus.subscribeRawBatch('g', topic, async (messages) => {
      if (!fixed) throw new AppError('42201', 'not understood yet');
      for (const { record } of messages) seen.push(Buffer.from(record.value ?? []).toString());
    });
    await opened.driver.publish(
      ['first', 'x'.repeat(300_000), 'last'].map((value) => ({ topic, key: 'k', value, headers: { 'dlq-truncated': 'true' } })),
    );
    await finished();
    fixed = true;
    await expect(opened.bus.redrive(topic, 10)).rejects.toMatchObject({
      code: '40902',
      message: expect.stringMatching(/^2 dead letters were redriven\. 1 were passed over.* offset \d+, 300000 bytes\./),
    });
    await until(() => seen.length === 2, { what: 'the others' });
    expect(seen).toEqual(['first', 'last']);
    expect(opened.logged.join()).toContain('Truncated dead letters were not redriven');
    expect(await opened.bus.redrive(topic, 10)).toBe(0);
  });
});
