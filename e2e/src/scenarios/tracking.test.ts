import { describe, expect, test } from '@jest/globals';
import { terminalAdminStatuses } from '@parcelway/contracts/admin-status';
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
  test.each([...terminalAdminStatuses])('%s ends the tracking and completes the forecast', async (admin_status) => {
    const parcel = await Follower.ofNewParcel(merchant);
    await parcel.move(admin_status);
    await merchant.untilStatus(parcel.poNumber, 6);
    expect(await parcel.tracking()).toMatchObject({ is_shipped: true, is_terminal: true, latest_status: admin_status });
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
