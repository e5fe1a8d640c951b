import { describe, expect, test } from '@jest/globals';
import { createDomainEvent } from '@parcelway/contracts/cloud-event';
import { type Logger, silentLogger } from '@parcelway/kernel/logger';
import type { AcceptedForecast } from './domain/event.ts';
import { type FollowDeps, followAcceptance, followCancellation } from './follow-forecasts.ts';
import { acceptedForecast, NOW, traceOf } from './testing/samples.ts';

/** A directory that publishes as many waiting events as it is told to. */
function setUp(published: number) {
  const seen = { accepted: [] as unknown[], cancelled: [] as unknown[], notified: 0, logged: [] as object[] };
  const logger: Logger = { ...silentLogger, info: (fields: object) => void seen.logged.push(fields) };
  const directory = {
    async accept(forecast: AcceptedForecast, traceparent: string | undefined) {
      seen.accepted.push([forecast, traceparent]);
      return { published };
    },
    async cancel(forecastNo: string, at: number, traceparent: string | undefined) {
      seen.cancelled.push([forecastNo, at, traceparent]);
      return { published };
    },
  } as unknown as FollowDeps['directory'];
  const notify = (): void => {
    seen.notified += 1;
  };
  return { deps: { directory, logger, notify }, seen };
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
    const { deps, seen } = setUp(0);
    await followAcceptance(deps, accepted);
    expect(seen).toEqual({ accepted: [[acceptedForecast(), traceOf(1)]], cancelled: [], notified: 0, logged: [] });
  });

  test('has what waited for it published', async () => {
    const { deps, seen } = setUp(2);
    await followAcceptance(deps, accepted);
    expect(seen).toMatchObject({ notified: 1, logged: [{ forecast_no: 'FC1', events: 2 }] });
  });
});

describe('a cancelled forecast', () => {
  test('leaves the match at the instant of its cancellation', async () => {
    const { deps, seen } = setUp(0);
    await followCancellation(deps, cancelled);
    expect(seen).toEqual({ accepted: [], cancelled: [['FC1', NOW, traceOf(1)]], notified: 0, logged: [] });
  });

  test('has what waited for others published', async () => {
    const { deps, seen } = setUp(1);
    await followCancellation(deps, cancelled);
    expect(seen).toMatchObject({ notified: 1, logged: [{ forecast_no: 'FC1', events: 1 }] });
  });
});
