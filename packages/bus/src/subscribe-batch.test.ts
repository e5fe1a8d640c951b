import { beforeEach, expect, test } from '@jest/globals';
import { topics } from '@parcelway/contracts/topics';
import { AppError } from '@parcelway/kernel/app-error';
import { until } from '@parcelway/kernel/testing/until';
import { noTelemetry, type Telemetry } from '@parcelway/telemetry/telemetry';
import type { Span } from '@parcelway/telemetry/tracer';
import { eventOf, INSTANT, useEmbeddedBus } from './testing/use-embedded-bus.ts';

const trace = (span: number): string => `00-0af7651916cd43dd8448eb211c80319c-${String(span).padStart(16, '0')}-01`;

/** Parents of the spans, and how they ended. */
let spans: { readonly parent: string | undefined; readonly traceparent: string; ended?: string | null }[];

/** Telemetry that notes spans. */
const telemetry: Telemetry = {
  of: () => ({
    ...noTelemetry,
    tracer: {
      recording: true,
      start: (_name, { parent }): Span => {
        const span: (typeof spans)[number] = { parent, traceparent: trace(1000 + spans.length) };
        spans.push(span);
        return { traceparent: span.traceparent, end: (outcome) => void Object.assign(span, { ended: outcome?.error ?? null }) };
      },
    },
  }),
  readWhenExposed: () => () => undefined,
} as Partial<Telemetry> as Telemetry;

// One partition: what is published at once is polled at once.
const opened = useEmbeddedBus({ partitions: 1, telemetry: () => telemetry });
beforeEach(() => {
  spans = [];
});

const finished = () =>
  until(async () => (await opened.bus.lag('g', topics.forecast)) === 0, { what: 'a topic that the group has finished' });

test('a handler gets the events of a poll together, of all its types, in the order of the log', async () => {
  await opened.bus.publish([
    eventOf('forecast.cancelled', 'FC1'),
    eventOf('parcel.weighed', 'FC2'),
    eventOf('parcel.completed', 'FC3'),
    eventOf('forecast.cancelled', 'FC2'),
    eventOf('parcel.weighed', 'FC1'),
  ]);
  await opened.driver.publish([{ topic: topics.forecast, key: 'k', value: 'no event' }]);
  const batches: string[][] = [];
  await opened.bus.subscribeBatch('g', ['forecast.cancelled', 'parcel.weighed'], async (events) => {
    batches.push(
      events.map((event) => `${event.subject} ${event.type === 'parcel.weighed' ? event.data.weighed_at : event.data.cancelled_at}`),
    );
  });
  await finished();
  expect(batches).toEqual([['FC1', 'FC2', 'FC2', 'FC1'].map((subject) => `${subject} ${INSTANT}`)]);
  expect((await opened.bus.deadLetters(topics.forecast, 10)).map(({ reason }) => reason.slice(0, 5))).toEqual(['40001']);
});

test('each event has the trace of its own span, which ends as its batch does', async () => {
  await opened.bus.publish([
    eventOf('forecast.cancelled', 'FC1', { traceparent: trace(1) }),
    eventOf('forecast.cancelled', 'FC2', { traceparent: trace(2) }),
  ]);
  let failures = 1;
  const traces: (string | undefined)[][] = [];
  await opened.bus.subscribeBatch('g', ['forecast.cancelled'], async (events) => {
    traces.push(events.map(({ traceparent }) => traceparent));
    if (failures-- > 0) throw AppError.unavailable('store out');
  });
  await finished();
  expect(spans).toEqual(
    [
      [trace(1), '50301'],
      [trace(2), '50301'],
      [trace(1), null],
      [trace(2), null],
    ].map(([parent, ended], index) => ({ parent, traceparent: trace(1000 + index), ended })),
  );
  expect(traces).toEqual([
    [trace(1000), trace(1001)],
    [trace(1002), trace(1003)],
  ]);
});

test('messages that are no events come together too, each with the trace of its header', async () => {
  await opened.driver.publish(
    ['1', '2'].map((value) => ({ topic: topics.forecast, key: value, value, headers: { traceparent: trace(Number(value)) } })),
  );
  const batches: (string | undefined)[][] = [];
  await opened.bus.subscribeRawBatch('g', topics.forecast, async (messages) => {
    batches.push(messages.map(({ record, traceparent }) => `${Buffer.from(record.value ?? [])} ${traceparent}`));
  });
  await finished();
  expect(batches).toEqual([[`1 ${trace(1000)}`, `2 ${trace(1001)}`]]);
  expect(spans.map(({ parent }) => parent)).toEqual([trace(1), trace(2)]);
});

test('what was handled is settled, whether events come singly or together', async () => {
  const handled: string[] = [];
  const settled = new Set<string>();
  const of = (group: string) => {
    const settle = async (): Promise<void> => {
      if (handled.includes(group)) settled.add(group);
    };
    return { handle: async () => void handled.push(group), options: { settle } };
  };
  const [single, together] = [of('single'), of('together')];
  await opened.bus.subscribe('single', { 'forecast.cancelled': single.handle }, single.options);
  await opened.bus.subscribeBatch('together', ['forecast.cancelled'], together.handle, together.options);
  await opened.bus.publish([eventOf('forecast.cancelled', 'FC1')]);
  await until(() => settled.size === 2, { what: 'both to be settled' });
});
