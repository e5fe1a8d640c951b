import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ApiResponse } from '@parcelway/harness/api-client';
import { recentRow } from '@parcelway/harness/sources/recent-row';
import { connectionTo } from '@parcelway/harness/sources/source-connection';
import type { SignedPush } from '@parcelway/harness/sources/source-server';
import { changesOf, dispatchedWith, newTrackingNumber, pushTo, useSourceServer } from '../source-parcels.ts';
import { useSubscribed } from '../subscription.ts';
import { useMerchant, useStage } from '../use-stage.ts';

/* What a tracking source pushes to the gateway, and what somebody else pushes who pretends to be one. */

const MEGABYTE = 1024 * 1024;
const OURS = 'easypost/con-ours';

const source = useSourceServer('easypost');
const another = useSourceServer('easypost');
const stage = useStage(() => ({
  TRACKING_SOURCES: JSON.stringify([connectionTo(source, 'con-ours', ['usps']), connectionTo(another, 'con-another', ['fedex'])]),
}));
const { merchant, receiver } = useSubscribed(stage);
const other = useMerchant(stage);

/** A parcel that the source has been asked for. It is in transit. */
async function tracked() {
  const number = newTrackingNumber('EZ');
  source.addRows(number, recentRow('in transit', 180));
  const poNumber = await dispatchedWith(merchant, 'usps', number);
  await merchant.untilTracking(poNumber, ({ nodes }) => nodes.length === 1, 'what the source knows');
  return { number, poNumber };
}

const delivered = [recentRow('in transit', 180), recentRow('delivered', 1)];

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

    for (const push of [late, early, late]) expect((await pushTo(stage, OURS, push)).status).toBe(200);
    expect((await merchant.tracking(poNumber)).nodes).toEqual(tracking.nodes);
    await receiver.waitFor(({ body }) => body.data.po_number === poNumber && body.data.admin_status === 'Delivery Success');
    expect(changesOf(receiver, poNumber)).toEqual(['In Transit', 'Delivery Success']);
  });

  test('about parcels that nobody has here is taken, and says nothing of who has which', async () => {
    const { number } = await tracked();
    const [known, unknown] = [
      await pushTo(stage, OURS, source.signPush(number)),
      await pushTo(stage, OURS, source.signPush('EZ-OF-NOBODY')),
    ];
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
  });

  test('reaches the parcel of each tenant that has the number, and shows neither the other', async () => {
    const { number, poNumber } = await tracked();
    const theirs = await dispatchedWith(other, 'usps', number);
    await other.untilTracking(theirs, ({ nodes }) => nodes.length === 1, 'what the source knows');
    source.addRows(number, recentRow('out for delivery', 60));
    expect((await pushTo(stage, OURS, source.signPush(number))).status).toBe(200);
    expect(await merchant.tracking(poNumber)).toMatchObject({ po_number: poNumber, latest_status: 'In Delivery' });
    expect(await other.tracking(theirs)).toMatchObject({ po_number: theirs, latest_status: 'In Delivery' });
    await receiver.waitFor(({ body }) => body.data.po_number === poNumber && body.data.admin_status === 'In Delivery');
    expect(changesOf(receiver, theirs)).toEqual([]);
  });

  test('of one connection changes no parcel of another', async () => {
    const { number, poNumber } = await tracked();
    another.addRows(number, ...delivered);
    expect((await pushTo(stage, 'easypost/con-another', another.signPush(number))).status).toBe(200);
    expect(await merchant.tracking(poNumber)).toMatchObject({ latest_status: 'In Transit', is_terminal: false });
  });
});

