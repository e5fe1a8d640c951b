import { expect, test } from '@jest/globals';
import type { Bus, EventHandlers, RawHandler, Subscription } from '@parcelway/bus/bus';
import type { LogRecord } from '@parcelway/bus/driver';
import { createDomainEvent } from '@parcelway/contracts/cloud-event';
import type { DomainEventData } from '@parcelway/contracts/domain-events';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { defaultMeasureLimits } from '../reports/domain/measure-limits.ts';
import { FILE_SECRET, NOW, report, traceOf } from '../testing/samples.ts';
import { subscribeIntake } from './events.ts';

const subscription: Subscription = { stop: async () => undefined };

/** The handlers of the service, over a store that writes down the traces it is given. */
async function subscribed() {
  const traces: [string, string | undefined][] = [];
  let followed: EventHandlers = {};
  let raw: RawHandler = () => Promise.reject(new Error('nobody has subscribed'));
  const bus = {
    subscribe: async (_group: string, handlers: EventHandlers) => {
      followed = handlers;
      return subscription;
    },
    subscribeRaw: async (_group: string, _topic: string, handle: RawHandler) => {
      raw = handle;
      return subscription;
    },
  } as Partial<Bus> as Bus;
  const note = (what: string, traceparent: string | undefined) => {
    traces.push([what, traceparent]);
    return { published: 0 };
  };
  const directory = {
    accept: async (_forecast: unknown, traceparent?: string) => note('accept', traceparent),
    correct: async (_forecast: unknown, traceparent?: string) => note('correct', traceparent),
    cancel: async (_forecastNo: string, _at: number, traceparent?: string) => note('cancel', traceparent),
  };
  const recorder = {
    record: async (_events: unknown, traceparent?: string) => ({
      ...note('record', traceparent),
      accepted: 1,
      duplicates: 0,
      conflicts: [],
      refused: [],
      waiting: [],
    }),
  };
  const base = { logger: silentLogger, notify: () => undefined };
  await subscribeIntake(
    bus,
    { ...base, directory },
    { view: { change: async () => undefined }, items: { itemsOf: async (_tenantId, _forecastNo, version) => ({ version, items: [] }) } },
    {
      ...base,
      recorder,
      reports: { dispatchedOnHold: async () => [] },
      rejections: { remember: async () => undefined },
      clock: new ManualClock(NOW),
      environment: 'sandbox',
      fileSecret: FILE_SECRET,
      limits: defaultMeasureLimits,
    },
  );
  return { followed, raw, traces };
}

const envelope = { publisher: 'forecast', tenantId: 'tnt_a', environment: 'sandbox', subject: 'FC1', time: NOW } as const;
const accepted: DomainEventData<'forecast.accepted'> = {
  forecast_no: 'FC1',
  po_number: 'PO-1',
  forecast_id: 1,
  forecast_type: 2,
  warehouse_code: 'WH1',
  tracking_numbers: [],
  accepted_at: new Date(NOW).toISOString(),
};
const cancelled = { forecast_no: 'FC1', po_number: 'PO-1', cancelled_at: new Date(NOW).toISOString() };

test('each message hands its trace on to the store', async () => {
  const { followed, raw, traces } = await subscribed();
  const record = { value: Buffer.from(JSON.stringify(report())) } as Partial<LogRecord> as LogRecord;
  await followed['forecast.accepted']?.(
    createDomainEvent({ ...envelope, type: 'forecast.accepted', data: accepted, traceparent: traceOf(1) }),
  );
  await followed['forecast.cancelled']?.(
    createDomainEvent({ ...envelope, type: 'forecast.cancelled', data: cancelled, traceparent: traceOf(2) }),
  );
  await raw(record, traceOf(3));
  await raw(record, undefined);
  expect(traces).toEqual([
    ['accept', traceOf(1)],
    ['cancel', traceOf(2)],
    ['record', traceOf(3)],
    ['record', undefined],
  ]);
});
