import { describe, expect, test } from '@jest/globals';
import { compileValidator } from '@parcelway/contracts/validator';
import { ParcelWeighedWebhook } from '@parcelway/contracts/webhook-bodies';
import type { WebhookEndpoint } from '@parcelway/contracts/webhook-endpoint-api';
import type { EndpointFigures } from '@parcelway/contracts/webhook-figures-api';
import { callRoute, expectRoute } from '@parcelway/harness/route-call';
import { WebhookReceiver } from '@parcelway/harness/webhook-receiver';
import { until } from '@parcelway/kernel/testing/until';
import { attemptsOf, deliveries, responding, settled, subscribed, weigh } from '../subscription.ts';
import { useStage } from '../use-stage.ts';

const stage = useStage({ WEBHOOK_RETRY_SCHEDULE: '0s,50ms,100ms,150ms' });

describe('a delivery', () => {
  test('is thin, signed, and logged', async () => {
    const { owner, receiver, endpoint } = await subscribed(stage);
    const poNumber = await weigh(owner);
    const webhook = await receiver.waitForEvent('parcel.weighed', poNumber);
    expect(compileValidator(ParcelWeighedWebhook).errors(webhook.body)).toEqual([]);
    expect(webhook.rawBody).not.toMatch(/weight_kg|length_cm/);
    expect(webhook.headers).toMatchObject({
      'webhook-id': webhook.body.data.event_id,
      'content-type': expect.stringMatching(/^application\/json/),
    });
    expect(WebhookReceiver.verifies(webhook, endpoint.secret)).toBe(true);
    expect(WebhookReceiver.verifies({ ...webhook, rawBody: `${webhook.rawBody} ` }, endpoint.secret)).toBe(false);
    expect(WebhookReceiver.verifies(webhook, `whsec_${Buffer.alloc(32).toString('base64')}`)).toBe(false);
    const delivery = await settled(owner, endpoint.endpoint_id, 'succeeded');
    expect(delivery).toMatchObject({
      event_id: webhook.id,
      po_number: poNumber,
      attempt_count: 1,
      last_status_code: 204,
      next_attempt_time: null,
    });
    expect(await attemptsOf(owner, delivery)).toMatchObject([{ attempt_number: 1, outcome: 'succeeded', status_code: 204, error: null }]);
  });

  test('is tried again on the schedule under the same id until it succeeds', async () => {
    const { owner, receiver, endpoint } = await subscribed(stage);
    receiver.respond = (_webhook, res) => res.writeHead(receiver.received.length < 3 ? 500 : 200).end('later');
    const poNumber = await weigh(owner);
    const delivery = await settled(owner, endpoint.endpoint_id, 'succeeded');
    expect(receiver.received.map((webhook) => webhook.id)).toEqual(Array(3).fill(delivery.event_id));
    expect(new Set(receiver.received.map((webhook) => webhook.rawBody)).size).toBe(1);
    expect(receiver.received.every((webhook) => WebhookReceiver.verifies(webhook, endpoint.secret))).toBe(true);
    expect(delivery).toMatchObject({ po_number: poNumber, attempt_count: 3 });
    expect((await attemptsOf(owner, delivery)).map(({ outcome, status_code }) => [outcome, status_code])).toEqual([
      ['failed', 500],
      ['failed', 500],
      ['succeeded', 200],
    ]);
    const path = { endpoint_id: endpoint.endpoint_id };
    const figures = await until(
      async () => {
        const { total } = await expectRoute<EndpointFigures>(owner.client, 'getEndpointFigures', { path });
        return total.attempts === 3 ? total : undefined;
      },
      { what: 'the attempts to be counted' },
    );
    expect(figures).toMatchObject({ succeeded: 1, failed: 2, duration_ms_p95: expect.any(Number) });
  });

  test('fails once the schedule is used up, and can be sent again under its id', async () => {
    const { owner, receiver, endpoint } = await subscribed(stage);
    receiver.respond = responding(503);
    await weigh(owner);
    const failed = await settled(owner, endpoint.endpoint_id, 'failed');
    expect(failed).toMatchObject({ attempt_count: 4, last_status_code: 503, next_attempt_time: null });
    expect(receiver.received).toHaveLength(4);
    receiver.respond = responding(204);
    const path = { endpoint_id: endpoint.endpoint_id, delivery_id: failed.delivery_id };
    await expectRoute(owner.client, 'resendDelivery', { path });
    const delivered = await settled(owner, endpoint.endpoint_id, 'succeeded');
    expect(delivered).toMatchObject({ delivery_id: failed.delivery_id, attempt_count: 5 });
    expect(new Set(receiver.received.map((webhook) => webhook.id))).toEqual(new Set([failed.event_id]));
    // Also what has succeeded can be sent again.
    await expectRoute(owner.client, 'resendDelivery', { path });
    await until(() => receiver.received.length === 6);
    expect(receiver.received[5]).toMatchObject({ id: failed.event_id, rawBody: receiver.received[0]?.rawBody });
  });

  test('to a receiver that hangs does not hold up another endpoint', async () => {
    const { owner, receiver } = await subscribed(stage);
    receiver.respond = () => undefined;
    const other = await stage.receiver();
    await owner.createEndpoint({ url: other.url });
    const poNumber = await weigh(owner);
    await receiver.waitForEvent('parcel.weighed', poNumber);
    await other.waitForEvent('parcel.weighed', poNumber);
    const next = await weigh(owner);
    await other.waitForEvent('parcel.weighed', next);
  });
});

