import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import { decodeEvent } from '@parcelway/contracts/encode-event';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import type { Store, Write } from '@parcelway/store/store';
import fc from 'fast-check';
import { storesOf } from '../adapters/intake-stores.ts';
import type { IntakeEvent } from '../expected/domain/event.ts';
import { expected } from '../expected/expected-collection.ts';
import { histories } from '../testing/intake-histories.ts';
import { claimOf, dismissalOf, dispatch, type Step, whereabouts } from '../testing/intake-steps.ts';
import { type OpenStores, openStores } from '../testing/open-stores.ts';
import { diesAfter, intakeOn } from '../testing/processes.ts';
import { accept, acceptedForecast, cancel, intakeEvent, NOW, traceOf } from '../testing/samples.ts';
import type { Intake } from './intake-store.ts';

const NOTHING = { resumed: 0, published: 0 };

describe('the store of the intake', () => {
  let clock: ManualClock;
  let driver: OpenStores;
  let store: Intake;

  beforeEach(async () => {
    clock = new ManualClock(NOW);
    driver = openStores(clock);
    store = driver.intake;
  });
  afterEach(() => driver.close());

  const publications = async (): Promise<DomainEvent[]> => (await driver.published()).map(decodeEvent);
  const publishedIds = async (): Promise<string[]> =>
    (await publications()).map((event) => (event.data as { readonly event_id: string }).event_id);
  const waiting = async (): Promise<string[]> => (await store.unclaimed(1000)).map(({ event }) => event.eventId);
  const idsOf = (...events: readonly IntakeEvent[]): string[] => events.map(({ eventId }) => eventId);
  const crowdOf = (count: number): IntakeEvent[] => Array.from({ length: count }, () => intakeEvent());

  test('any history ends as each report and fact by itself does, whichever step a process dies at and another one repeats', async () => {
    const turns = fc.infiniteStream(fc.record({ deathAfter: fc.option(fc.nat(12), { freq: 3 }), isSwept: fc.boolean() }));
    /** Takes a step. A refusal of an impossible claim or dismissal is no failure. */
    const take = async (step: Step, on: Intake): Promise<void> => {
      const [outcome] = await Promise.allSettled([step(on)]);
      if (outcome.status === 'rejected' && !['40403', '40902'].includes(outcome.reason.code)) throw outcome.reason;
    };
    await fc.assert(
      fc.asyncProperty(histories, turns, async (steps, turn) => {
        const own = new ManualClock(NOW);
        const [tested, single] = [openStores(own), openStores(own)];
        for (const { run, singly = [run], ms = 1000 } of steps) {
          const { deathAfter, isSwept } = turn.next().value;
          if (deathAfter !== null) await diesAfter(tested.store, deathAfter, (dying) => take(run, intakeOn(dying, own)));
          if (isSwept) await tested.intake.resume(own.now() + 1, 100);
          // The client sends the report again, the bus delivers the event again.
          await take(run, tested.intake);
          for (const one of singly) await take(one, single.intake);
          own.advance(ms);
        }
        await tested.intake.resume(own.now() + 1, 1000);
        expect(await whereabouts(tested.intake, tested.published)).toEqual(await whereabouts(single.intake, single.published));
        for (const { intake, close } of [tested, single]) {
          expect(await intake.resume(own.now() + 1, 100)).toEqual(NOTHING);
          await close();
        }
      }),
      { numRuns: Number(process.env['RUNS'] ?? 80) },
    );
  }, 60_000);

  describe('recording', () => {
    test('lists waiting events, oldest first, by reason', async () => {
      const [first, second, elsewhere] = [intakeEvent(), intakeEvent(), intakeEvent({ warehouseCode: 'WH2', forecastNo: 'FC1' })];
      for (const event of [first, second]) await store.record([event]);
      await accept(store, acceptedForecast({ trackingNumbers: [] }));
      await store.record([elsewhere]);
      expect(await store.unclaimed(1)).toEqual([{ event: first, type: 'arrival', reason: 'no_forecast', receivedAt: NOW }]);
      expect(await waiting()).toEqual(idsOf(first, second, elsewhere));
      expect((await store.unclaimed(10, 'warehouse_mismatch')).map(({ event }) => event)).toEqual([elsewhere]);
      expect(await store.countUnclaimed()).toEqual({ no_forecast: 2, warehouse_mismatch: 1, ambiguous: 0, takes_no_dispatch: 0 });
    });

    test('applies a crowd that waited, in order, under the trace of the acceptance', async () => {
      const events = Array.from({ length: 1203 }, (_, index) =>
        intakeEvent({
          occurredAt: new Date(NOW - 3_600_000 + Math.floor(index / 2)).toISOString(),
          forecastNo: index % 3 ? null : 'FC1',
        }),
      );
      await store.record(events, () => traceOf(1));
      expect(await accept(store, acceptedForecast(), traceOf(2))).toEqual({ published: 1203 });
      expect(await publishedIds()).toEqual(idsOf(...events));
      expect(new Set((await publications()).map(({ traceparent }) => traceparent))).toEqual(new Set([traceOf(2)]));
    });
  });

  describe('the counts of numbers', () => {
    const guesses = Array.from({ length: 5001 }, (_, index) => `GUESS${index}`);

    test('follow acceptances, scans and cancellations', async () => {
      await accept(store, acceptedForecast({ trackingNumbers: ['N1', 'N2', 'SF12345678'], poNumber: 'PO-1001' }));
      await accept(store, acceptedForecast({ forecastNo: 'FC2', trackingNumbers: ['N4'] }));
      await accept(store, acceptedForecast({ forecastNo: 'FC3', tenantId: 'tnt_b', trackingNumbers: ['N5'] }));
      await store.record([intakeEvent(), intakeEvent()]);
      await cancel(store, 'FC2', NOW);
      await cancel(store, 'FC2', NOW);
      const limited = { tenantId: 'tnt_b', unseen: 1, seen: 0, limit: 500 };
      expect(await driver.counts.limitNumbers('tnt_b', 500)).toEqual(limited);
      expect(await driver.counts.declaredNumbers(9)).toEqual([{ tenantId: 'tnt_a', unseen: 2, seen: 1, limit: null }, limited]);
      expect(await driver.counts.declaredNumbers(1)).toHaveLength(1);
      expect(await driver.counts.limitedNumbers(9)).toEqual([limited]);
      expect(await driver.counts.limitNumbers('tnt_b', null)).toEqual({ ...limited, limit: null });
      expect(await driver.counts.limitedNumbers(9)).toEqual([]);
      await store.record([intakeEvent({ forecastNo: 'FC1', expressNo: null }), intakeEvent({ detail: dispatch })]);
      expect(await driver.counts.declaredNumbers(9)).toEqual([{ tenantId: 'tnt_b', unseen: 1, seen: 0, limit: null }]);
    });

    test('make a tenant suspect: its scans wait until the warehouse names the forecast', async () => {
      await accept(store, acceptedForecast({ trackingNumbers: guesses, poNumber: 'SF-12345678' }));
      await accept(store, acceptedForecast({ forecastNo: 'FC2', tenantId: 'tnt_b' }));
      expect(await driver.counts.suspectsAmong(['tnt_a', 'tnt_b'])).toEqual(new Set(['tnt_a']));
      const outcome = await store.record([intakeEvent({ expressNo: 'GUESS7' }), intakeEvent()]);
      expect(outcome).toMatchObject({ published: 1, waiting: [{ reason: 'ambiguous', candidates: ['FC1'] }] });
      await store.record([intakeEvent({ expressNo: 'GUESS7', forecastNo: 'FC1' })]);
      expect((await publications()).map(({ subject }) => subject)).toEqual(['FC2', 'FC1', 'FC1']);
      // One parcel has come: 5000 numbers are left, which is no suspicion any more.
      expect(await driver.counts.suspectsAmong(['tnt_a', 'tnt_b'])).toEqual(new Set());
    });

    test('say under which numbers of which forecasts an event came', async () => {
      await accept(store, acceptedForecast({ trackingNumbers: ['N1', 'N2'] }));
      await accept(store, acceptedForecast({ forecastNo: 'FC2', trackingNumbers: ['N1'] }));
      await store.record([intakeEvent({ expressNo: 'N1', forecastNo: 'FC1' })]);
      const seenUnder = (number: string, forecastNos: readonly string[], warehouseCode = 'WH1') =>
        driver.directory.seenUnder({ warehouseCode, number }, forecastNos);
      expect(await seenUnder('N1', ['FC1', 'FC2', 'FC9'])).toEqual(new Set(['FC1']));
      for (const none of [seenUnder('N2', ['FC1']), seenUnder('N1', ['FC2']), seenUnder('N1', []), seenUnder('N1', ['FC1'], 'WH2')])
        expect(await none).toEqual(new Set());
    });
  });

  describe('resolutions', () => {
    test('take a crowd in several steps, each event once, under the trace of the call', async () => {
      await accept(store, acceptedForecast({ trackingNumbers: [] }));
      const crowd = crowdOf(501);
      await store.record(crowd);
      const claims = [500, 0].map((index) => store.resolve(claimOf(crowd[index] as IntakeEvent, 'FC1'), traceOf(3)));
      const [first, second] = await Promise.all(claims);
      expect([first?.resolution, first?.resolution.events]).toEqual([second?.resolution, 501]);
      expect((await publishedIds()).sort()).toEqual(idsOf(...crowd).sort());
      expect((await publications()).every(({ traceparent }) => traceparent === traceOf(3))).toBe(true);
      expect(await store.resume(NOW + 1, 10)).toEqual(NOTHING);
      const others = crowdOf(501).map((event) => ({ ...event, forecastNo: 'FC9' }));
      await store.record(others);
      expect((await store.resolve(dismissalOf(others[500] as IntakeEvent))).resolution.events).toBe(501);
      expect(await waiting()).toEqual([]);
    });

    test('are listed newest first, and go with the events', async () => {
      const events = ['L100', 'L200', 'L300'].map((expressNo, index) =>
        intakeEvent({ expressNo, warehouseCode: index === 2 ? 'WH2' : 'WH1' }),
      );
      await store.record(events);
      for (const event of events) {
        clock.advance(1000);
        const { resolution } = await store.resolve(dismissalOf(event));
        expect(resolution).toEqual({ ...dismissalOf(event), id: expect.any(String), resolvedAt: clock.now(), events: 1 });
      }
      const listed = async (warehouseCode?: string, limit = 10) =>
        (await store.resolutions({ warehouseCode, limit })).map(({ eventId }) => eventId);
      const [first, second, third] = idsOf(...events);
      expect(await listed()).toEqual([third, second, first]);
      expect(await listed('WH1')).toEqual([second, first]);
      expect(await listed('WH1', 1)).toEqual([second]);
      expect((await store.purge(NOW + 2001, 2)).deleted).toBe(2);
      expect(await listed()).toHaveLength(3);
      expect((await store.purge(NOW + 2001, 2)).deleted).toBe(1);
      expect(await listed()).toEqual([third]);
    });

    test('stay, with what was done, when the forecast is deleted while a crowd is taken', async () => {
      await accept(store, acceptedForecast({ trackingNumbers: [] }));
      await store.record([intakeEvent({ forecastNo: 'FC1', detail: dispatch })]);
      clock.advance(10);
      const crowd = crowdOf(501);
      await store.record(crowd);
      const claiming = store.resolve(claimOf(crowd[500] as IntakeEvent, 'FC1'));
      await driver.view.purge(NOW + 5, 100);
      const { resolution } = await claiming.catch(() => ({ resolution: undefined }));
      const left = await waiting();
      expect(left.length + (await publications()).length).toBe(502);
      expect(resolution?.events ?? 0).toBe(501 - left.length);
      // What is left can be resolved otherwise.
      if (left.length > 0) await store.resolve(dismissalOf(crowd[500] as IntakeEvent));
      expect(await waiting()).toEqual([]);
    });

    test('free what a deleted forecast does not take for the forecast that came meanwhile, wherever the process dies', async () => {
      /** The store of a process that dies after so many writes. */
      const dyingAfter = (writes: number): Intake => {
        let left = writes;
        const lived = (name: string) => !['apply', 'change'].includes(name) || --left >= 0;
        const get = (own: Store, name: keyof Store) =>
          lived(name) ? own[name].bind(own) : () => Promise.reject(AppError.unavailable('The process has died'));
        return storesOf({ store: new Proxy(driver.store, { get: get as never }) }, clock, false).intake;
      };
      const toDelete = [
        async (forecastNo: string) => {
          const [gone] = await driver.store.read(expected, [[forecastNo, '']]);
          await driver.store.apply([{ in: expected, delete: gone } as Write]);
        },
        (forecastNo: string) => driver.expired.drop([{ tenantId: acceptedForecast().tenantId, forecastNo }]),
      ];
      for (let writes = 0, hasDied = true; hasDied || writes < 8; writes += 1) {
        const [claimed, other, number] = [`FC1-${writes}`, `FC2-${writes}`, `LP${writes}00`];
        const event = intakeEvent({ expressNo: number });
        await accept(store, acceptedForecast({ forecastNo: claimed, trackingNumbers: [] }));
        await store.record([event]);
        await expect(dyingAfter(1).resolve(claimOf(event, claimed))).rejects.toThrow('died');
        await toDelete[writes % 2]?.(claimed);
        await accept(store, acceptedForecast({ forecastNo: other, trackingNumbers: [number] }));
        const [resumed] = await Promise.allSettled([dyingAfter(writes).resume(NOW + 1, 10)]);
        hasDied = resumed.status === 'rejected';
        await store.resume(NOW + 1, 10);
        expect((await publications()).map(({ subject }) => subject).slice(writes)).toEqual([other]);
      }
    });
  });

  test('a report that the forecast refuses comes back: it waits, or goes to another forecast, once', async () => {
    const [early, late, named] = [intakeEvent(), intakeEvent(), intakeEvent({ forecastNo: 'FC1' })];
    const refuse = ({ warehouseCode, eventId }: IntakeEvent) =>
      store.follow([{ kind: 'refused', forecastNo: 'FC1', at: NOW, report: { warehouseCode, eventId } }]);
    await accept(store, acceptedForecast());
    await store.record([early, late, named]);
    expect(await publications()).toHaveLength(3);
    expect([await refuse(early), await waiting()]).toEqual([{ published: 0 }, [early.eventId]]);
    expect(await accept(store, acceptedForecast({ forecastNo: 'FC2' }))).toEqual({ published: 1 });
    expect(await refuse(late)).toEqual({ published: 1 });
    for (const event of [early, late, named]) expect(await refuse(event)).toEqual({ published: 0 });
    const all = await publications();
    expect(all.map(({ subject }) => subject)).toEqual(['FC1', 'FC1', 'FC1', 'FC2', 'FC2']);
    expect(new Set(all.map(({ id }) => id)).size).toBe(5);
  });

  describe('retention', () => {
    test('deletes old events in batches and names those that never found a forecast', async () => {
      await accept(store, acceptedForecast());
      const lost = intakeEvent({ expressNo: 'OTHER1' });
      await store.record([intakeEvent(), lost, intakeEvent()]);
      clock.advance(1000);
      const kept = intakeEvent({ expressNo: 'OTHER2' });
      await store.record([kept]);
      // An event is kept at least until its publication has left.
      expect(await publications()).toHaveLength(2);
      const outcomes = [await store.purge(NOW + 1, 2), await store.purge(NOW + 1, 2)];
      expect(outcomes.map((outcome) => outcome.deleted)).toEqual([2, 1]);
      expect(outcomes.flatMap((outcome) => outcome.unclaimed)).toEqual([{ warehouseCode: 'WH1', eventId: lost.eventId }]);
      expect(await waiting()).toEqual([kept.eventId]);
    });
  });
});
