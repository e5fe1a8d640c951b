import { describe, expect, test } from '@jest/globals';
import { createDomainEvent } from '@parcelway/contracts/cloud-event';
import { decodeEvent } from '@parcelway/contracts/encode-event';
import { eventContent } from '@parcelway/contracts/testing/event-content';
import { ManualClock } from '@parcelway/kernel/clock';
import { type Logger, silentLogger } from '@parcelway/kernel/logger';
import fc from 'fast-check';
import { ModelIntake } from '../testing/model-intake.ts';
import { acceptedForecast, intakeEvent, NOW, traceOf } from '../testing/samples.ts';
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

/** A forecast as its service knows it, and what it has still to publish. */
interface Forecast {
  isCancelled: boolean;
  /** Ids of the reports that it has applied. */
  readonly applied: string[];
  readonly pending: ForecastFact[];
}

/** The intake with the forecast service, which hear of each other when a test says so. A merchant has one forecast of the number at a time. */
class TwoServices {
  readonly intake = new ModelIntake(new ManualClock(NOW));
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
    await this.intake.record([event]);
  }

  /** The intake hears of one forecast, in the order of its events. @returns false when there is nothing */
  async publish(index: number): Promise<boolean> {
    const publishing = [...this.forecasts.values()].filter(({ pending }) => pending.length > 0);
    const fact = publishing[index % publishing.length]?.pending.shift();
    if (fact !== undefined) await this.intake.follow([fact]);
    return fact !== undefined;
  }

  /** A publication of the intake comes to its forecast. @returns false when there is none */
  deliver(): boolean {
    const text = this.intake.published[this.#delivered];
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
      while (services.deliver() || (await services.publish(0)));
      const waiting = (await services.intake.unclaimed(100)).map(({ event }) => event.eventId);
      expect([...(services.live?.applied ?? []), ...waiting].sort()).toEqual([...services.reported].sort());
      if (services.live !== undefined) expect(waiting).toEqual([]);
      for (const { isCancelled, applied } of services.forecasts.values()) if (isCancelled) expect(applied).toEqual([]);
    }),
  );
});
