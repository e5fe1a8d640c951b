import { expect, test } from '@jest/globals';
import { type Logger, silentLogger } from '@parcelway/kernel/logger';
import { acceptance, acceptedForecast, forecastEvent, NOW, traceOf } from '../testing/samples.ts';
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

const accepted = forecastEvent('forecast.accepted', acceptance);
const corrected = forecastEvent('forecast.corrected', { ...acceptance, warehouse_code: 'WH2', tracking_numbers: ['N2'], version: 2 });
const ended = { cancelled_at: new Date(NOW).toISOString() };
const cancelled = forecastEvent('forecast.cancelled', ended);
const refused = forecastEvent('forecast.report_refused', { ...ended, warehouse_code: 'WH1', event_id: 'e1', photos: [] });

test('a batch calls the directory once with all fields of a match, and logs its publications once', async () => {
  const { options, seen } = setUp(3);
  const other = { ...cancelled, data: { ...cancelled.data, forecast_no: 'FC2' } };
  await followForecasts(options, [accepted, corrected, refused, other]);
  const traceparent = traceOf(1);
  const forecast = acceptedForecast({ poNumber: 'PO-1', trackingNumbers: ['N1'] });
  expect(seen).toEqual({
    facts: [
      [
        { kind: 'accepted', forecast, traceparent },
        { kind: 'corrected', forecast: { ...forecast, warehouseCode: 'WH2', trackingNumbers: ['N2'], version: 2 }, traceparent },
        { kind: 'refused', forecastNo: 'FC1', at: NOW, report: { warehouseCode: 'WH1', eventId: 'e1' }, traceparent },
        { kind: 'cancelled', forecastNo: 'FC2', at: NOW, traceparent },
      ],
    ],
    notified: 1,
    logged: [{ forecasts: 2, events: 3 }],
  });
});
