import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ApiResponse } from '@parcelway/harness/api-client';
import { connectionTo, recentRow, type SignedPush } from '@parcelway/harness/sources/source-server';
import { changesOf, dispatchedWith, newTrackingNumber, pushTo, useSourceServer } from '../source-parcels.ts';
import { useSubscribed } from '../subscription.ts';
import { useMerchant, useStage } from '../use-stage.ts';

/* What a tracking source pushes to the gateway, what somebody else pushes who pretends to be one, and forecasts of several parcels. */

const OURS = 'easypost/con-ours';
const MEGABYTE = 1024 * 1024;

const source = useSourceServer('easypost');
const another = useSourceServer('easypost');
const stage = useStage(() => ({
  TRACKING_SOURCES: JSON.stringify([connectionTo(source, 'con-ours', ['usps']), connectionTo(another, 'con-another', ['fedex'])]),
}));
const { merchant, receiver } = useSubscribed(stage);
const other = useMerchant(stage);

const inTransit = recentRow('in transit', 180);
const delivered = [inTransit, recentRow('delivered', 1)];

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

describe('a push that is not what it pretends to be', () => {
  let parcel: { readonly number: string; readonly poNumber: string };
  beforeAll(async () => {
    parcel = await tracked();
  });

  const signed = (signs: string): SignedPush => ({ ...source.signPush(parcel.number, { signs }), body: signs });
  const good = (): SignedPush => source.signPush(parcel.number, { rows: delivered });
  const cases: ReadonlyArray<readonly [name: string, code: string, push: () => Promise<ApiResponse>]> = [
    ['without a signature', '40003', () => pushTo(stage, OURS, source.signPush(parcel.number, { rows: delivered, isUnsigned: true }))],
    ['with the signature of another body', '40003', () => pushTo(stage, OURS, { ...good(), body: '{}' })],
    ['with the secret of another connection', '40003', () => pushTo(stage, OURS, another.signPush(parcel.number, { rows: delivered }))],
    ['replayed at another connection', '40003', () => pushTo(stage, 'easypost/con-another', good())],
    ['with 1 MB of open brackets that are signed', '40001', () => pushTo(stage, OURS, signed('['.repeat(MEGABYTE)))],
    ['with more than 1 MB', '41301', () => pushTo(stage, OURS, signed('x'.repeat(MEGABYTE + 2)))],
    ['to a connection that does not exist', '40402', () => pushTo(stage, 'easypost/con-of-nobody', good())],
  ];

  test.each(cases)('%s gets %s, has no effect, and holds up nobody', async (_name, code, push) => {
    let isOver = false;
    const response = push().finally(() => {
      isOver = true;
    });
    do expect((await other.client.call('/open/v1/warehouses')).code).toBe('0');
    while (!isOver);
    expect((await response).code).toBe(code);
    for (const secret of Object.values({ ...source.credentials, ...another.credentials }))
      expect((await response).text).not.toContain(secret);
    expect(await merchant.tracking(parcel.poNumber)).toMatchObject({ latest_status: 'In Transit', is_terminal: false });
  });

  test('has caused no event: the next one of the parcel is that of a real push', async () => {
    const { number, poNumber } = parcel;
    source.addRows(number, recentRow('out for delivery', 10));
    expect(await pushed(source.signPush(number))).toBe(200);
    await receiver.waitFor(({ body }) => body.data.po_number === poNumber && body.data.admin_status === 'In Delivery');
    expect(changesOf(receiver, poNumber)).toEqual(['In Transit', 'In Delivery']);
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
