import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { decodeEvent } from '@parcelway/contracts/encode-event';
import { ManualClock } from '@parcelway/kernel/clock';
import type { IntakeEvent } from '../../expected/domain/event.ts';
import { accept } from '../../testing/follow-one.ts';
import { acceptedForecast, intakeEvent, NOW, traceOf } from '../../testing/samples.ts';
import type { IntakeStoreDriver } from './intake-store-laws.conformance.ts';

/** Which trace a publication belongs to. @param open a driver with an empty store */
export function describeTraces(open: (clock: ManualClock) => Promise<IntakeStoreDriver>): void {
  describe('a publication carries the trace', () => {
    let driver: IntakeStoreDriver;
    beforeEach(async () => {
      driver = await open(new ManualClock(NOW));
    });
    afterEach(() => driver.close());

    /** Trace of each publication, by the id of its event. */
    const traces = async (): Promise<Record<string, string | undefined>> =>
      Object.fromEntries(
        (await driver.published()).map(decodeEvent).map(({ data, traceparent }) => [(data as { event_id: string }).event_id, traceparent]),
      );
    const tracesOf = (...expected: readonly (readonly [IntakeEvent, string | undefined])[]) =>
      Object.fromEntries(expected.map(([{ eventId }, traceparent]) => [eventId, traceparent]));

    test('of the report that it follows from at once, and of none when the report has none', async () => {
      const { store } = driver;
      const [first, second] = [intakeEvent(), intakeEvent()];
      await accept(store, acceptedForecast(), traceOf(1));
      await store.record([first], () => traceOf(2));
      await store.record([second]);
      expect(await traces()).toEqual(tracesOf([first, traceOf(2)], [second, undefined]));
    });

    test('of the acceptance that released what waited, not of the report', async () => {
      const { store } = driver;
      const event = intakeEvent();
      await store.record([event], () => traceOf(1));
      await accept(store, acceptedForecast(), traceOf(2));
      expect(await traces()).toEqual(tracesOf([event, traceOf(2)]));
    });

    test('of the acceptance, to the last event of a crowd that is processed in several steps', async () => {
      const { store } = driver;
      await store.record(
        Array.from({ length: 501 }, () => intakeEvent()),
        () => traceOf(1),
      );
      await accept(store, acceptedForecast(), traceOf(2));
      const all = Object.values(await traces());
      expect([all.length, new Set(all)]).toEqual([501, new Set([traceOf(2)])]);
    });
  });
}
