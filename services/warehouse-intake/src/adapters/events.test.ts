import { expect, test } from '@jest/globals';
import type { RawMessage } from '@parcelway/bus/bus';
import type { LogRecord } from '@parcelway/bus/driver';
import { silentLogger } from '@parcelway/kernel/logger';
import fc from 'fast-check';
import type { IntakeEvent } from '../expected/domain/event.ts';
import { expected } from '../expected/expected-collection.ts';
import type { ReportTrace } from '../reports/domain/trace.ts';
import { openStores } from '../testing/open-stores.ts';
import { setUp } from '../testing/report-set-up.ts';
import { acceptance, forecastEvent, report, traceOf, viewItem } from '../testing/samples.ts';
import { type FollowOptions, forecastHandler, takeMessages } from './events.ts';

/** Takes messages over a store that notes the traces it is given. `refuses`: it refuses the first event of each call. */
function intake({ refuses = false } = {}) {
  const calls: (string | undefined)[][] = [];
  const recorder = {
    record: async (events: readonly IntakeEvent[], trace?: ReportTrace) => {
      calls.push(events.map((event) => trace?.(event)));
      const refused = refuses ? events.slice(0, 1) : [];
      return { published: 0, accepted: events.length, duplicates: 0, conflicts: [], refused, waiting: [] };
    },
  };
  const options = { ...setUp().options, recorder };
  return { calls, take: (...messages: readonly RawMessage[]) => takeMessages(options, messages) };
}

const message = (reports: readonly unknown[] | null, trace?: number): RawMessage => ({
  record: { value: reports && Buffer.from(JSON.stringify({ events: reports })) } as Partial<LogRecord> as LogRecord,
  traceparent: trace === undefined ? undefined : traceOf(trace),
});

test('messages are stored together only as long as none has a report that is rejected', async () => {
  const { take, calls } = intake();
  const good = message([report()]);
  await expect(take(good, message([report({ type: 'unknown' })]))).rejects.toMatchObject({ code: '42201' });
  await expect(take(good, message(null))).rejects.toMatchObject({ code: '40001' });
  expect(calls).toEqual([]);
  await expect(intake({ refuses: true }).take(good, message([report()]))).rejects.toMatchObject({ code: '42201' });
});

test('no call of the store has more reports than a call of a warehouse', async () => {
  const { take, calls } = intake();
  await take(...[1, 2, 3].map(() => message(Array.from({ length: 200 }, () => report()))));
  expect(calls.map(({ length }) => length)).toEqual([400, 200]);
});

type ForecastEvents = Parameters<ReturnType<typeof forecastHandler>>[0];

/** Follows batches of events. @returns the documents of forecasts: each with its version, and what else it has */
async function followed(batches: readonly ForecastEvents[]) {
  const stores = openStores();
  const { intake, directory, expired, store } = stores;
  const large: string[] = [];
  const add: FollowOptions['large']['add'] = (events) => void large.push(...events.map(({ id }) => id));
  const handle = forecastHandler({
    intake,
    directory,
    expired,
    large: { add },
    ssccOf: () => undefined,
    logger: silentLogger,
    notify: () => undefined,
  });
  for (const batch of batches) await handle(batch);
  const found = await store.read(
    expected,
    ['FC1', 'FC2'].map((forecastNo) => [forecastNo, '']),
    { with: ['keys', 'shown', 'items'] },
  );
  stores.close();
  const documents = found.map(({ value: { stamp: _, ...rest } }) => rest).sort((a, b) => (a.forecastNo < b.forecastNo ? -1 : 1));
  return { documents, large, versions: found.map(({ version }) => version) };
}

test('a batch that publishes waiting events says so once, and one that does not says nothing', async () => {
  for (const [published, logged] of [
    [3, [{ forecasts: 2, events: 3 }]],
    [0, []],
  ] as const) {
    const said: object[] = [];
    const intake = { follow: async () => ({ published }) };
    const logger = { ...silentLogger, info: (fields: object) => void said.push(fields) };
    const unused = {} as Pick<FollowOptions, 'directory' | 'expired'>;
    const notify = () => void said.push({});
    const handle = forecastHandler({ ...unused, intake, large: { add: () => undefined }, ssccOf: () => undefined, logger, notify });
    await handle(['FC1', 'FC2', 'FC1'].map((forecast_no) => forecastEvent('forecast.accepted', { ...acceptance, forecast_no })));
    expect(said).toEqual(published > 0 ? [{}, ...logged] : []);
  }
});

test('a new forecast is written once: with what reports are matched by, and what warehouses are shown', async () => {
  const event = (forecastNo: string) => forecastEvent('forecast.accepted', { ...acceptance, forecast_no: forecastNo, items: [viewItem()] });
  const { documents, versions } = await followed([[event('FC1'), event('FC2')]]);
  expect(versions).toEqual([1, 1]);
  expect(documents).toMatchObject(['FC1', 'FC2'].map((forecastNo) => ({ forecastNo, leads: expect.anything(), shown: { forecastNo } })));
});

test('however events are divided into batches, and repeated, the same is stored', async () => {
  const content = fc.record({ forecastNo: fc.constantFrom('FC1', 'FC2'), isLarge: fc.boolean() });
  const change = fc.oneof(
    content.map(({ forecastNo, isLarge }) => ({ name: 'forecast.accepted' as const, forecastNo, isLarge, version: 1 })),
    fc.tuple(content, fc.integer({ min: 2, max: 3 })).map(([one, version]) => ({ name: 'forecast.corrected' as const, ...one, version })),
    fc.constantFrom('FC1', 'FC2').map((forecastNo) => ({ name: 'forecast.cancelled' as const, forecastNo })),
  );
  const eventOf = (one: typeof change extends fc.Arbitrary<infer T> ? T : never) =>
    one.name === 'forecast.cancelled'
      ? forecastEvent(one.name, { forecast_no: one.forecastNo, cancelled_at: '2026-11-21T08:00:00.000+00:00' })
      : forecastEvent(one.name, {
          ...acceptance,
          forecast_no: one.forecastNo,
          version: one.version,
          items: one.isLarge ? null : [viewItem({ sku_code: `V${one.version}` })],
        });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 8 }), fc.array(fc.nat(8), { maxLength: 3 }), async (changes, cuts) => {
      const events = changes.map(eventOf) as unknown as ForecastEvents;
      const places = [0, ...cuts.toSorted(), events.length];
      const batches = places.slice(1).map((end, index) => events.slice(places[index], end));
      const { documents, large } = await followed([...batches, events]);
      const single = await followed([...events, ...events].map((event) => [event]));
      expect(documents).toEqual(single.documents);
      expect(new Set(large)).toEqual(new Set(single.large));
    }),
    { numRuns: 60 },
  );
});
