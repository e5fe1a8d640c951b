import { expect, test } from '@jest/globals';
import { createReferenceStore } from '../testing/reference-store.ts';
import { acceptedForecast, dispatchOf, NOW, node, shipmentOf } from '../testing/samples.ts';
import { digestNodes } from './domain/history.ts';
import type { ParcelQuery } from './ports.ts';
import { createRecordFacts } from './record-facts.ts';

/** Records into plain maps; counts notifications and notes what is read. */
function setUp() {
  const store = createReferenceStore();
  const read: (readonly ParcelQuery[])[] = [];
  let notified = 0;
  const record = createRecordFacts({
    parcels: {
      change(queries, decide) {
        read.push(queries);
        return store.change(queries, decide);
      },
    },
    environment: 'sandbox',
    notify: () => {
      notified += 1;
    },
  });
  return { record, read, store, notified: () => notified };
}

const response = { type: 'response', shipment: shipmentOf(), nodes: digestNodes([node(1)]), now: NOW } as const;

test('a batch is one change of its parcels, each read once, with its history when a carrier has responded', async () => {
  const { record, read } = setUp();
  const { tenantId } = shipmentOf();
  const outcomes = await record([
    { type: 'accepted', ...acceptedForecast() },
    { type: 'accepted', ...acceptedForecast({ forecastNo: 'FC2' }) },
    { type: 'dispatched', ...dispatchOf() },
    response,
    { type: 'rescheduled', shipment: shipmentOf(), nextPollAt: NOW + 1, failures: 0, now: NOW },
  ]);
  expect(read).toEqual([
    [
      { tenantId, forecastNo: 'FC1', furtherNumber: null, withHistory: true },
      { tenantId, forecastNo: 'FC2', furtherNumber: null, withHistory: false },
      // A dispatch may be one of a further parcel.
      { tenantId, forecastNo: 'FC1', furtherNumber: 'SIM1', withHistory: false },
    ],
  ]);
  expect(outcomes).toHaveLength(5);
});

test('the relay is notified of messages, and of nothing else', async () => {
  const { record, notified, store } = setUp();
  await record([{ type: 'dispatched', ...dispatchOf() }]);
  expect(notified()).toBe(0);
  await record([response]);
  expect([notified(), store.events.length]).toEqual([1, 1]);
  await record([response]);
  expect(notified()).toBe(1);
});
