import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import { decodeEvent } from '@parcelway/contracts/encode-event';
import { ManualClock } from '@parcelway/kernel/clock';
import { LATE_REPORT_MS } from '../../expected/domain/end-of-stay.ts';
import type { IntakeEvent } from '../../expected/domain/event.ts';
import { accept } from '../../testing/follow-one.ts';
import { dispatch } from '../../testing/intake-steps.ts';
import { acceptedForecast, intakeEvent, NOW } from '../../testing/samples.ts';
import type { IntakeStore } from '../ports.ts';
import type { IntakeStoreDriver } from './intake-store-laws.conformance.ts';

/** Whose parcel a number is on when several may be meant, and what a forecast does not take. @param open a driver with an empty store */
export function describeClaims(open: (clock: ManualClock) => Promise<IntakeStoreDriver>): void {
  let clock: ManualClock;
  let driver: IntakeStoreDriver;
  let store: IntakeStore;

  const publications = async (): Promise<DomainEvent[]> => (await driver.published()).map(decodeEvent);
  const _publishedIds = async (): Promise<string[]> =>
    (await publications()).map((event) => (event.data as { readonly event_id: string }).event_id);
  const reasons = async (): Promise<string[]> => (await store.unclaimed(100)).map((parcel) => parcel.reason);

  const useStore = (): void => {
    beforeEach(async () => {
      clock = new ManualClock(NOW);
      driver = await open(clock);
      store = driver.store;
    });
    afterEach(() => driver.close());
  };

  describe('a number that several declare', () => {
    useStore();

    test('never chooses between tenants, nor between forecasts of one', async () => {
      await accept(store, acceptedForecast());
      await accept(store, acceptedForecast({ forecastNo: 'FC2', tenantId: 'tnt_b' }));
      await accept(store, acceptedForecast({ forecastNo: 'FC3', trackingNumbers: ['TWICE1'] }));
      await accept(store, acceptedForecast({ forecastNo: 'FC4', trackingNumbers: ['TWICE1'] }));
      await store.record([intakeEvent(), intakeEvent({ expressNo: 'TWICE1' })]);
      expect(await reasons()).toEqual(['ambiguous', 'ambiguous']);
      expect(await publications()).toEqual([]);
    });

    test('says what waits, why, and for which forecasts, of events stored now or before', async () => {
      await accept(store, acceptedForecast());
      await accept(store, acceptedForecast({ forecastNo: 'FC2', tenantId: 'tnt_b' }));
      const [matched, typo, shared, elsewhere] = [
        intakeEvent({ forecastNo: 'FC1' }),
        intakeEvent({ forecastNo: 'FC9' }),
        intakeEvent(),
        intakeEvent({ warehouseCode: 'WH2', forecastNo: 'FC1' }),
      ];
      const waits = ({ warehouseCode, eventId }: IntakeEvent, reason: string) => ({ warehouseCode, eventId, reason });
      const outcome = await store.record([matched, typo, shared, elsewhere]);
      expect(outcome.waiting).toEqual([
        waits(typo, 'no_forecast'),
        { ...waits(shared, 'ambiguous'), candidates: expect.anything() },
        waits(elsewhere, 'warehouse_mismatch'),
      ]);
      expect([...(outcome.waiting[1]?.candidates ?? [])].sort()).toEqual(['FC1', 'FC2']);
      expect((await store.record([matched, shared])).waiting).toEqual([waits(shared, 'ambiguous')]);
      expect((await store.unclaimed(10, 'ambiguous')).map((parcel) => parcel.event)).toEqual([shared]);
      expect(await store.unclaimed(10, 'takes_no_dispatch')).toEqual([]);
      expect(await store.countUnclaimed()).toEqual({ no_forecast: 1, warehouse_mismatch: 1, ambiguous: 1, takes_no_dispatch: 0 });
    });

    test('gives a stranger who declares the number of a parcel that has just left no report on it', async () => {
      await accept(store, acceptedForecast());
      await store.record([intakeEvent(), intakeEvent({ detail: dispatch })]);
      await accept(store, acceptedForecast({ forecastNo: 'FC2', tenantId: 'tnt_b' }));
      const late = intakeEvent();
      await store.record([late]);
      expect(await reasons()).toEqual(['ambiguous']);
      await store.record([intakeEvent({ forecastNo: 'FC1', expressNo: 'SF12345678' })]);
      expect((await publications()).map((event) => event.subject)).toEqual(['FC1', 'FC1', 'FC1', 'FC1']);
      const stranger = intakeEvent();
      clock.advance(LATE_REPORT_MS + 1);
      await store.record([stranger]);
      expect((await publications()).at(-1)).toMatchObject({ subject: 'FC2', data: { event_id: stranger.eventId } });
    });
  });

  describe('a type 1 forecast', () => {
    useStore();

    test('refuses the dispatch of a type 1 forecast, and stores nothing of it', async () => {
      await accept(store, acceptedForecast({ forecastType: 1 }));
      const [named, scanned, fine] = [
        intakeEvent({ forecastNo: 'FC1', detail: dispatch }),
        intakeEvent({ detail: dispatch }),
        intakeEvent({ detail: { type: 'put_away' } }),
      ];
      const refused = [named, scanned, scanned].map(({ warehouseCode, eventId }) => ({ warehouseCode, eventId }));
      expect(await store.record([named, scanned, fine, scanned])).toEqual({
        accepted: 1,
        duplicates: 0,
        conflicts: [],
        refused,
        waiting: [],
        published: 1,
      });
      expect(await reasons()).toEqual([]);
      // Nothing is remembered of it: fixed, it may come under the same id.
      expect(await store.record([{ ...named, detail: { type: 'processing' } }])).toMatchObject({ accepted: 1, published: 1 });
    });

    test('keeps a dispatch that waited for what turns out to be of type 1, for the operator to see', async () => {
      const early = intakeEvent({ forecastNo: 'FC1', detail: dispatch });
      const scanned = intakeEvent({ detail: dispatch });
      await store.record([early, scanned]);
      expect(await accept(store, acceptedForecast({ forecastType: 1 }))).toEqual({ published: 0 });
      expect(await reasons()).toEqual(['takes_no_dispatch', 'takes_no_dispatch']);
      expect((await store.unclaimed(10, 'takes_no_dispatch')).map((parcel) => parcel.event)).toEqual([early, scanned]);
      expect((await store.record([early])).waiting).toMatchObject([{ reason: 'takes_no_dispatch' }]);
      expect(await publications()).toEqual([]);
    });
  });
}
