import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { unclaimedReasons } from '../expected/domain/match.ts';
import { claimOf, dismissalOf, dispatch } from '../testing/intake-steps.ts';
import { type OpenStores, openStores } from '../testing/open-stores.ts';
import { accept, acceptedForecast, intakeEvent, NOW } from '../testing/samples.ts';
import type { Rejection } from './domain/event-outcome.ts';
import type { WaitingQuery } from './event-reads.ts';
import { createRejections } from './rejections.ts';

describe('the outcome of events', () => {
  let clock: ManualClock;
  let driver: OpenStores;
  beforeEach(async () => {
    clock = new ManualClock(NOW);
    driver = openStores(clock);
  });
  afterEach(() => driver.close());

  test('what waits at a warehouse comes in pages, oldest first, by any reasons', async () => {
    const { intake: store, outcomes } = driver;
    await accept(store, acceptedForecast({ forecastNo: 'FC8', warehouseCode: 'WH2', trackingNumbers: [] }));
    const events = [];
    for (let index = 0; index < 5; index += 1) {
      const event = index === 2 ? intakeEvent({ forecastNo: 'FC8' }) : intakeEvent({ expressNo: `LOST${index}` });
      await store.record([event, intakeEvent({ expressNo: `LOST${index}`, warehouseCode: 'WH2' })]);
      if (index !== 3) clock.advance(1000);
      events.push(event);
    }
    const pages: string[][] = [];
    for (let after: WaitingQuery['after']; ; ) {
      const page = await outcomes.waitingAt({ warehouseCode: 'WH1', reasons: unclaimedReasons, after, limit: 2 });
      pages.push(page.events.map(({ event }) => event.eventId));
      if (page.next === null) break;
      after = page.next;
    }
    const ids = events.map(({ eventId }) => eventId);
    expect(pages).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
    const mismatched = await outcomes.waitingAt({ warehouseCode: 'WH1', reasons: ['warehouse_mismatch'], after: undefined, limit: 10 });
    expect(mismatched).toEqual({
      events: [{ event: events[2], type: 'arrival', reason: 'warehouse_mismatch', receivedAt: NOW + 2000, candidates: [] }],
      next: null,
    });
    const full = await outcomes.waitingAt({ warehouseCode: 'WH1', reasons: unclaimedReasons, after: undefined, limit: 5 });
    expect([full.events.length, full.next]).toEqual([5, null]);
  });

  test('an ambiguous one names the forecasts of the warehouse that it may be for', async () => {
    const { intake: store, outcomes } = driver;
    await accept(store, acceptedForecast());
    await accept(store, acceptedForecast({ forecastNo: 'FC2', tenantId: 'tnt_b' }));
    await accept(store, acceptedForecast({ forecastNo: 'FC3', warehouseCode: 'WH2' }));
    const event = intakeEvent();
    await store.record([event]);
    const { events } = await outcomes.waitingAt({ warehouseCode: 'WH1', reasons: ['ambiguous'], after: undefined, limit: 10 });
    expect(events.map(({ candidates }) => [...candidates].sort())).toEqual([['FC1', 'FC2']]);
    const outcome = await outcomes.outcomeOf(event);
    expect(outcome).toMatchObject({ event, receivedAt: NOW, waiting: 'ambiguous', forecastNo: null, isDismissed: false });
    expect([...(outcome?.candidates ?? [])].sort()).toEqual(['FC1', 'FC2']);
  });

  test('an event is applied, waits, was claimed or was dismissed', async () => {
    const { intake: store, outcomes } = driver;
    await accept(store, acceptedForecast());
    const [applied, later, claimed, dismissed] = [
      intakeEvent(),
      intakeEvent({ expressNo: 'LATER1' }),
      intakeEvent({ expressNo: 'LOST1' }),
      intakeEvent({ expressNo: 'LOST2', detail: dispatch }),
    ];
    await store.record([applied, later, claimed, dismissed]);
    expect(await outcomes.outcomeOf(later)).toMatchObject({ waiting: 'no_forecast', candidates: [], resolution: undefined });
    await accept(store, acceptedForecast({ forecastNo: 'FC2', trackingNumbers: ['LATER1'] }));
    const claim = await store.resolve(claimOf(claimed, 'FC1'));
    const dismissal = await store.resolve(dismissalOf(dismissed));
    const state = async (event: typeof applied) => {
      const { waiting, forecastNo, isDismissed, resolution } = (await outcomes.outcomeOf(event)) ?? {};
      return [waiting, forecastNo, isDismissed, resolution];
    };
    expect(await state(applied)).toEqual([null, 'FC1', false, undefined]);
    expect(await state(later)).toEqual([null, 'FC2', false, undefined]);
    expect(await state(claimed)).toEqual([null, 'FC1', false, claim.resolution]);
    expect(await state(dismissed)).toEqual([null, null, true, dismissal.resolution]);
    expect(await outcomes.outcomeOf({ ...applied, warehouseCode: 'WH2' })).toBeUndefined();
  });

  test('rejected reports are known by their id, the newest of a warehouse', async () => {
    const rejections = createRejections(driver.store, 3);
    const rejected = (eventId: string, warehouseCode = 'WH1', code = '42201'): Rejection => ({
      warehouseCode,
      eventId,
      type: 'arrival',
      occurredAt: null,
      code,
      errors: [{ field: 'weight_kg', rule: 'minimum', message: 'weight_kg must be greater than 0' }],
    });
    const known = async (...ids: readonly string[]): Promise<boolean[]> =>
      Promise.all(ids.map(async (eventId) => (await rejections.rejectionOf({ warehouseCode: 'WH1', eventId })) !== undefined));
    await rejections.remember([rejected('a'), rejected('b'), rejected('a', 'WH2')], NOW);
    expect(await rejections.rejectionOf({ warehouseCode: 'WH1', eventId: 'b' })).toEqual({ ...rejected('b'), at: NOW });
    await rejections.remember([rejected('a', 'WH1', '40403'), rejected('c')], NOW + 1000);
    expect(await rejections.rejectionOf({ warehouseCode: 'WH1', eventId: 'a' })).toMatchObject({ code: '40403', at: NOW + 1000 });
    expect(await rejections.rejectionOf({ warehouseCode: 'WH2', eventId: 'a' })).toMatchObject({ code: '42201' });
    await rejections.remember([rejected('d'), rejected('e')], NOW + 2000);
    expect(await known('a', 'b', 'c', 'd', 'e')).toEqual([false, false, true, true, true]);
  });
});