describe('a push that is not what it pretends to be', () => {
  let parcel: { readonly number: string; readonly poNumber: string };
  beforeAll(async () => {
    parcel = await tracked();
  });

  const garbage = (bytes: number): string => randomBytes(bytes / 2).toString('hex');
  const signed = (signs: string): SignedPush => ({ ...source.signPush(parcel.number, { signs }), body: signs });
  const good = (): SignedPush => source.signPush(parcel.number, { rows: delivered });
  const without = (name: string): SignedPush => ({ ...good(), headers: { [name]: '' } });

  const cases: ReadonlyArray<readonly [name: string, status: number, code: string, push: () => Promise<ApiResponse>]> = [
    ['without a signature', 401, '40003', () => pushTo(stage, OURS, source.signPush(parcel.number, { rows: delivered, isUnsigned: true }))],
    ['with an empty signature', 401, '40003', () => pushTo(stage, OURS, without('x-hmac-signature'))],
    [
      'with the signature of a guessed secret',
      401,
      '40003',
      () => pushTo(stage, OURS, source.signPush(parcel.number, { rows: delivered, secret: 'guessed' })),
    ],
    [
      'with the signature of another body',
      401,
      '40003',
      () => pushTo(stage, OURS, source.signPush(parcel.number, { rows: delivered, signs: '{}' })),
    ],
    [
      'with the secret of another connection',
      401,
      '40003',
      () => pushTo(stage, OURS, another.signPush(parcel.number, { rows: delivered })),
    ],
    ['replayed at another connection', 401, '40003', () => pushTo(stage, 'easypost/con-another', good())],
    ['with 1 MB of garbage', 401, '40003', () => pushTo(stage, OURS, { ...good(), body: garbage(MEGABYTE) })],
    ['with 1 MB of garbage that is signed', 400, '40001', () => pushTo(stage, OURS, signed(garbage(MEGABYTE)))],
    ['with a signed body of another kind', 400, '40001', () => pushTo(stage, OURS, signed('{"nodes":[]}'))],
    ['with 1 MB of open brackets that are signed', 400, '40001', () => pushTo(stage, OURS, signed('['.repeat(MEGABYTE)))],
    [
      'with 500,000 levels that are signed',
      400,
      '40001',
      () => pushTo(stage, OURS, signed('['.repeat(MEGABYTE / 2) + ']'.repeat(MEGABYTE / 2))),
    ],
    ['with more than 1 MB', 413, '41301', () => pushTo(stage, OURS, signed(garbage(MEGABYTE + 2)))],
    ['with a body of nothing', 401, '40003', () => pushTo(stage, OURS, { headers: good().headers, body: '' })],
    ['to a connection that does not exist', 404, '40402', () => pushTo(stage, 'easypost/con-of-nobody', good())],
    ['to another source of the connection', 404, '40402', () => pushTo(stage, '17track/con-ours', good())],
    ['to no connection', 404, '40402', () => pushTo(stage, 'easypost', good())],
  ];

  test.each(cases)('%s gets %i %s, has no effect, and holds up nobody', async (_name, status, code, push) => {
    let isOver = false;
    const pushed = push().finally(() => {
      isOver = true;
    });
    do expect((await other.client.call('/open/v1/warehouses')).code).toBe('0');
    while (!isOver);
    const response = await pushed;
    expect([response.status, response.code]).toEqual([status, code]);
    for (const secret of Object.values({ ...source.credentials, ...another.credentials })) expect(response.text).not.toContain(secret);
    expect(await merchant.tracking(parcel.poNumber)).toMatchObject({ latest_status: 'In Transit', is_terminal: false });
  });

  test.each(['GET', 'PUT', 'DELETE'] as const)('%s gets 40501', async (method) => {
    const response = await merchant.client.call(`/carriers/v1/${OURS}`, { method });
    expect(response).toMatchObject({ status: 405, code: '40501', headers: { allow: 'POST' } });
  });

  test('has caused no event: the next one of the parcel is that of a real push', async () => {
    const { number, poNumber } = parcel;
    source.addRows(number, recentRow('out for delivery', 10));
    expect((await pushTo(stage, OURS, source.signPush(number))).status).toBe(200);
    await receiver.waitFor(({ body }) => body.data.po_number === poNumber && body.data.admin_status === 'In Delivery');
    expect(changesOf(receiver, poNumber)).toEqual(['In Transit', 'In Delivery']);
  });
});
