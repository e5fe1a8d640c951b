import { describe, expect, test } from '@jest/globals';
import { adminStatuses, isTerminalAdminStatus, openAdminStatuses, terminalAdminStatuses } from '@parcelway/contracts/admin-status';
import { type Merchant, newPoNumber } from '@parcelway/harness/merchant';
import { callRoute } from '@parcelway/harness/route-call';
import { until } from '@parcelway/kernel/testing/until';
import { Stage } from '../stage.ts';
import { useStageWithMerchant } from '../use-stage.ts';

const { stage, merchant } = useStageWithMerchant();

/** A forecast whose parcel is with the carrier. */
async function dispatched(owner: Merchant = merchant, trackingNumber = newPoNumber('CAR')): Promise<string> {
  const { po_number } = await owner.submit({ trackingNumber });
  await owner.simulate({ po_number, step: 'dispatch' });
  await owner.untilShipped(po_number);
  return po_number;
}

describe('the tracking query', () => {
  test('before dispatch: not shipped, no nodes', async () => {
    const { po_number } = await merchant.submit();
    expect(await merchant.tracking(po_number)).toEqual({
      po_number,
      is_shipped: false,
      is_terminal: false,
      latest_status: '',
      nodes: [],
    });
  });

  test('responds at once for a forecast that was just accepted', async () => {
    for (let index = 0; index < 20; index += 1) {
      const { po_number } = await merchant.submit({ forecastType: 1 });
      expect((await merchant.tracking(po_number)).is_shipped).toBe(false);
    }
  });

  test('nodes come newest first by instant, not by text', async () => {
    const po_number = await dispatched();
    const nodes = [
      ['2026-03-02 09:00:00', '(GMT+08:00)', 'Picked Up'],
      ['2026-03-02 02:30:00', '(GMT+00:00)', 'In Transit'],
      ['2026-03-01 23:00:00', '(GMT-05:00)', 'Customs Clearance'],
      ['2026-03-02 11:45:00', '(GMT+08:00)', 'In Delivery'],
    ] as const;
    // 01:00, 02:30, 04:00 and 03:45 in UTC.
    for (const [create_time, times, admin_status] of nodes) {
      await merchant.simulate({ po_number, step: 'track', create_time, times, admin_status });
    }
    const tracking = await until(async () => {
      const found = await merchant.tracking(po_number);
      return found.nodes.length === 4 ? found : undefined;
    });
    expect(tracking.nodes.map((node) => node.admin_status)).toEqual(['Customs Clearance', 'In Delivery', 'In Transit', 'Picked Up']);
    expect(tracking).toMatchObject({ latest_status: 'Customs Clearance', is_terminal: false });
    expect(tracking.nodes[0]).toMatchObject({ create_time: '2026-03-01 23:00:00', times: '(GMT-05:00)' });
  });

  test('an unknown or missing po_number', async () => {
    const unknown = await callRoute(merchant.client, 'queryTracking', { query: { po_number: 'unknown' } });
    expect(unknown).toMatchObject({ status: 404, code: '40401', data: null });
    expect((await callRoute(merchant.client, 'queryTracking')).code).toBe('42201');
  });
});

test('is never behind the weighing query: who has seen status 5 sees is_shipped', async () => {
  // Every event leaves its outbox late: between the two queries no event can have told the tracking of the dispatch.
  const slow = await Stage.open({ FAILPOINT: 'outbox.leased:delay:500' });
  try {
    const owner = await slow.operator.newMerchant();
    const { po_number, forecast_no } = await owner.submit();
    const dispatch = { type: 'dispatch', forecast_no, carrier_code: 'simulated', tracking_number: newPoNumber('CAR') };
    await slow.clerk.report(slow.clerk.event(dispatch));
    await until(async () => ((await owner.weighing(po_number)).status === 5 ? true : undefined));
    expect(await owner.tracking(po_number)).toEqual({ po_number, is_shipped: true, is_terminal: false, latest_status: '', nodes: [] });
  } finally {
    await slow.close();
  }
}, 60_000);

