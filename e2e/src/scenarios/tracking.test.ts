import { describe, expect, test } from '@jest/globals';
import { adminStatuses, isTerminalAdminStatus, openAdminStatuses, terminalAdminStatuses } from '@parcelway/contracts/admin-status';
import { Follower } from '@parcelway/harness/follower';
import { newPoNumber } from '@parcelway/harness/merchant';
import { callRoute } from '@parcelway/harness/route-call';
import { until } from '@parcelway/kernel/testing/until';
import { useSharedStageWithMerchant, useStage } from '../use-stage.ts';

const { stage, merchant } = useSharedStageWithMerchant();

describe('the tracking query', () => {
  test('before dispatch: not shipped, no nodes', async () => {
    const { po_number } = await merchant.submit();
    expect(await merchant.tracking(po_number)).toEqual({
      po_number,
      is_shipped: false,
      is_terminal: false,
      latest_status: '',
      nodes: [],
      shipments: [],
    });
  });

  test('responds at once for a forecast that was just accepted', async () => {
    for (let index = 0; index < 20; index += 1) {
      const { po_number } = await merchant.submit({ forecastType: 1 });
      expect((await merchant.tracking(po_number)).is_shipped).toBe(false);
    }
  });

  test('nodes come newest first by instant, not by text', async () => {
    const parcel = await Follower.ofNewParcel(merchant);
    const nodes = [
      ['2026-03-02 09:00:00', '(GMT+08:00)', 'Picked Up'],
      ['2026-03-02 02:30:00', '(GMT+00:00)', 'In Transit'],
      ['2026-03-01 23:00:00', '(GMT-05:00)', 'Customs Clearance'],
      ['2026-03-02 11:45:00', '(GMT+08:00)', 'In Delivery'],
    ] as const;
    // 01:00, 02:30, 04:00 and 03:45 in UTC.
    for (const [create_time, times, admin_status] of nodes) {
      await parcel.move(admin_status, { create_time, times });
    }
    const tracking = await parcel.untilNodes(4);
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

describe('a tracking whose events come late', () => {
  // Every event leaves its outbox late: the dispatch comes to the tracking long after it can be seen.
  const slow = useStage({ FAILPOINT: 'outbox.leased:delay:500' });

  test('asks the carrier from the first query on: no query of a parcel whose carrier is out has a response', async () => {
    const owner = await slow.operator.newMerchant();
    const { po_number, forecast_no } = await owner.submit();
    const dispatch = { type: 'dispatch', forecast_no, carrier_code: 'simulated', tracking_number: newPoNumber('SIMDOWN') };
    await slow.clerk.report(slow.clerk.event(dispatch));
    await owner.untilWeighing(po_number, ({ status }) => status === 5);
    const codes: string[] = [];
    const isAsked = await until(async () => {
      const { code, headers } = await callRoute(owner.client, 'queryTracking', { query: { po_number } });
      codes.push(code);
      return Number(headers['retry-after']) > 1;
    });
    expect([isAsked, ...new Set(codes)]).toEqual([true, '50001']);
  });
});

describe('terminal states', () => {
  test('are the three that the specification names, and no other', () => {
    expect(adminStatuses.filter(isTerminalAdminStatus)).toEqual(['Delivery Success', 'Delivery Failure', 'Parcel Return to Origin']);
  });

  test.each([...terminalAdminStatuses])('%s ends the tracking and completes the forecast', async (admin_status) => {
    const parcel = await Follower.ofNewParcel(merchant);
    await parcel.move(admin_status);
    await merchant.untilStatus(parcel.poNumber, 6);
    expect(await parcel.tracking()).toMatchObject({ is_shipped: true, is_terminal: true, latest_status: admin_status });
  });

  test('no other status ends it', async () => {
    const parcel = await Follower.ofNewParcel(merchant);
    for (const admin_status of openAdminStatuses) {
      await parcel.move(admin_status);
      expect(await parcel.tracking()).toMatchObject({ is_terminal: false, latest_status: admin_status });
    }
    expect((await merchant.forecast(parcel.poNumber)).status).toBe(5);
  });

  test('a terminal node that is not the newest is none', async () => {
    const parcel = await Follower.ofNewParcel(merchant);
    const track = (create_time: string, admin_status: 'In Transit' | 'Delivery Failure') =>
      parcel.move(admin_status, { create_time, times: '(GMT+08:00)' });
    await track('2026-03-02 12:00:00', 'In Transit');
    await track('2026-03-02 11:00:00', 'Delivery Failure');
    const tracking = await parcel.untilNodes(2);
    expect(tracking).toMatchObject({ is_terminal: false, latest_status: 'In Transit' });
  });
});

describe('tracking.changed', () => {
  test('is sent when the admin_status changes, and only then', async () => {
    const owner = await stage.operator.newMerchant();
    const receiver = await stage.receiver();
    await owner.createEndpoint({ url: receiver.url, event_types: ['tracking.changed'] });
    const parcel = await Follower.ofNewParcel(owner);
    const track = (admin_status: 'In Transit' | 'In Delivery' | 'Delivery Success', content: string) =>
      parcel.move(admin_status, { content });
    await track('In Transit', 'left');
    await receiver.waitForEvent('tracking.changed', parcel.poNumber);
    await track('In Transit', 'still on its way');
    await track('In Transit', 'and still');
    await parcel.untilNodes(3);
    await track('In Delivery', 'nearly there');
    await receiver.waitFor((webhook) => webhook.body.data.admin_status === 'In Delivery');
    await track('Delivery Success', 'there');
    await receiver.waitFor((webhook) => webhook.body.data.is_terminal === true);
    const changes = receiver.received.map(({ body }) => [body.data.event_seq, body.data.previous_admin_status, body.data.admin_status]);
    expect(changes).toEqual([
      [1, '', 'In Transit'],
      [2, 'In Transit', 'In Delivery'],
      [3, 'In Delivery', 'Delivery Success'],
    ]);
  });
});

describe('a carrier that is out', () => {
  test('responds with 50001 and Retry-After, and affects no other parcel', async () => {
    const { po_number } = await merchant.submit({ trackingNumber: newPoNumber('SIMDOWN') });
    await merchant.simulate({ po_number, step: 'dispatch' });
    await merchant.untilStatus(po_number, 5);
    const response = await until(async () => {
      const found = await callRoute(merchant.client, 'queryTracking', { query: { po_number } });
      return found.code === '0' ? undefined : found;
    });
    expect(response).toMatchObject({ status: 503, code: '50001', data: null });
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    const healthy = await Follower.ofNewParcel(merchant);
    await healthy.move('In Transit');
    expect(await healthy.tracking()).toMatchObject({ latest_status: 'In Transit' });
  });
});
