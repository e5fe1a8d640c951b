import { describe, expect, test } from '@jest/globals';
import { connectionTo, recentRow, type SignedPush } from '@parcelway/harness/sources/source-server';
import { changesOf } from '../ledger/check-tracked.ts';
import { dispatchedWith, newTrackingNumber, pushTo, useSourceServer } from '../source-parcels.ts';
import { useSubscribed } from '../subscription.ts';
import { useMerchant, useStage } from '../use-stage.ts';

/* What a tracking source pushes to the gateway, and forecasts of several parcels. What attackers push: services/tracking/src/service-push-attacks.test.ts. */

const OURS = 'easypost/con-ours';

const source = useSourceServer('easypost');
const stage = useStage(() => ({
  TRACKING_SOURCES: JSON.stringify([connectionTo(source, 'con-ours', ['usps'])]),
}));
const { merchant, receiver } = useSubscribed(stage);
const other = useMerchant(stage);

const inTransit = recentRow('in transit', 180);

/** A parcel that the source has been asked for. It is in transit. */
async function tracked() {
  const number = newTrackingNumber('EZ');
  source.addRows(number, inTransit);
  const poNumber = await dispatchedWith(merchant, 'usps', number);
  await merchant.untilTracking(poNumber, ({ nodes }) => nodes.length === 1, 'what the source knows');
  return { number, poNumber };
}

const pushed = async (push: SignedPush): Promise<number> => (await pushTo(stage, OURS, push)).status;

describe('a push through the gateway', () => {
  test('has had its effect when it gets its response, and has no second one when it comes again', async () => {
    const { number, poNumber } = await tracked();
    source.addRows(number, recentRow('out for delivery', 60));
    const early = source.signPush(number);
    source.addRows(number, recentRow('delivered', 1));
    const late = source.signPush(number);

    expect(await pushTo(stage, OURS, late)).toMatchObject({ status: 200, code: '0' });
    const tracking = await merchant.tracking(poNumber);
    expect(tracking).toMatchObject({ latest_status: 'Delivery Success', is_terminal: true, as_of: expect.any(String) });
    expect(tracking.nodes.map(({ admin_status }) => admin_status)).toEqual(['Delivery Success', 'In Delivery', 'In Transit']);

    for (const push of [late, early, late]) expect(await pushed(push)).toBe(200);
    expect((await merchant.tracking(poNumber)).nodes).toEqual(tracking.nodes);
    await receiver.waitFor(({ body }) => body.data.po_number === poNumber && body.data.admin_status === 'Delivery Success');
    expect(changesOf(receiver, poNumber)).toEqual(['In Transit', 'Delivery Success']);
  });

  test('reaches the parcel of each tenant that has the number, and shows neither the other', async () => {
    const { number, poNumber } = await tracked();
    const theirs = await dispatchedWith(other, 'usps', number);
    await other.untilTracking(theirs, ({ nodes }) => nodes.length === 1, 'what the source knows');
    source.addRows(number, recentRow('out for delivery', 60));
    expect(await pushed(source.signPush(number))).toBe(200);
    expect(await merchant.tracking(poNumber)).toMatchObject({ po_number: poNumber, latest_status: 'In Delivery' });
    expect(await other.tracking(theirs)).toMatchObject({ po_number: theirs, latest_status: 'In Delivery' });
    await receiver.waitFor(({ body }) => body.data.po_number === poNumber && body.data.admin_status === 'In Delivery');
    expect(changesOf(receiver, theirs)).toEqual([]);
  });
});

describe('a forecast of several parcels', () => {
  /** Dispatches a further parcel of a forecast, and waits until it is tracked. */
  async function addParcel(poNumber: string, carrier: string, number: string): Promise<void> {
    await merchant.simulate({ po_number: poNumber, step: 'dispatch', carrier_code: carrier, tracking_number: number });
    await merchant.untilTracking(poNumber, ({ shipments }) => shipments.some(({ tracking_number }) => tracking_number === number), number);
  }

  test('has the nodes and webhooks of each, and is completed with the last of them', async () => {
    const { number: first, poNumber } = await tracked();
    const second = newTrackingNumber('EZ');
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