describe('terminal states', () => {
  test('are the three that the specification names, and no other', () => {
    expect(adminStatuses.filter(isTerminalAdminStatus)).toEqual(['Delivery Success', 'Delivery Failure', 'Parcel Return to Origin']);
  });

  test.each([...terminalAdminStatuses])('%s ends the tracking and completes the forecast', async (admin_status) => {
    const po_number = await dispatched();
    await merchant.simulate({ po_number, step: 'track', admin_status });
    await merchant.untilStatus(po_number, 6);
    expect(await merchant.tracking(po_number)).toMatchObject({ is_shipped: true, is_terminal: true, latest_status: admin_status });
  });

  test('no other status ends it', async () => {
    const po_number = await dispatched();
    for (const admin_status of openAdminStatuses) {
      await merchant.simulate({ po_number, step: 'track', admin_status });
      expect(await merchant.tracking(po_number)).toMatchObject({ is_terminal: false, latest_status: admin_status });
    }
    expect((await merchant.forecast(po_number)).status).toBe(5);
  });

  test('a terminal node that is not the newest is none', async () => {
    const po_number = await dispatched();
    const track = (create_time: string, admin_status: 'In Transit' | 'Delivery Failure') =>
      merchant.simulate({ po_number, step: 'track', create_time, times: '(GMT+08:00)', admin_status });
    await track('2026-03-02 12:00:00', 'In Transit');
    await track('2026-03-02 11:00:00', 'Delivery Failure');
    const tracking = await until(async () => {
      const found = await merchant.tracking(po_number);
      return found.nodes.length === 2 ? found : undefined;
    });
    expect(tracking).toMatchObject({ is_terminal: false, latest_status: 'In Transit' });
  });
});

describe('tracking.changed', () => {
  test('is sent when the admin_status changes, and only then', async () => {
    const owner = await stage.operator.newMerchant();
    const receiver = await stage.receiver();
    await owner.createEndpoint({ url: receiver.url, event_types: ['tracking.changed'] });
    const po_number = await dispatched(owner);
    const track = (admin_status: 'In Transit' | 'In Delivery' | 'Delivery Success', content: string) =>
      owner.simulate({ po_number, step: 'track', admin_status, content });
    await track('In Transit', 'left');
    await receiver.waitForEvent('tracking.changed', po_number);
    await track('In Transit', 'still on its way');
    await track('In Transit', 'and still');
    await until(async () => (await owner.tracking(po_number)).nodes.length === 3);
    await track('In Delivery', 'nearly there');
    await receiver.waitFor((webhook) => webhook.body.data.admin_status === 'In Delivery');
    await track('Delivery Success', 'there');
    await receiver.waitFor((webhook) => webhook.body.data.is_terminal === true);
    const told = receiver.received.map(({ body }) => [body.data.event_seq, body.data.previous_admin_status, body.data.admin_status]);
    expect(told).toEqual([
      [1, '', 'In Transit'],
      [2, 'In Transit', 'In Delivery'],
      [3, 'In Delivery', 'Delivery Success'],
    ]);
  });
});

describe('a carrier that is out', () => {
  test('responds with 50001 with Retry-After, and concerns no other parcel', async () => {
    const { po_number } = await merchant.submit({ trackingNumber: newPoNumber('SIMDOWN') });
    await merchant.simulate({ po_number, step: 'dispatch' });
    await merchant.untilStatus(po_number, 5);
    const response = await until(async () => {
      const found = await callRoute(merchant.client, 'queryTracking', { query: { po_number } });
      return found.code === '0' ? undefined : found;
    });
    expect(response).toMatchObject({ status: 503, code: '50001', data: null });
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    const healthy = await dispatched();
    await merchant.simulate({ po_number: healthy, step: 'track', admin_status: 'In Transit' });
    expect(await merchant.tracking(healthy)).toMatchObject({ latest_status: 'In Transit' });
  });
});
