import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Bus } from '@parcelway/bus/bus';
import { createBus } from '@parcelway/bus/create-bus';
import type { BusDriver } from '@parcelway/bus/driver';
import { openBusInFile } from '@parcelway/bus/testing/bus-in-file';
import { deadLetterTopic, topics } from '@parcelway/contracts/topics';
import { AppError } from '@parcelway/kernel/app-error';
import { systemClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import type { ForecastName } from './domain/dead-letter-forecast.ts';
import { type RedriveOptions, redriveDeadLetters } from './redrive-dead-letters.ts';

const topic = topics.forecast;
let driver: BusDriver;
let bus: Bus;
/** Names that were asked for, call by call. */
let asked: (readonly ForecastName[])[];

beforeEach(async () => {
  driver = await openBusInFile(':memory:', { clock: systemClock, logger: silentLogger, partitions: 2 });
  bus = createBus({ driver, logger: silentLogger, clock: systemClock });
  asked = [];
});
afterEach(() => bus.close());

/** Writes a dead letter of the message at `offset` of the topic. */
const add = (type: string, forecastNo: string, offset: number, tenantId = 'tnt_a'): Promise<void> =>
  driver.publish([
    {
      topic: deadLetterTopic(topic),
      key: `${tenantId}/${forecastNo}`,
      value: JSON.stringify({ type, tenantid: tenantId, data: { forecast_no: forecastNo } }),
      headers: { 'dlq-topic': topic, 'dlq-partition': '0', 'dlq-offset': String(offset), 'dlq-group': 'tracking' },
    },
  ]);
const options = (...existing: readonly string[]): RedriveOptions => ({
  bus,
  async existing(names) {
    asked.push(names);
    return names.filter(({ tenantId, forecastNo }) => existing.includes(`${tenantId}/${forecastNo}`));
  },
});
const published = async (): Promise<(string | null)[]> =>
  (await driver.peek({ group: 'reader', topic, limit: 100 })).map(({ key }) => key).sort();

test('dead letters of deleted forecasts are not published again, what ends a forecast is', async () => {
  await add('forecast.accepted', 'FC1', 1);
  await add('forecast.accepted', 'FC2', 2);
  await add('parcel.weighed', 'FC2', 3);
  await add('forecast.expired', 'FC2', 4);
  await add('forecast.accepted', 'FC1', 5, 'tnt_b');
  expect(await redriveDeadLetters(options('tnt_a/FC1'), topic, 10)).toEqual({ redriven: 2, passedOver: 3 });
  expect(await published()).toEqual(['tnt_a/FC1', 'tnt_a/FC2']);
  expect(asked.flat()).toHaveLength(3);
  expect(await bus.deadLetters(topic, 10)).toEqual([]);
});

test('nothing is redriven while the forecast service is out', async () => {
  await add('forecast.accepted', 'FC1', 1);
  const existing = () => Promise.reject(AppError.unavailable('The forecast service is out'));
  await expect(redriveDeadLetters({ bus, existing }, topic, 10)).rejects.toMatchObject({ code: '50301' });
  expect([await published(), (await bus.deadLetters(topic, 10)).length]).toEqual([[], 1]);
});
