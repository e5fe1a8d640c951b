import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { accept, cancel, correct } from '../../testing/follow-one.ts';
import { claimOf, wentTo, whereabouts } from '../../testing/intake-steps.ts';
import { acceptedForecast, intakeEvent, NOW } from '../../testing/samples.ts';
import type { AcceptedForecast, CorrectedForecast, IntakeEvent } from '../domain/event.ts';
import type { IntakeStore } from '../ports.ts';
import type { IntakeStoreDriver } from './intake-store-laws.conformance.ts';

const correctedForecast = (version: number, given: Partial<AcceptedForecast>): CorrectedForecast => ({
  ...acceptedForecast(given),
  version,
});

/** How events are matched after corrections. @param open a driver with an empty store */
export function describeCorrections(open: (clock: ManualClock) => Promise<IntakeStoreDriver>): void {
  describe('a correction', () => {
    let driver: IntakeStoreDriver;
    let store: IntakeStore;

    beforeEach(async () => {
      driver = await open(new ManualClock(NOW));
      store = driver.store;
    });
    afterEach(() => driver.close());

    const where = (): Promise<readonly string[]> => whereabouts(store, () => driver.published());
    const waits = ({ eventId }: IntakeEvent, reason: string): string => `${eventId}: ${reason}`;
    const scan = (expressNo: string, given: Partial<IntakeEvent> = {}): IntakeEvent => intakeEvent({ expressNo, ...given });

    test('leads the numbers of now to the forecast, and no others', async () => {
      await accept(store, acceptedForecast({ trackingNumbers: ['OLD11', 'BOTH1'] }));
      await correct(store, correctedForecast(2, { trackingNumbers: ['BOTH1', 'NEW11'] }));
      const [old, both, now] = [scan('OLD11'), scan('BOTH1'), scan('NEW11')];
      await store.record([old, both, now]);
      expect(await where()).toEqual([waits(old, 'no_forecast'), wentTo(both.eventId, 'FC1'), wentTo(now.eventId, 'FC1')].sort());
    });

    test('publishes what waited for it', async () => {
      await accept(store, acceptedForecast());
      const early = scan('NEW11');
      await store.record([early]);
      expect(await correct(store, correctedForecast(2, { trackingNumbers: ['NEW11'] }))).toEqual({ published: 1 });
      expect(await where()).toEqual([wentTo(early.eventId, 'FC1')]);
    });

    test('moves the forecast to another warehouse', async () => {
      await accept(store, acceptedForecast());
      const named = intakeEvent({ forecastNo: 'FC1', warehouseCode: 'WH2' });
      const scanned = scan('SF12345678', { warehouseCode: 'WH2' });
      await store.record([named, scanned]);
      await correct(store, correctedForecast(2, { warehouseCode: 'WH2' }));
      const [late, lateNamed] = [scan('SF12345678'), intakeEvent({ forecastNo: 'FC1' })];
      await store.record([late, lateNamed]);
      expect(await where()).toEqual(
        [
          wentTo(named.eventId, 'FC1'),
          wentTo(scanned.eventId, 'FC1'),
          waits(late, 'no_forecast'),
          waits(lateNamed, 'warehouse_mismatch'),
        ].sort(),
      );
    });

    test('leaves a number that is on the parcel, and the warehouse that has it', async () => {
      await accept(store, acceptedForecast());
      const first = scan('SF12345678');
      await store.record([first]);
      await correct(store, correctedForecast(2, { warehouseCode: 'WH2', trackingNumbers: ['NEW11'] }));
      const second = scan('SF12345678');
      await store.record([second]);
      expect(await where()).toEqual([wentTo(first.eventId, 'FC1'), wentTo(second.eventId, 'FC1')].sort());
    });

    test('leaves a number that the warehouse has claimed for the forecast', async () => {
      await accept(store, acceptedForecast());
      const unknown = scan('STRANGE1');
      await store.record([unknown]);
      await store.resolve(claimOf(unknown, 'FC1'));
      await correct(store, correctedForecast(2, { trackingNumbers: ['NEW11'] }));
      const again = scan('STRANGE1');
      await store.record([again]);
      expect(await where()).toEqual([wentTo(unknown.eventId, 'FC1'), wentTo(again.eventId, 'FC1')].sort());
    });

    test('frees a number for the other forecast that declares it', async () => {
      await accept(store, acceptedForecast());
      await accept(store, acceptedForecast({ forecastNo: 'FC2', tenantId: 'tnt_b' }));
      const ambiguous = scan('SF12345678');
      await store.record([ambiguous]);
      expect(await correct(store, correctedForecast(2, { trackingNumbers: ['NEW11'] }))).toEqual({ published: 1 });
      expect(await where()).toEqual([wentTo(ambiguous.eventId, 'FC2')]);
    });

    test('changes nothing when it comes again, or after a newer one', async () => {
      await accept(store, acceptedForecast());
      await correct(store, correctedForecast(3, { trackingNumbers: ['NEW11'] }));
      await correct(store, correctedForecast(2, { trackingNumbers: ['MIDDLE1'] }));
      await correct(store, correctedForecast(3, { trackingNumbers: ['NEW11'] }));
      await accept(store, acceptedForecast());
      const [old, middle, now] = [scan('SF12345678'), scan('MIDDLE1'), scan('NEW11')];
      await store.record([old, middle, now]);
      expect(await where()).toEqual([waits(old, 'no_forecast'), waits(middle, 'no_forecast'), wentTo(now.eventId, 'FC1')].sort());
    });

    test('adds a forecast whose acceptance was not seen', async () => {
      await correct(store, correctedForecast(2, { trackingNumbers: ['NEW11'] }));
      const event = scan('NEW11');
      await store.record([event]);
      expect(await where()).toEqual([wentTo(event.eventId, 'FC1')]);
    });

    test('leaves a cancelled forecast out of the match', async () => {
      await accept(store, acceptedForecast());
      await cancel(store, 'FC1', NOW);
      await correct(store, correctedForecast(2, { trackingNumbers: ['NEW11'] }));
      const event = scan('NEW11');
      await store.record([event]);
      expect(await where()).toEqual([waits(event, 'no_forecast')]);
    });

    test('may take all numbers away', async () => {
      await accept(store, acceptedForecast());
      await correct(store, correctedForecast(2, { trackingNumbers: [] }));
      const [scanned, named] = [scan('SF12345678'), intakeEvent({ forecastNo: 'FC1' })];
      await store.record([scanned, named]);
      expect(await where()).toEqual([waits(scanned, 'no_forecast'), wentTo(named.eventId, 'FC1')].sort());
    });
  });
}
