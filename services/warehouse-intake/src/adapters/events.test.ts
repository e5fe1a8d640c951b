import { expect, test } from '@jest/globals';
import type { Bus, RawBatchHandler, Subscription } from '@parcelway/bus/bus';
import type { LogRecord } from '@parcelway/bus/driver';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import type { ViewEvent } from '../expected/domain/decide-view.ts';
import type { IntakeEvent } from '../expected/domain/event.ts';
import type { ForecastFact } from '../expected/domain/forecast-fact.ts';
import { defaultMeasureLimits } from '../reports/domain/implausible-measures.ts';
import type { ReportTrace } from '../reports/domain/trace.ts';
import { sealer } from '../testing/report-set-up.ts';
import { acceptance, FILE_SECRET, forecastEvent, NOW, report, traceOf } from '../testing/samples.ts';
import { subscribeIntake } from './events.ts';

const subscription: Subscription = { stop: async () => undefined };

/** The handlers of the service, over a store that writes down the traces it is given. */
async function subscribed() {
  const traces: [string, string | undefined][] = [];
  const nobody = () => Promise.reject(new Error('nobody has subscribed'));
  let followed: (events: readonly ViewEvent[]) => Promise<void> = nobody;
  let raw: RawBatchHandler = nobody;
  const bus = {
    subscribeBatch: async (_group: string, _types: readonly string[], handle: typeof followed) => {
      followed = handle;
      return subscription;
    },
    subscribeRawBatch: async (_group: string, _topic: string, handle: RawBatchHandler) => {
      raw = handle;
      return subscription;
    },
  } as Partial<Bus> as Bus;
  const directory = {
    follow: async (facts: readonly ForecastFact[]) => {
      for (const { kind, traceparent } of facts) traces.push([kind, traceparent]);
      return { published: 0 };
    },
  };
  const dropped: unknown[] = [];
  let refusing = false;
  const recorder = {
    record: async (events: readonly IntakeEvent[], traceOf?: ReportTrace) => {
      for (const event of events) traces.push(['record', traceOf?.(event)]);
      const refused = refusing ? events.slice(0, 1) : [];
      return { published: 0, accepted: events.length, duplicates: 0, conflicts: [], refused, waiting: [] };
    },
  };
  const base = { logger: silentLogger, notify: () => undefined };
  await subscribeIntake(
    bus,
    { ...base, directory },
    { view: { change: async () => undefined }, large: { add: () => undefined, settled: async () => undefined }, ssccOf: () => undefined },
    {
      ...base,
      recorder,
      reports: { dispatchedOnHold: async () => [] },
      rejections: { remember: async () => undefined },
      clock: new ManualClock(NOW),
      environment: 'sandbox',
      fileSecrets: [FILE_SECRET],
      sealer,
      limits: defaultMeasureLimits,
    },
    { drop: async (forecasts) => void dropped.push(forecasts) },
  );
  const refuse = (): void => {
    refusing = true;
  };
  return { followed, raw, traces, dropped, refuse };
}

const recordOf = (...reports: readonly unknown[]) =>
  ({ value: Buffer.from(JSON.stringify({ events: reports })) }) as Partial<LogRecord> as LogRecord;

test('each message passes its trace on to the store', async () => {
  const { followed, raw, traces } = await subscribed();
  await followed([
    forecastEvent('forecast.accepted', acceptance),
    { ...forecastEvent('forecast.cancelled', { cancelled_at: new Date(NOW).toISOString() }), traceparent: traceOf(2) },
  ]);
  await raw([{ record: recordOf(report()), traceparent: traceOf(3) }]);
  await raw([
    { record: recordOf(report(), report()), traceparent: traceOf(4) },
    { record: recordOf(report()), traceparent: undefined },
  ]);
  expect(traces).toEqual([
    ['accepted', traceOf(1)],
    ['cancelled', traceOf(2)],
    ['record', traceOf(3)],
    ['record', traceOf(4)],
    ['record', traceOf(4)],
    ['record', undefined],
  ]);
});

test('messages are stored together only as long as none has a report that is rejected', async () => {
  const { raw, traces, refuse } = await subscribed();
  const good = { record: recordOf(report()), traceparent: undefined };
  await expect(raw([good, { ...good, record: recordOf(report({ type: 'unknown' })) }])).rejects.toMatchObject({ code: '42201' });
  await expect(raw([good, { ...good, record: { ...good.record, value: null } }])).rejects.toMatchObject({ code: '40001' });
  expect(traces).toEqual([]);
  refuse();
  await expect(raw([good, { ...good, record: recordOf(report()) }])).rejects.toMatchObject({ code: '42201' });
});

test('no call of the store has more reports than a call of a warehouse', async () => {
  const { raw, traces } = await subscribed();
  const many = Array.from({ length: 300 }, () => report());
  await raw([1, 2, 3].map((digit) => ({ record: recordOf(...many), traceparent: traceOf(digit) })));
  expect(traces).toHaveLength(900);
});
