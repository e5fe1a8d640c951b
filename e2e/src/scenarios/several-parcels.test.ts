import { expect, test } from '@jest/globals';
import { recentRow } from '@parcelway/harness/sources/recent-row';
import { connectionTo } from '@parcelway/harness/sources/source-connection';
import { changesOf, dispatchedWith, newTrackingNumber, pushTo, useSourceServer } from '../source-parcels.ts';
import { useSubscribed } from '../subscription.ts';
import { useStage } from '../use-stage.ts';

/* Several parcels of one forecast, each of which has a tracking number of its own. */

const source = useSourceServer('easypost');
const out = useSourceServer('easypost');
const stage = useStage(() => ({
  TRACKING_SOURCES: JSON.stringify([connectionTo(source, 'con-source', ['asked']), connectionTo(out, 'con-out', ['out'])]),
}));
const { merchant, receiver } = useSubscribed(stage);

const shipmentsOf = async (poNumber: string) => (await merchant.tracking(poNumber)).shipments;

/** Dispatches a further parcel of a forecast, and waits until it is tracked. */
async function addParcel(poNumber: string, carrier: string, number: string): Promise<void> {
  await merchant.simulate({ po_number: poNumber, step: 'dispatch', carrier_code: carrier, tracking_number: number });
  await merchant.untilTracking(poNumber, ({ shipments }) => shipments.some(({ tracking_number }) => tracking_number === number), number);
}

test('each parcel has its own nodes and webhooks, and the forecast is completed with the last of them', async () => {
  const [first, second] = [newTrackingNumber('EZ'), newTrackingNumber('EZ')];
  source.addRows(first, recentRow('in transit', 180));
  source.addRows(second, recentRow('in transit', 120));
  const poNumber = await dispatchedWith(merchant, 'asked', first);
  await addParcel(poNumber, 'asked', second);
  await merchant.untilTracking(poNumber, ({ nodes }) => nodes.length === 2, 'what the source knows of both');

  source.addRows(first, recentRow('delivered', 20));
  expect((await pushTo(stage, 'easypost/con-source', source.signPush(first))).status).toBe(200);
  const tracking = await merchant.tracking(poNumber);
  expect(tracking).toMatchObject({ is_shipped: true, is_terminal: false, latest_status: 'Delivery Success' });
  expect(tracking.nodes.map(({ admin_status }) => admin_status)).toEqual(['Delivery Success', 'In Transit', 'In Transit']);
  expect(tracking.shipments).toMatchObject([
    { carrier_code: 'asked', tracking_number: first, is_terminal: true, latest_status: 'Delivery Success' },
    { carrier_code: 'asked', tracking_number: second, is_terminal: false, latest_status: 'In Transit' },
  ]);
  expect(tracking.shipments.map(({ nodes }) => nodes.length)).toEqual([2, 1]);
  await receiver.waitFor(({ body }) => body.data.tracking_number === first && body.data.is_terminal === true);
  expect((await merchant.forecast(poNumber)).status).toBe(5);

  source.addRows(second, recentRow('delivered', 10));
  expect((await pushTo(stage, 'easypost/con-source', source.signPush(second))).status).toBe(200);
  expect(await merchant.tracking(poNumber)).toMatchObject({ is_terminal: true });
  await receiver.waitFor(({ body }) => body.data.tracking_number === second && body.data.is_terminal === true);
  await merchant.untilStatus(poNumber, 6);
  expect(changesOf(receiver, poNumber)).toHaveLength(4);
});

test('a dispatch that comes again, or late, is no further parcel, and a number with another carrier is the same one', async () => {
  const [first, second] = [newTrackingNumber('EZ'), newTrackingNumber('EZ')];
  const poNumber = await dispatchedWith(merchant, 'asked', first);
  await addParcel(poNumber, 'asked', second);
  await merchant.simulate({ po_number: poNumber, step: 'dispatch', carrier_code: 'asked', tracking_number: first });
  await merchant.simulate({ po_number: poNumber, step: 'dispatch', carrier_code: 'out', tracking_number: second });
  const { shipments } = await merchant.untilTracking(
    poNumber,
    (found) => found.shipments.some(({ carrier_code }) => carrier_code === 'out'),
    'out',
  );
  expect(shipments.map(({ carrier_code, tracking_number }) => [carrier_code, tracking_number])).toEqual([
    ['asked', first],
    ['out', second],
  ]);
});

test('a source that is out hides the parcels of no other source', async () => {
  const [first, second] = [newTrackingNumber('EZ'), newTrackingNumber('EZ')];
  source.addRows(first, recentRow('in transit', 90));
  out.setMood({ kind: 'status', status: 503 });
  const poNumber = await dispatchedWith(merchant, 'asked', first);
  await addParcel(poNumber, 'out', second);
  const { shipments } = await merchant.untilTracking(poNumber, ({ nodes }) => nodes.length === 1, 'the node of the first');
  expect(shipments).toMatchObject([
    { tracking_number: first, latest_status: 'In Transit' },
    { tracking_number: second, latest_status: '' },
  ]);
  expect(shipments[1]).toHaveProperty('as_of');

  out.addRows(second, recentRow('in transit', 60));
  out.setMood({ kind: 'well' });
  expect((await pushTo(stage, 'easypost/con-out', out.signPush(second))).status).toBe(200);
  expect((await shipmentsOf(poNumber)).map(({ latest_status }) => latest_status)).toEqual(['In Transit', 'In Transit']);
});

test('the sandbox simulates nodes of the parcel that is named', async () => {
  const [first, second] = [newTrackingNumber('SIM'), newTrackingNumber('SIM')];
  const poNumber = await dispatchedWith(merchant, 'simulated', first);
  await addParcel(poNumber, 'simulated', second);
  await merchant.simulate({ po_number: poNumber, step: 'track', admin_status: 'Picked Up', tracking_number: first });
  await merchant.simulate({ po_number: poNumber, step: 'track', admin_status: 'In Transit' });
  await merchant.untilTracking(poNumber, ({ nodes }) => nodes.length === 2, 'both nodes');
  expect((await shipmentsOf(poNumber)).map(({ tracking_number, latest_status }) => [tracking_number, latest_status])).toEqual([
    [first, 'Picked Up'],
    [second, 'In Transit'],
  ]);
});
