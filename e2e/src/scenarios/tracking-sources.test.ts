import { describe, expect, test } from '@jest/globals';
import { callRoute } from '@parcelway/harness/route-call';
import { recentRow } from '@parcelway/harness/sources/recent-row';
import { connectionTo } from '@parcelway/harness/sources/source-connection';
import type { SourceServer } from '@parcelway/harness/sources/source-server';
import { until } from '@parcelway/kernel/testing/until';
import { dispatchedWith, newTrackingNumber, pushTo, useSourceServer } from '../source-parcels.ts';
import { useCarrierInterface } from '../use-carrier-interface.ts';
import { useMerchant, useStage } from '../use-stage.ts';

/* When a tracking source is asked, and what merchants see while it is out or may not be asked. */

const asked = useSourceServer('easypost');
const throttled = useSourceServer('easypost');
const down = useSourceServer('easypost');
/** An interface of the operator's own. */
const generic = useCarrierInterface();

const stage = useStage(() => ({
  TRACKING_SOURCES: JSON.stringify([
    connectionTo(asked, 'con-asked', ['asked']),
    connectionTo(throttled, 'con-throttled', ['throttled']),
    connectionTo(down, 'con-down', ['down']),
    { id: 'con-generic', source: 'generic', carriers: ['generic'], credentials: { url: generic.url } },
  ]),
}));
const merchant = useMerchant(stage);

const inTransit = recentRow('in transit', 180);
const callsFor = ({ calls }: SourceServer, number: string) => calls.filter(({ numbers }) => numbers.includes(number));

/** Hands a parcel to a carrier of which the source knows that it is in transit, and waits until the merchant sees it. */
async function tracked(carrier: string, source: SourceServer) {
  const number = newTrackingNumber('EZ');
  source.addRows(number, inTransit);
  const poNumber = await dispatchedWith(merchant, carrier, number);
  const tracking = await merchant.untilTracking(poNumber, ({ nodes }) => nodes.length === 1, 'what the source knows');
  return { number, poNumber, tracking };
}

describe('a source that is asked', () => {
  test('is not asked again within a minute: the response says how old it is', async () => {
    const { number, poNumber } = await tracked('asked', asked);
    const tracking = await merchant.tracking(poNumber);
    expect(tracking).toMatchObject({ is_shipped: true, is_terminal: false, latest_status: 'In Transit', as_of: expect.any(String) });
    const calls = callsFor(asked, number).length;
    for (let count = 0; count < 5; count += 1) expect(await merchant.tracking(poNumber)).toEqual(tracking);
    expect(Date.now() - Date.parse(String(tracking.as_of))).toBeLessThan(60_000);
    expect(callsFor(asked, number)).toHaveLength(calls);
  });

  test('through the interface of carriers is asked at each query, and the response is as of now', async () => {
    const number = newTrackingNumber('GEN');
    const poNumber = await dispatchedWith(merchant, 'generic', number);
    // Until the parcel is under watch, its forecast alone is known.
    await merchant.untilTracking(poNumber, ({ nodes }) => nodes.length === 1, 'what the carrier knows');
    const before = generic.asked(number);
    for (let count = 1; count <= 3; count += 1) {
      expect(await merchant.tracking(poNumber)).not.toHaveProperty('as_of');
      expect(generic.asked(number)).toBeGreaterThanOrEqual(before + count);
    }
    expect(await merchant.tracking(poNumber)).toMatchObject({ latest_status: 'In Transit', nodes: [{ order_no: number }] });
  });
});

describe('a source that may not be asked now', () => {
  test('is left alone for as long as it says: queries get what is stored, with its age', async () => {
    const number = newTrackingNumber('EZ');
    throttled.addRows(number, inTransit);
    throttled.setMood({ kind: 'status', status: 429, retryAfter: 5 });
    const poNumber = await dispatchedWith(merchant, 'throttled', number);
    await until(() => throttled.calls.length > 0, { what: 'the source to be asked' });
    const refusedAt = throttled.calls[0]?.at as number;
    throttled.setMood({ kind: 'well' });
    const tracking = await merchant.tracking(poNumber);
    expect(tracking).toMatchObject({ is_shipped: true, nodes: [], as_of: expect.any(String) });

    // A push needs no call.
    throttled.addRows(number, recentRow('customs', 60));
    expect((await pushTo(stage, 'easypost/con-throttled', throttled.signPush(number))).status).toBe(200);
    expect(await merchant.tracking(poNumber)).toMatchObject({ nodes: [{}, {}], as_of: expect.any(String) });

    const next = newTrackingNumber('EZ');
    throttled.addRows(next, inTransit);
    const nextPo = await dispatchedWith(merchant, 'throttled', next);
    await merchant.untilTracking(nextPo, ({ nodes }) => nodes.length === 1, 'the node once the source may be asked', 20_000);
    const later = throttled.calls.filter(({ at }) => at > refusedAt);
    expect(later.filter(({ at }) => at < refusedAt + 5000)).toEqual([]);
    expect(later.length).toBeGreaterThan(0);
  });
});

describe('a source that is down', () => {
  test('makes a query 50001 with Retry-After, and affects no parcel of another', async () => {
    down.setMood({ kind: 'drops' });
    const poNumber = await dispatchedWith(merchant, 'down', newTrackingNumber('EZ'));
    const response = await until(
      async () => {
        const found = await callRoute(merchant.client, 'queryTracking', { query: { po_number: poNumber } });
        return found.code === '0' ? undefined : found;
      },
      { what: 'the query to be refused' },
    );
    expect(response).toMatchObject({ status: 503, code: '50001', data: null });
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    const { tracking } = await tracked('asked', asked);
    expect(tracking.latest_status).toBe('In Transit');
  });
});
