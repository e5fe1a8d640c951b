import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { decodeEvent } from '@parcelway/contracts/encode-event';
import { ManualClock } from '@parcelway/kernel/clock';
import type { IntakeEvent } from '../../expected/domain/event.ts';
import type { ResolutionRequest } from '../../expected/domain/resolution.ts';
import { accept } from '../../testing/follow-one.ts';
import { claimOf, dismissalOf, dispatch } from '../../testing/intake-steps.ts';
import { acceptedForecast, intakeEvent, NOW, traceOf } from '../../testing/samples.ts';
import type { IntakeStore } from '../ports.ts';
import type { IntakeStoreDriver } from './intake-store-laws.conformance.ts';

/** Claims and dismissals of what waits. @param open a driver with an empty store */
export function describeResolutions(open: (clock: ManualClock) => Promise<IntakeStoreDriver>): void {
  let clock: ManualClock;
  let driver: IntakeStoreDriver;
  let store: IntakeStore;

  /** Where published events went, in the order of their publication. */
  const published = async (): Promise<Array<readonly [string, string]>> =>
    (await driver.published()).map(decodeEvent).map(({ data, subject }) => [(data as { event_id: string }).event_id, subject] as const);
  const waiting = async (): Promise<string[]> => (await store.unclaimed(1000)).map(({ event }) => event.eventId);
  const idsOf = (...events: readonly IntakeEvent[]): string[] => events.map(({ eventId }) => eventId);
  const at = (minute: number): string => `2026-11-21T09:${String(minute).padStart(2, '0')}:00+08:00`;

  const useStore = (): void => {
    beforeEach(async () => {
      clock = new ManualClock(NOW);
      driver = await open(clock);
      store = driver.store;
    });
    afterEach(() => driver.close());
  };

  const refused = async (request: ResolutionRequest, code: string, message: RegExp): Promise<void> => {
    const before = [await waiting(), (await published()).length];
    await expect(store.resolve(request)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    expect([await waiting(), (await published()).length]).toEqual(before);
  };

  describe('a claim', () => {
    useStore();

    test('publishes all that waits under the number, in the order of occurrence, and leaves a record', async () => {
      await accept(store, acceptedForecast({ trackingNumbers: ['OTHER1'] }));
      const [late, early, other] = [
        intakeEvent({ occurredAt: at(9) }),
        intakeEvent({ occurredAt: at(1) }),
        intakeEvent({ expressNo: 'X 123' }),
      ];
      const elsewhere = intakeEvent({ warehouseCode: 'WH2' });
      await store.record([late, early, other, elsewhere]);
      clock.advance(1000);
      const { resolution, repeated } = await store.resolve(claimOf(late, 'FC1'), traceOf(3));
      expect(await published()).toEqual([
        [early.eventId, 'FC1'],
        [late.eventId, 'FC1'],
      ]);
      expect((await driver.published()).map((text) => decodeEvent(text).traceparent)).toEqual([traceOf(3), traceOf(3)]);
      expect(await waiting()).toEqual(idsOf(other, elsewhere));
      expect(repeated).toBe(false);
      expect(resolution).toEqual({ ...claimOf(late, 'FC1'), id: expect.any(String), resolvedAt: NOW + 1000, events: 2 });
      expect(await store.resolutions({ warehouseCode: 'WH1', limit: 10 })).toEqual([resolution]);
      expect(await store.resolutions({ warehouseCode: 'WH2', limit: 10 })).toEqual([]);
    });

    test('leaves a dispatch that the forecast does not take, and says why', async () => {
      await accept(store, acceptedForecast({ forecastType: 1, trackingNumbers: [] }));
      const [arrival, left] = [intakeEvent(), intakeEvent({ detail: dispatch })];
      await store.record([arrival, left]);
      await refused(claimOf(left, 'FC1'), '40902', /takes no dispatch/);
      expect((await store.resolve(claimOf(arrival, 'FC1'))).resolution.events).toBe(1);
      expect((await store.unclaimed(10)).map(({ event, reason }) => [event, reason])).toEqual([[left, 'takes_no_dispatch']]);
      await accept(store, acceptedForecast({ forecastNo: 'FC2', trackingNumbers: [] }));
      expect((await store.resolve(claimOf(left, 'FC2'))).resolution.events).toBe(1);
      expect(await published()).toEqual([
        [arrival.eventId, 'FC1'],
        [left.eventId, 'FC2'],
      ]);
    });

    test('takes a crowd in several steps, each event once', async () => {
      await accept(store, acceptedForecast({ trackingNumbers: [] }));
      const crowd = Array.from({ length: 501 }, () => intakeEvent());
      await store.record(crowd);
      const [first, second] = await Promise.all([
        store.resolve(claimOf(crowd[500] as IntakeEvent, 'FC1')),
        store.resolve(claimOf(crowd[0] as IntakeEvent, 'FC1')),
      ]);
      expect([first.resolution, first.resolution.events]).toEqual([second.resolution, 501]);
      expect((await published()).map(([eventId]) => eventId).sort()).toEqual(idsOf(...crowd).sort());
      expect(await store.resume(NOW + 1, 10)).toEqual({ resumed: 0, published: 0 });
    });

    test('of two at once for two forecasts, one is carried out', async () => {
      await accept(store, acceptedForecast({ trackingNumbers: [] }));
      await accept(store, acceptedForecast({ forecastNo: 'FC2', trackingNumbers: [] }));
      const events = [intakeEvent(), intakeEvent(), intakeEvent()];
      await store.record(events);
      const claims = events.map((event, index) => store.resolve(claimOf(event, index === 0 ? 'FC1' : 'FC2')));
      const outcomes = await Promise.allSettled([...claims, store.resolve(dismissalOf(events[0] as IntakeEvent))]);
      const done = await store.resolutions({ warehouseCode: 'WH1', limit: 10 });
      expect(done).toHaveLength(1);
      for (const outcome of outcomes) {
        if (outcome.status === 'fulfilled') expect(outcome.value.resolution).toEqual(done[0]);
        else expect(outcome.reason).toMatchObject({ code: '40902' });
      }
      expect(await waiting()).toEqual([]);
      expect(new Set((await published()).map(([, forecastNo]) => forecastNo)).size).toBeLessThanOrEqual(1);
    });
  });

  describe('a dismissal', () => {
    useStore();

    test('ends the waiting of all under the number; what comes later waits again', async () => {
      const [one, two, other] = [intakeEvent(), intakeEvent(), intakeEvent({ expressNo: 'X 123' })];
      const named = [intakeEvent({ forecastNo: 'FC9' }), intakeEvent({ forecastNo: 'FC9', warehouseCode: 'WH2' })];
      await store.record([one, two, other, ...named]);
      const first = await store.resolve(dismissalOf(one));
      expect(first.resolution).toEqual({ ...dismissalOf(one), id: expect.any(String), resolvedAt: NOW, events: 2 });
      expect((await store.resolve(dismissalOf(named[0] as IntakeEvent))).resolution.events).toBe(1);
      expect(await waiting()).toEqual(idsOf(other, named[1] as IntakeEvent));
      await accept(store, acceptedForecast());
      expect(await published()).toEqual([]);
      expect(await store.record([one])).toMatchObject({ duplicates: 1, waiting: [] });
      expect(await store.resolve(dismissalOf(two))).toEqual({ ...first, repeated: true });
      await refused({ ...dismissalOf(two), reason: 'Another reason' } as ResolutionRequest, '40902', /dismissed/);
      await refused(claimOf(two, 'FC1'), '40902', /dismissed/);
      clock.advance(1);
      const later = intakeEvent({ forecastNo: 'FC9' });
      await store.record([later]);
      expect(await waiting()).toContain(later.eventId);
    });

    test('of a crowd leaves none, in several steps', async () => {
      const crowd = Array.from({ length: 501 }, () => intakeEvent());
      await store.record(crowd);
      expect((await store.resolve(dismissalOf(crowd[500] as IntakeEvent))).resolution.events).toBe(501);
      expect(await waiting()).toEqual([]);
    });
  });

  describe('records of resolutions', () => {
    useStore();

    test('are listed newest first, and go with the events', async () => {
      const events = [
        intakeEvent({ expressNo: 'L100' }),
        intakeEvent({ expressNo: 'L200' }),
        intakeEvent({ expressNo: 'L300', warehouseCode: 'WH2' }),
      ];
      await store.record(events);
      for (const event of events) {
        clock.advance(1000);
        await store.resolve(dismissalOf(event));
      }
      const listed = async (warehouseCode?: string, limit = 10) =>
        (await store.resolutions({ warehouseCode, limit })).map(({ eventId }) => eventId);
      expect(await listed()).toEqual(idsOf(...events).reverse());
      expect(await listed('WH1')).toEqual(idsOf(events[1] as IntakeEvent, events[0] as IntakeEvent));
      expect(await listed('WH1', 1)).toEqual(idsOf(events[1] as IntakeEvent));
      expect((await store.purge(NOW + 2001, 2)).deleted).toBe(2);
      expect(await listed()).toHaveLength(3);
      expect((await store.purge(NOW + 2001, 2)).deleted).toBe(1);
      expect(await listed()).toEqual(idsOf(events[2] as IntakeEvent));
    });

    test('stay, with what was done, when the forecast is deleted while a crowd is taken', async () => {
      await accept(store, acceptedForecast({ trackingNumbers: [] }));
      await store.record([intakeEvent({ forecastNo: 'FC1', detail: dispatch })]);
      clock.advance(10);
      const crowd = Array.from({ length: 501 }, () => intakeEvent());
      await store.record(crowd);
      const claiming = store.resolve(claimOf(crowd[500] as IntakeEvent, 'FC1'));
      await store.purge(NOW + 5, 100);
      const { resolution } = await claiming.catch(() => ({ resolution: undefined }));
      const left = await waiting();
      expect(left.length + (await published()).length).toBe(502);
      expect(resolution?.events ?? 0).toBe(501 - left.length);
      // What is left can be resolved otherwise.
      if (left.length > 0) await store.resolve(dismissalOf(crowd[500] as IntakeEvent));
      expect(await waiting()).toEqual([]);
    });
  });
}