test('a paused endpoint gets what waited when it is enabled again', async () => {
  const { owner, receiver, endpoint } = await subscribed(stage);
  const change = (status: 'paused' | 'enabled') =>
    expectRoute<WebhookEndpoint>(owner.client, 'updateEndpoint', { path: { endpoint_id: endpoint.endpoint_id }, body: { status } });
  expect(await change('paused')).toMatchObject({ status: 'paused', pause_end_time: expect.any(String) });
  const poNumber = await weigh(owner);
  await settled(owner, endpoint.endpoint_id, 'pending');
  expect(receiver.received).toHaveLength(0);
  await change('enabled');
  await receiver.waitForEvent('parcel.weighed', poNumber);
});

describe('a disabled endpoint', () => {
  test('410 disables it; what comes meanwhile is held, and a replay brings it', async () => {
    const { owner, receiver, endpoint } = await subscribed(stage);
    const path = { endpoint_id: endpoint.endpoint_id };
    receiver.respond = responding(410);
    const first = await weigh(owner);
    await until(async () => (await expectRoute<WebhookEndpoint>(owner.client, 'getEndpoint', { path })).status === 'disabled');
    expect(await expectRoute<WebhookEndpoint>(owner.client, 'getEndpoint', { path })).toMatchObject({ disabled_reason: 'gone' });
    const second = await weigh(owner);
    await until(async () => (await deliveries(owner, endpoint.endpoint_id, { status: 'held' })).length === 2);
    expect(receiver.received).toHaveLength(1);
    expect((await callRoute(owner.client, 'replayDeliveries', { path, body: { since: endpoint.create_time } })).code).toBe('40902');
    receiver.respond = responding(204);
    await expectRoute(owner.client, 'updateEndpoint', { path, body: { status: 'enabled' } });
    const replay = await expectRoute(owner.client, 'replayDeliveries', { path, body: { since: endpoint.create_time } });
    expect(replay).toEqual({ scheduled: 2, next_cursor: null, warnings: [] });
    await until(async () => (await deliveries(owner, endpoint.endpoint_id, { status: 'succeeded' })).length === 2);
    expect(
      receiver.received
        .slice(1)
        .map((webhook) => webhook.body.data.po_number)
        .sort(),
    ).toEqual([first, second].sort());
    // By default only what was not delivered is replayed; all of it on demand, under the same ids.
    const nothing = { scheduled: 0, next_cursor: null, warnings: [] };
    expect(await expectRoute(owner.client, 'replayDeliveries', { path, body: { since: endpoint.create_time } })).toEqual(nothing);
    const all = { since: endpoint.create_time, only: 'all' };
    expect(await expectRoute(owner.client, 'replayDeliveries', { path, body: all })).toEqual({
      scheduled: 2,
      next_cursor: null,
      warnings: [],
    });
    await until(() => receiver.received.length === 5);
    expect(new Set(receiver.received.map((webhook) => webhook.id)).size).toBe(2);
  });
});
