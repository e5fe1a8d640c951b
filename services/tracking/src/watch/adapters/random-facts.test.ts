import { expect, test } from '@jest/globals';
import type { AdminStatus } from '@parcelway/contracts/admin-status';
import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import { decodeEvent } from '@parcelway/contracts/encode-event';
import fc from 'fast-check';
import { createReferenceStore, type ReferenceStore } from '../../testing/reference-store.ts';
import { acceptedForecast, dispatchOf, NOW, node, shipmentOf, TENANT } from '../../testing/samples.ts';
import { openTrackingStore, type TrackingStoreDriver } from '../../testing/tracking-store-driver.ts';
import type { ParcelFact } from '../domain/facts.ts';
import { digestNodes } from '../domain/history.ts';
import { MAX_NODES } from '../domain/node.ts';
import { keyText } from '../domain/parcel-key.ts';
import { createRecordFacts, type RecordFacts } from '../record-facts.ts';

/** The two stores that must do the same. */
interface Pair {
  readonly stores: readonly [ReferenceStore, TrackingStoreDriver['store']];
  readonly record: readonly [RecordFacts, RecordFacts];
}

type Store = Pair['stores'][number];
/** What happens to both stores; what it returns must be the same. */
type Step = (pair: Pair) => Promise<readonly [unknown, unknown]>;

const FORECASTS = ['FC1', 'FC2', 'FC3'] as const;
const forecastNo = fc.constantFrom(...FORECASTS);
/** Two forecasts share a po_number. */
const PO_NUMBERS = ['PO-1', 'PO-3'] as const;
const poNumberOf = (no: string): string => (no === 'FC3' ? 'PO-3' : 'PO-1');
/** Also the milliseconds by which the times of forecasts differ: so those of one po_number have an order. */
const idOf = ({ forecastNo: no }: { readonly forecastNo: string }): number => FORECASTS.indexOf(no as (typeof FORECASTS)[number]) + 1;
const seconds = fc.integer({ min: 0, max: 6 });
const status = fc.constantFrom<AdminStatus>('Picked Up', 'In Transit', 'Delivery Failure', 'Delivery Success');
const time = seconds.map((after) => NOW + after * 1000);

const forecast = forecastNo.map((no) => ({ tenantId: TENANT, forecastNo: no, poNumber: poNumberOf(no) }));
const furtherNumber = fc.constantFrom(null, null, 'SIM1', 'SIM2');
/** A shipment as somebody has seen it at some time: perhaps before a new dispatch, or before news. */
const seenShipment = fc
  .record({
    given: forecast,
    furtherNumber,
    number: fc.constantFrom('SIM1', 'SIM2'),
    watch: fc.integer({ min: 1, max: 3 }),
    wakes: fc.integer({ min: 0, max: 3 }),
  })
  .map(({ given, number, ...rest }) => shipmentOf({ ...given, ...rest, trackingNumber: rest.furtherNumber ?? number }));
const nodes = fc.array(fc.tuple(seconds, status), { maxLength: 5 }).map((given) => digestNodes(given.map(([at, of]) => node(at, of))));

const registration = fc.record({
  connectionId: fc.constantFrom('con_a', 'con_b'),
  reference: fc.option(fc.constantFrom('r1', 'r2')),
  at: time,
  isTaken: fc.boolean(),
});
/** What a source reports beside the nodes; undefined for a carrier that may be asked any time. */
const report = fc.option(fc.record({ registration: fc.option(registration, { nil: undefined }) }), {
  nil: undefined,
});

