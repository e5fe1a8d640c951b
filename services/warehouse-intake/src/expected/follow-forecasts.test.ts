import { expect, test } from '@jest/globals';
import { decodeEvent } from '@parcelway/contracts/encode-event';
import { type Logger, silentLogger } from '@parcelway/kernel/logger';
import fc from 'fast-check';
import { openStores } from '../testing/open-stores.ts';
import { acceptance, acceptedForecast, forecastEvent, intakeEvent, NOW, traceOf } from '../testing/samples.ts';
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

test('a batch that publishes nothing is not logged, and a single forecast is named', async () => {
  const quiet = setUp(0);
  await followForecasts(quiet.options, [accepted]);
  expect(quiet.seen).toMatchObject({ notified: 0, logged: [] });
  const { options, seen } = setUp(2);
  await followForecasts(options, [accepted, cancelled]);
  expect(seen.logged).toEqual([{ forecast_no: 'FC1', events: 2 }]);
});

/** A forecast as its service knows it, and what it has still to publish. */
interface Forecast {
  isCancelled: boolean;
  /** Ids of the reports that it has applied. */
  readonly applied: string[];
  readonly pending: ForecastFact[];
}

/** The intake with the forecast service, which hear of each other when a test says so. A merchant has one forecast of the number at a time. */
class TwoServices {
  readonly stores = openStores();
  readonly forecasts = new Map<string, Forecast>();
  /** Ids of reports under the number alone. */
  readonly reported: string[] = [];
  #delivered = 0;

  get live(): Forecast | undefined {
    return [...this.forecasts.values()].find(({ isCancelled }) => !isCancelled);
  }

  submit(): void {
    if (this.live !== undefined) return;
    const forecastNo = `FC${this.forecasts.size}`;
    const forecast = acceptedForecast({ forecastNo, trackingNumbers: ['T1'] });
    this.forecasts.set(forecastNo, { isCancelled: false, applied: [], pending: [{ kind: 'accepted', forecast }] });
  }

  /** Possible until the parcel has arrived. */
  cancel(): void {
    for (const [forecastNo, forecast] of this.forecasts) {
      if (forecast.isCancelled || forecast.applied.length > 0) continue;
      forecast.isCancelled = true;
      forecast.pending.push({ kind: 'cancelled', forecastNo, at: NOW });
    }
  }

  async report(): Promise<void> {
    const event = intakeEvent({ expressNo: 'T1', detail: { type: 'arrival' } });
    this.reported.push(event.eventId);
    await this.stores.intake.record([event]);
  }

  /** The intake hears of one forecast, in the order of its events. @returns false when there is nothing */
  async publish(index: number): Promise<boolean> {
    const publishing = [...this.forecasts.values()].filter(({ pending }) => pending.length > 0);
    const fact = publishing[index % publishing.length]?.pending.shift();
    if (fact !== undefined) await this.stores.intake.follow([fact]);
    return fact !== undefined;
  }

  /** A publication of the intake comes to its forecast. @returns false when there is none */
  async deliver(): Promise<boolean> {
    const text = (await this.stores.published())[this.#delivered];
    if (text === undefined) return false;
    this.#delivered += 1;
    const { subject: forecastNo, data } = decodeEvent(text);
    const { event_id: eventId, matched } = data as { readonly event_id: string; readonly matched?: true };
    const forecast = this.forecasts.get(forecastNo) as Forecast;
    const report = { warehouseCode: 'WH1', eventId };
    if (forecast.isCancelled && matched) forecast.pending.push({ kind: 'refused', forecastNo, at: NOW, report });
    else forecast.applied.push(eventId);
    return true;
  }
}

const step = fc.oneof(
  fc.constantFrom('submit' as const, 'cancel' as const, 'report' as const, 'deliver' as const),
  fc.nat(3).map((publish) => ({ publish })),
);

test('whatever the order of submissions, cancellations and reports, each report goes to the live forecast once, or waits for one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const services = new TwoServices();
      for (const one of steps) await (typeof one === 'string' ? services[one]() : services.publish(one.publish));
      while ((await services.deliver()) || (await services.publish(0)));
      const waiting = (await services.stores.intake.unclaimed(100)).map(({ event }) => event.eventId);
      expect([...(services.live?.applied ?? []), ...waiting].sort()).toEqual([...services.reported].sort());
      if (services.live !== undefined) expect(waiting).toEqual([]);
      for (const { isCancelled, applied } of services.forecasts.values()) if (isCancelled) expect(applied).toEqual([]);
      await services.stores.close();
    }),
  );
});
