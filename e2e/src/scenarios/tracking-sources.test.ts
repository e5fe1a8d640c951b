import { describe, expect, test } from '@jest/globals';
import { connectionTo, recentRow, type SignedPush } from '@parcelway/harness/sources/source-server';
import { startSourceServer } from '@parcelway/harness/sources/source-servers';
import { changesOf } from '../ledger/check-tracked.ts';
import { dispatchedWith, newTrackingNumber, pushTo } from '../source-parcels.ts';
import { useSubscribed } from '../subscription.ts';
import { useOpened, useStage } from '../use-stage.ts';

/* What a tracking source pushes to the gateway about a forecast of several parcels. Repeated, late and forged pushes: services/tracking/src. */

const OURS = '17track/con-ours';

// Before the stage, which calls it.
const source = useOpened(
  'source',
  () => startSourceServer('17track'),
  (server) => server.close(),
);
const stage = useStage(() => ({
  TRACKING_SOURCES: JSON.stringify([connectionTo(source, 'con-ours', ['usps'])]),
}));
const { merchant, receiver } = useSubscribed(stage);

const inTransit = recentRow('in transit', 180);

/** A parcel that the source has been asked for. It is in transit. */
async function tracked() {
  const number = newTrackingNumber('RR');
  source.addRows(number, inTransit);
  const poNumber = await dispatchedWith(merchant, 'usps', number);
  await merchant.untilTracking(poNumber, ({ nodes }) => nodes.length === 1, 'what the source knows');
  return { number, poNumber };
}

const pushed = async (push: SignedPush): Promise<number> => (await pushTo(stage, OURS, push)).status;

describe('a forecast of several parcels', () => {
  /** Dispatches a further parcel of a forecast, and waits until it is tracked. */
  async function addParcel(poNumber: string, carrier: string, number: string): Promise<void> {
    await merchant.simulate({ po_number: poNumber, step: 'dispatch', carrier_code: carrier, tracking_number: number });
    await merchant.untilTracking(poNumber, ({ shipments }) => shipments.some(({ tracking_number }) => tracking_number === number), number);
  }

  test('has the nodes and webhooks of each, and is completed with the last of them', async () => {
    const { number: first, poNumber } = await tracked();
    const second = newTrackingNumber('RR');
    source.addRows(second, recentRow('in transit', 120));
    await addParcel(poNumber, 'usps', second);
    await merchant.untilTracking(poNumber, ({ nodes }) => nodes.length === 2, 'what the source knows of both');

    source.addRows(first, recentRow('delivered', 20));
    expect(await pushed(source.signPush(first))).toBe(200);
    const tracking = await merchant.tracking(poNumber);
    expect(tracking).toMatchObject({ is_shipped: true, is_terminal: false, latest_status: 'Delivery Success' });
    expect(tracking.shipments).toMatchObject([
      { carrier_code: 'usps', tracking_number: first, is_terminal: true, latest_status: 'Delivery Success' },
      { carrier_code: 'usps', tracking_number: second, is_terminal: false, latest_status: 'In Transit' },
    ]);
    await receiver.waitFor(({ body }) => body.data.tracking_number === first && body.data.is_terminal === true);
    expect((await merchant.forecast(poNumber)).status).toBe(5);

    source.addRows(second, recentRow('delivered', 10));
    expect(await pushed(source.signPush(second))).toBe(200);
    await receiver.waitFor(({ body }) => body.data.tracking_number === second && body.data.is_terminal === true);
    await merchant.untilStatus(poNumber, 6);
    expect(changesOf(receiver, poNumber)).toHaveLength(4);
  });
});
