import { describe, expect, test } from '@jest/globals';
import { createDomainEvent } from '@parcelway/contracts/cloud-event';
import { type Logger, silentLogger } from '@parcelway/kernel/logger';
import { acceptedForecast, NOW, traceOf } from '../testing/samples.ts';
import type { AcceptedForecast, CorrectedForecast } from './domain/event.ts';
import { type FollowOptions, followAcceptance, followCancellation, followCorrection } from './follow-forecasts.ts';

/** A directory that publishes as many waiting events as `published` says. */
function setUp(published: number) {
  const seen = { accepted: [] as unknown[], corrected: [] as unknown[], cancelled: [] as unknown[], notified: 0, logged: [] as object[] };
  const logger: Logger = { ...silentLogger, info: (fields: object) => void seen.logged.push(fields) };
  const directory = {
    async accept(forecast: AcceptedForecast, traceparent: string | undefined) {
      seen.accepted.push([forecast, traceparent]);
      return { published };
    },
    async correct(forecast: CorrectedForecast, traceparent: string | undefined) {
      seen.corrected.push([forecast, traceparent]);
      return { published };
    },
    async cancel(forecastNo: string, at: number, traceparent: string | undefined) {
      seen.cancelled.push([forecastNo, at, traceparent]);
      return { published };
    },
  } as unknown as FollowOptions['directory'];
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
    await followAcceptance(options, accepted);
    expect(seen).toEqual({ accepted: [[acceptedForecast(), traceOf(1)]], corrected: [], cancelled: [], notified: 0, logged: [] });
  });

  test('has what waited for it published', async () => {
    const { options, seen } = setUp(2);
    await followAcceptance(options, accepted);
    expect(seen).toMatchObject({ notified: 1, logged: [{ forecast_no: 'FC1', events: 2 }] });
  });
});

describe('a corrected forecast', () => {
  const { po_number, forecast_id, forecast_type, accepted_at } = accepted.data;
  const corrected = createDomainEvent({
    type: 'forecast.corrected',
    ...common,
    data: {
      ...{ forecast_no: 'FC1', po_number, forecast_id, forecast_type, accepted_at },
      warehouse_code: 'WH2',
      tracking_numbers: ['NEW11'],
      version: 2,
      status: 1,
      changed: ['warehouse_code', 'items'],
      previous_warehouse_code: 'WH1',
      corrected_at: accepted_at,
    },
  });

  test('takes its version along, and has what waited for it published', async () => {
    const { options, seen } = setUp(1);
    await followCorrection(options, corrected);
    const forecast = { ...acceptedForecast({ warehouseCode: 'WH2', trackingNumbers: ['NEW11'] }), version: 2 };
    expect(seen).toMatchObject({ corrected: [[forecast, traceOf(1)]], notified: 1, logged: [{ forecast_no: 'FC1', events: 1 }] });
  });
});

describe('a cancelled forecast', () => {
  test('leaves the match at the instant of its cancellation', async () => {
    const { options, seen } = setUp(0);
    await followCancellation(options, cancelled);
    expect(seen).toEqual({ accepted: [], corrected: [], cancelled: [['FC1', NOW, traceOf(1)]], notified: 0, logged: [] });
  });

  test('has what waited for others published', async () => {
    const { options, seen } = setUp(1);
    await followCancellation(options, cancelled);
    expect(seen).toMatchObject({ notified: 1, logged: [{ forecast_no: 'FC1', events: 1 }] });
  });
});
