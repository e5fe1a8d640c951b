import { describe, expect, test } from '@jest/globals';
import type { EventFeed } from '@parcelway/contracts/event-feed-api';
import type { WebhookEndpoint } from '@parcelway/contracts/webhook-endpoint-api';
import { Follower } from '@parcelway/harness/follower';
import { expectRoute } from '@parcelway/harness/route-call';
import { until } from '@parcelway/kernel/testing/until';
import { deliveries, subscribed, weigh } from '../subscription.ts';
import { useSharedStage } from '../use-stage.ts';

const stage = useSharedStage();

type Subscription = Awaited<ReturnType<typeof subscribed>>;

const change = ({ owner, endpoint }: Subscription, body: object): Promise<WebhookEndpoint> =>
  expectRoute<WebhookEndpoint>(owner.client, 'updateEndpoint', { path: { endpoint_id: endpoint.endpoint_id }, body });

async function statuses({ owner, endpoint }: Subscription): Promise<string[]> {
  return (await deliveries(owner, endpoint.endpoint_id)).map(({ status }) => status);
}

describe('an endpoint', () => {
  test('with a filter gets the end of a parcel and nothing before it', async () => {
    const subscription = await subscribed(stage, ['tracking.changed']);
    const { owner, receiver } = subscription;
    await change(subscription, { filter: { is_terminal: true }, headers: { 'X-Team': 'ops' } });
    const parcel = await Follower.ofNewParcel(owner);
    await parcel.move('In Transit');
    await parcel.move('Delivery Success');
    const last = await receiver.waitForEvent('tracking.changed', parcel.poNumber);
    expect(last.body.data).toMatchObject({ is_terminal: true, admin_status: 'Delivery Success' });
    expect(last.headers['x-team']).toBe('ops');
    expect(receiver.received).toHaveLength(1);
  });

  test('that is paused gets what waited when it is enabled again', async () => {
    const subscription = await subscribed(stage);
    const { owner, receiver } = subscription;
    expect(await change(subscription, { status: 'paused' })).toMatchObject({ status: 'paused', pause_end_time: expect.any(String) });
    const poNumber = await weigh(owner);
    await until(async () => (await statuses(subscription)).length === 1, { what: 'the delivery to wait' });
    expect(await statuses(subscription)).toEqual(['pending']);
    expect(receiver.received).toHaveLength(0);
    await change(subscription, { status: 'enabled' });
    await receiver.waitForEvent('parcel.weighed', poNumber);
  });

  test('with a rate limit gets everything, no faster than it wants', async () => {
    const subscription = await subscribed(stage);
    const { owner, receiver } = subscription;
    await change(subscription, { rate_limit: 5 });
    const started = Date.now();
    const poNumbers = await Promise.all(Array.from({ length: 12 }, () => weigh(owner)));
    for (const poNumber of poNumbers) await receiver.waitForEvent('parcel.weighed', poNumber);
    // One at once, then five a second: the twelfth cannot be there before 2.2 seconds.
    expect(Date.now() - started).toBeGreaterThanOrEqual(2_200);
  });
});

describe('the feed', () => {
  test('has the events of a tenant without an endpoint, each once, and none of another tenant', async () => {
    const [owner, other] = [await stage.operator.newMerchant(), await stage.operator.newMerchant()];
    await weigh(other);
    const poNumbers = [await weigh(owner), await weigh(owner), await weigh(owner)];
    const seen: string[] = [];
    let after: string | undefined;
    const read = async (): Promise<boolean> => {
      const query: Record<string, string> = after === undefined ? { limit: '2' } : { limit: '2', after };
      const page = await expectRoute<EventFeed>(owner.client, 'listEvents', { query });
      seen.push(...page.events.map(({ data }) => (data as unknown as { po_number: string }).po_number));
      after = page.next_cursor;
      return seen.length >= poNumbers.length;
    };
    await until(read, { what: 'all to be there' });
    expect([...seen].sort()).toEqual([...poNumbers].sort());
  });
});