const fact: fc.Arbitrary<ParcelFact> = fc.oneof(
  fc.record({ given: forecast, acceptedAt: time }).map(
    ({ given, acceptedAt }): ParcelFact => ({
      type: 'accepted',
      ...acceptedForecast({ ...given, forecastId: idOf(given), acceptedAt: acceptedAt + idOf(given) }),
    }),
  ),
  fc.record({ given: forecast, at: time }).map(({ given, at }): ParcelFact => ({ type: 'cancelled', ...given, at: at + idOf(given) })),
  fc
    .record({
      given: forecast,
      carrierCode: fc.constantFrom('sim', 'sim', 'other'),
      trackingNumber: fc.constantFrom('SIM1', 'SIM2', 'SIM3'),
      sequence: fc.constantFrom('a', 'b', 'c', 'd'),
      at: time,
    })
    .map(({ given, at, ...rest }): ParcelFact => ({ type: 'dispatched', ...dispatchOf({ ...given, ...rest, at: at + idOf(given) }) })),
  {
    weight: 4,
    arbitrary: fc.record({ shipment: seenShipment, nodes, now: time, report }).map((given): ParcelFact => ({ type: 'response', ...given })),
  },
  fc
    .record({ shipment: seenShipment, nextPollAt: fc.option(time), failures: fc.integer({ min: 0, max: 3 }), now: time })
    .map((given): ParcelFact => ({ type: 'rescheduled', ...given })),
  fc.record({ shipment: seenShipment, registration }).map((given): ParcelFact => ({ type: 'registered', ...given })),
  fc
    .record({ shipment: seenShipment, now: time, gapMs: fc.constantFrom(0, 5, 1000), isRefused: fc.constantFrom(undefined, true) })
    .map((given): ParcelFact => ({ type: 'asked', ...given })),
  fc.record({ given: forecast, furtherNumber, now: time }).map(({ given, ...rest }): ParcelFact => ({ type: 'news', ...given, ...rest })),
);

const onBoth = async ([one, other]: Pair['stores'], work: (store: Store) => Promise<unknown>) =>
  [await work(one), await work(other)] as const;

/** In an order of their own: shipments that are due at the same time may be leased in any. */
const leaseAll = async (store: Store, now: number): Promise<unknown> =>
  [...(await store.lease(now, now + 2000, 100))].sort((a, b) => (keyText(a) < keyText(b) ? -1 : 1));

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.array(fact, { minLength: 1, maxLength: 6 }).map((facts): Step => {
      return async ({ record: [one, other] }) => [await one(facts), await other(facts)];
    }),
  },
  time.map(
    (now): Step =>
      ({ stores }) =>
        onBoth(stores, (store) => leaseAll(store, now)),
  ),
  fc.record({ shipment: seenShipment, adminStatus: status, now: time }).map(
    ({ shipment, adminStatus, now }): Step =>
      ({ stores }) =>
        onBoth(stores, (store) => store.addSimulatedNode(shipment, { adminStatus }, now)),
  ),
);

/** Everything that can be read of a store. */
async function stateOf(store: Store): Promise<unknown> {
  const state: unknown[] = [];
  for (const poNumber of PO_NUMBERS) state.push(await store.findByPoNumber(TENANT, poNumber));
  for (const no of FORECASTS) {
    const shipments = await store.findShipments(TENANT, no);
    for (const shipment of shipments)
      state.push(
        shipment,
        await store.history(shipment, MAX_NODES),
        await store.history(shipment, 2),
        await store.simulatedNodes(shipment),
      );
  }
  return state;
}

/** The contents of events, by parcel: those of two have no order. */
function storyOf(events: readonly DomainEvent[]): unknown {
  const story = events.map(({ type, subject, time: at, data }) => ({ type, subject, at, data }));
  const idOfStory = ({ subject, data }: (typeof story)[number]): string =>
    JSON.stringify([subject, 'tracking_number' in data && data.tracking_number]);
  return [...new Set(story.map(idOfStory))].sort().map((id) => story.filter((event) => idOfStory(event) === id));
}

test('random histories of facts in batches, leases and simulated nodes come to the same as by the rules in plain maps', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const driver = openTrackingStore();
      try {
        const reference = createReferenceStore();
        const recordIn = (parcels: Store): RecordFacts => createRecordFacts({ parcels, environment: 'sandbox', notify: () => undefined });
        const pair: Pair = { stores: [reference, driver.store], record: [recordIn(reference), recordIn(driver.store)] };
        for (const run of steps) {
          const [expected, actual] = await run(pair);
          expect(actual).toEqual(expected);
        }
        expect(await stateOf(driver.store)).toEqual(await stateOf(reference));
        expect(storyOf((await driver.published()).map(decodeEvent))).toEqual(storyOf(reference.events));
      } finally {
        driver.close();
      }
    }),
    { numRuns: 60 },
  );
});
