import { describe, expect, test } from '@jest/globals';
import { createDomainEvent } from '@parcelway/contracts/cloud-event';
import { eventContent } from '@parcelway/contracts/testing/event-content';
import { type Logger, silentLogger } from '@parcelway/kernel/logger';
import { acceptedForecast, NOW, traceOf } from '../testing/samples.ts';
import type { ForecastFact } from './domain/forecast-fact.ts';
import { type FollowOptions, followForecasts } from './follow-forecasts.ts';

/** A directory that publishes as many waiting events as `published` says. */
function setUp(published: number) {
  const seen = { facts: [] as ForecastFact[][], notified: 0, logged: [] as object[] };
  const logger: Logger = { ...silentLogger, info: (fields: object) => void seen.logged.push(fields) };
  const directory: FollowOptions['directory'] = {
    async follow(facts) {
      seen.facts.push([...facts]);
      return { published };
    },
  };
  const notify = (): void => {
    seen.notified += 1;
  };
  return { options: { directory, logger, notify }, seen };
}

const common = {
  publisher: 'forecast',
  tenantId: 'tnt_a',
  environment: 'sandbox',
  subject: 'FC1',
  time: NOW,
  traceparent: traceOf(1),
} as const;
const accepted = createDomainEvent({
  type: 'forecast.accepted',
  ...common,
  data: {
    forecast_no: 'FC1',
    po_number: 'PO-1',
    forecast_id: 1,
    forecast_type: 2,
    warehouse_code: 'WH1',
    tracking_numbers: ['SF12345678'],
    accepted_at: '2026-11-21T08:00:00.000Z',
    ...eventContent,
  },
});
const cancelled = createDomainEvent({
  type: 'forecast.cancelled',
  ...common,
  data: { forecast_no: 'FC1', po_number: 'PO-1', cancelled_at: '2026-11-21T08:00:00.000Z' },
});

describe('an accepted forecast', () => {
  test('goes into the directory with all that a match needs', async () => {
    const { options, seen } = setUp(0);
    await followForecasts(options, [accepted]);
    expect(seen).toEqual({
      facts: [[{ kind: 'accepted', forecast: acceptedForecast({ poNumber: 'PO-1' }), traceparent: traceOf(1) }]],
      notified: 0,
      logged: [],
    });
  });

  test('has what waited for it published', async () => {
    const { options, seen } = setUp(2);
    await followForecasts(options, [accepted]);
    expect(seen).toMatchObject({ notified: 1, logged: [{ forecast_no: 'FC1', events: 2 }] });
  });
});

describe('a corrected forecast', () => {
  const corrected = createDomainEvent({
    type: 'forecast.corrected',
    ...common,
    data: {
      ...accepted.data,
      warehouse_code: 'WH2',
      tracking_numbers: ['NEW11'],
      version: 2,
      status: 1,
      changed: ['warehouse_code', 'items'],
      previous_warehouse_code: 'WH1',
      corrected_at: accepted.data.accepted_at,
    },
  });

  test('takes its version along, and has what waited for it published', async () => {
    const { options, seen } = setUp(1);
    await followForecasts(options, [corrected]);
    const forecast = { ...acceptedForecast({ warehouseCode: 'WH2', trackingNumbers: ['NEW11'], poNumber: 'PO-1' }), version: 2 };
    expect(seen).toMatchObject({
      facts: [[{ kind: 'corrected', forecast, traceparent: traceOf(1) }]],
      notified: 1,
      logged: [{ forecast_no: 'FC1', events: 1 }],
    });
  });
});

describe('a cancelled forecast', () => {
  test('leaves the match at the instant of its cancellation', async () => {
    const { options, seen } = setUp(0);
    await followForecasts(options, [cancelled]);
    expect(seen).toEqual({
      facts: [[{ kind: 'cancelled', forecastNo: 'FC1', at: NOW, traceparent: traceOf(1) }]],
      notified: 0,
      logged: [],
    });
  });

  test('has what waited for others published', async () => {
    const { options, seen } = setUp(1);
    await followForecasts(options, [cancelled]);
    expect(seen).toMatchObject({ notified: 1, logged: [{ forecast_no: 'FC1', events: 1 }] });
  });
});

test('a batch is one call of the directory, and what it publishes is reported once', async () => {
  const { options, seen } = setUp(3);
  const other = { ...cancelled, data: { ...cancelled.data, forecast_no: 'FC2' } };
  await followForecasts(options, [accepted, other]);
  expect(seen.facts.map((facts) => facts.map(({ kind }) => kind))).toEqual([['accepted', 'cancelled']]);
  expect([seen.notified, seen.logged]).toEqual([1, [{ forecasts: 2, events: 3 }]]);
});
