import { describe, expect, test } from '@jest/globals';
import { decodeEvent } from '@parcelway/contracts/encode-event';
import { ManualClock } from '@parcelway/kernel/clock';
import fc from 'fast-check';
import type { IntakeEvent } from '../../expected/domain/event.ts';
import { accept, cancel } from '../../testing/follow-one.ts';
import { acceptedForecast, intakeEvent, NOW } from '../../testing/samples.ts';
import type { IntakeStore } from '../ports.ts';

/** A store under test, and the publications that it has written. */
export interface IntakeStoreDriver {
  readonly store: IntakeStore;
  /** Encoded domain events written since the driver was opened, in the order of their writes. Takes them out of the outbox. */
  published(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** What holds for every history. @param open a driver with an empty store */
export function describeLaws(open: (clock: ManualClock) => Promise<IntakeStoreDriver>): void {
  describe('laws', () => {
    type Step = { readonly forecast: number } | { readonly events: readonly IntakeEvent[] };

    const numbersOf = (index: number): string[] => [`NUMBER${index}A`, `NUMBER${index}B`];
    const forecasts = [0, 1, 2].map((index) =>
      acceptedForecast({ forecastNo: `FC${index}`, tenantId: `tnt_${index % 2}`, trackingNumbers: numbersOf(index) }),
    );
    const eventOf = (index: number, by: number, minute: number): IntakeEvent =>
      intakeEvent({
        eventId: `e${index}-${by}-${minute}`,
        occurredAt: `2026-11-21T09:${String(minute).padStart(2, '0')}:00+08:00`,
        forecastNo: by === 0 ? `FC${index}` : null,
        expressNo: by === 0 ? null : (numbersOf(index)[by - 1] as string),
      });
    const anyEvent = fc.tuple(fc.nat(2), fc.nat(2), fc.nat(20)).map(([index, by, minute]) => eventOf(index, by, minute));
    const anyStep: fc.Arbitrary<Step> = fc.oneof(
      fc.record({ forecast: fc.nat(2) }),
      fc.record({ events: fc.array(anyEvent, { minLength: 1, maxLength: 6 }) }),
    );

    test('calls that came to their end leave nothing to recover', async () => {
      const { store, published, close } = await open(new ManualClock(NOW));
      const dispatch = { type: 'dispatch', carrierCode: 'dhl', trackingNumber: 'JD014600003' } as const;
      await store.record([intakeEvent(), intakeEvent({ forecastNo: 'FC1', detail: dispatch }), intakeEvent({ expressNo: 'OTHER1' })]);
      await accept(store, acceptedForecast());
      await store.record([intakeEvent({ detail: dispatch })]);
      await cancel(store, 'FC1', NOW);
      expect(await store.resume(NOW + 1, 100)).toEqual({ resumed: 0, published: 0 });
      expect(await published()).toHaveLength(3);
      await close();
    });

    test('however acceptances and events are interleaved and repeated, each event is published exactly once', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyStep, { maxLength: 25 }), fc.boolean(), async (steps, atOnce) => {
          const own = await open(new ManualClock(NOW));
          try {
            const run = (step: Step): Promise<unknown> =>
              'forecast' in step ? accept(own.store, forecasts[step.forecast] as (typeof forecasts)[0]) : own.store.record(step.events);
            if (atOnce) await Promise.all(steps.map(run));
            else for (const step of steps) await run(step);
            for (const forecast of forecasts) await accept(own.store, forecast);

            const reported = new Map(steps.flatMap((step) => ('events' in step ? step.events : [])).map((event) => [event.eventId, event]));
            const published = (await own.published()).map(decodeEvent);
            const ids = published.map((event) => (event.data as { readonly event_id: string }).event_id);
            expect([...ids].sort()).toEqual([...reported.keys()].sort());
            for (const event of published) {
              const { event_id } = event.data as { readonly event_id: string };
              expect(event.subject).toBe(`FC${event_id[1]}`);
            }
            expect(await own.store.unclaimed(10)).toEqual([]);
          } finally {
            await own.close();
          }
        }),
        { numRuns: 60 },
      );
    });

    test('with shared numbers, cancellations and dispatches too: each event is published once, waits or is refused, and none goes to a stranger', async () => {
      const shared = [0, 1, 2, 3].map((index) =>
        acceptedForecast({
          forecastNo: `FC${index}`,
          tenantId: `tnt_${index % 2}`,
          warehouseCode: index === 3 ? 'WH2' : 'WH1',
          forecastType: 1 + (index % 2),
          trackingNumbers: ['SHARED1', `OWN${index}`],
        }),
      );
      const arrival = { type: 'arrival' } as const;
      const dispatch = { type: 'dispatch', carrierCode: 'dhl', trackingNumber: 'JD014600003' } as const;
      const report = fc
        .record({
          forecastNo: fc.constantFrom(null, null, 'FC0', 'FC1', 'FC2', 'FC3'),
          expressNo: fc.constantFrom('SHARED1', 'OWN0', 'OWN1', 'OWN2', 'OWN3'),
          warehouseCode: fc.constantFrom('WH1', 'WH1', 'WH2'),
          detail: fc.constantFrom(arrival, arrival, arrival, dispatch, { type: 'put_away' } as const),
        })
        .map((given) => intakeEvent(given));
      const action = fc.oneof(
        fc.record({ accept: fc.nat(3) }),
        fc.record({ cancel: fc.nat(3) }),
        fc.record({ events: fc.array(report, { minLength: 1, maxLength: 4 }) }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(action, { maxLength: 30 }), async (actions) => {
          const own = await open(new ManualClock(NOW));
          try {
            const events = new Map<string, IntakeEvent>();
            for (const step of actions) {
              if ('accept' in step) await accept(own.store, shared[step.accept] as (typeof shared)[0]);
              else if ('cancel' in step) await cancel(own.store, `FC${step.cancel}`, NOW);
              else {
                for (const event of step.events) events.set(event.eventId, event);
                const { refused } = await own.store.record(step.events);
                for (const { eventId } of refused) {
                  expect(events.get(eventId)?.detail.type).toBe('dispatch');
                  events.delete(eventId);
                }
              }
            }
            const published = (await own.published()).map(decodeEvent);
            const waiting = await own.store.unclaimed(1000);
            const ids = published.map((event) => (event.data as { readonly event_id: string }).event_id);
            expect([...ids, ...waiting.map((parcel) => parcel.event.eventId)].sort()).toEqual([...events.keys()].sort());
            published.forEach((publication, index) => {
              const event = events.get(ids[index] as string) as IntakeEvent;
              const forecast = shared.find((candidate) => candidate.forecastNo === publication.subject) as (typeof shared)[0];
              expect(publication.tenantid).toBe(forecast.tenantId);
              expect(event.warehouseCode).toBe(forecast.warehouseCode);
              if (event.forecastNo === null) expect(forecast.trackingNumbers).toContain(event.expressNo);
              else expect(event.forecastNo).toBe(forecast.forecastNo);
              expect(forecast.forecastType === 1 && event.detail.type === 'dispatch').toBe(false);
            });
          } finally {
            await own.close();
          }
        }),
        { numRuns: 100 },
      );
    });
  });
}
