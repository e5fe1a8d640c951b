import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Bus } from '@parcelway/bus/bus';
import { createBus } from '@parcelway/bus/create-bus';
import type { BusDriver } from '@parcelway/bus/driver';
import { openBusInFile } from '@parcelway/bus/testing/bus-in-file';
import { MAX_NAMED_FORECASTS, type NamedForecasts } from '@parcelway/contracts/forecast-query-api';
import { deadLetterTopic, topics } from '@parcelway/contracts/topics';
import type { ServiceCall, ServiceClient } from '@parcelway/http/service-client';
import { AppError } from '@parcelway/kernel/app-error';
import { systemClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { redriveDeadLetters } from './admin-dead-letters.ts';

const topic = topics.forecast;
let driver: BusDriver;
let bus: Bus;
/** How many names were asked for, call by call. */
let asked: number[];

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
/** Redrives beside a forecast service that has these forecasts. */
function redrive(isThere: (name: string) => boolean) {
  const call = async ({ body }: ServiceCall): Promise<unknown> => {
    const { forecasts } = body as NamedForecasts;
    asked.push(forecasts.length);
    return { forecasts: forecasts.filter(({ tenant_id, forecast_no }) => isThere(`${tenant_id}/${forecast_no}`)) };
  };
  return redriveDeadLetters({ bus, services: { call: call as ServiceClient['call'] }, environment: 'sandbox' }, topic, 1000);
}
const published = async (): Promise<(string | null)[]> =>
  (await driver.peek({ group: 'reader', topic, limit: 100 })).map(({ key }) => key).sort();

test('dead letters of deleted forecasts are not published again, what ends a forecast is', async () => {
  await add('forecast.accepted', 'FC1', 1);
  await add('forecast.accepted', 'FC2', 2);
  await add('parcel.weighed', 'FC2', 3);
  await add('forecast.expired', 'FC2', 4);
  await add('forecast.accepted', 'FC1', 5, 'tnt_b');
  expect(await redrive((name) => name === 'tnt_a/FC1')).toEqual({ redriven: 2, passed_over: 3 });
  expect(await published()).toEqual(['tnt_a/FC1', 'tnt_a/FC2']);
  expect(asked).toEqual([3]);
  expect(await bus.deadLetters(topic, 10)).toEqual([]);
});

test('nothing is redriven while the forecast service is out', async () => {
  await add('forecast.accepted', 'FC1', 1);
  const fail = () => {
    throw AppError.unavailable('The forecast service is out');
  };
  await expect(redrive(fail)).rejects.toMatchObject({ code: '50301' });
  expect([await published(), (await bus.deadLetters(topic, 10)).length]).toEqual([[], 1]);
});

test('a call asks for a bounded number of forecasts', async () => {
  const count = MAX_NAMED_FORECASTS + 2;
  for (let number = 0; number < count; number += 1) await add('forecast.accepted', `FC${number}`, number);
  let looked = 0;
  const isFirstOrBehind = (): boolean => {
    looked += 1;
    return looked === 1 || looked > MAX_NAMED_FORECASTS;
  };
  expect(await redrive(isFirstOrBehind)).toMatchObject({ passed_over: count - 3 });
  expect(asked).toEqual([MAX_NAMED_FORECASTS, 2]);
});
