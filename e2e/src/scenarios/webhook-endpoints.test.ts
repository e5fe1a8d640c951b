import { describe, expect, test } from '@jest/globals';
import { compileValidator } from '@parcelway/contracts/validator';
import { EndpointTestWebhook, TrackingChangedWebhook } from '@parcelway/contracts/webhook-bodies';
import type { Delivery } from '@parcelway/contracts/webhook-delivery-api';
import type { WebhookEndpoint, WebhookEndpointWithSecret } from '@parcelway/contracts/webhook-endpoint-api';
import { MAX_ENDPOINTS_PER_TENANT } from '@parcelway/contracts/webhook-endpoint-limits';
import { Follower } from '@parcelway/harness/follower';
import { newPoNumber } from '@parcelway/harness/merchant';
import { callRoute, expectRoute } from '@parcelway/harness/route-call';
import { WebhookReceiver } from '@parcelway/harness/webhook-receiver';
import { subscribed, weigh } from '../subscription.ts';
import { useSharedStage } from '../use-stage.ts';

const stage = useSharedStage();

describe('endpoints', () => {
  test('are created, listed, read, changed and deleted; the secret shows once', async () => {
    const { owner, receiver, endpoint } = await subscribed(stage);
    expect(endpoint.secret).toMatch(/^whsec_/);
    expect(endpoint).toMatchObject({ status: 'enabled', disabled_reason: null, url: receiver.url });
    expect([...endpoint.event_types].sort()).toEqual(['parcel.weighed', 'tracking.changed']);
    const path = { endpoint_id: endpoint.endpoint_id };
    const { endpoints } = await expectRoute<{ endpoints: WebhookEndpoint[] }>(owner.client, 'listEndpoints');
    const read = await expectRoute<WebhookEndpoint>(owner.client, 'getEndpoint', { path });
    expect(endpoints).toEqual([read]);
    expect(JSON.stringify([endpoints, read])).not.toContain('whsec_');
    const body = { event_types: ['parcel.weighed'], description: 'only weights', url: `${receiver.url}/2` };
    const changed = await expectRoute<WebhookEndpoint>(owner.client, 'updateEndpoint', { path, body });
    expect(changed).toMatchObject({ ...body, status: 'enabled', create_time: endpoint.create_time });
    expect(await expectRoute(owner.client, 'deleteEndpoint', { path })).toEqual({ ...path, deleted: true });
    for (const id of ['getEndpoint', 'deleteEndpoint', 'listDeliveries', 'rotateSecret', 'sendTestEvent']) {
      expect((await callRoute(owner.client, id, { path })).code).toBe('40403');
    }
  });

  test('are at most ten a tenant, also when created at once', async () => {
    const owner = await stage.operator.newMerchant();
    const receiver = await stage.receiver();
    const create = () => callRoute(owner.client, 'createEndpoint', { body: { url: receiver.url } });
    const codes = (await Promise.all(Array.from({ length: MAX_ENDPOINTS_PER_TENANT + 3 }, create))).map((response) => response.code);
    expect(codes.filter((code) => code === '0')).toHaveLength(MAX_ENDPOINTS_PER_TENANT);
    expect(codes.filter((code) => code === '40902')).toHaveLength(3);
  });

  test.each([
    ['no url', {}],
    ['an unknown event type', { url: 'http://127.0.0.1:9/', event_types: ['parcel.lost'] }],
    ['no event type', { url: 'http://127.0.0.1:9/', event_types: [] }],
    ['a long description', { url: 'http://127.0.0.1:9/', description: 'x'.repeat(501) }],
    ['a url of 2049', { url: `http://127.0.0.1:9/${'x'.repeat(2030)}` }],
  ])('%s is refused', async (_name, body) => {
    const owner = await stage.operator.newMerchant();
    expect((await callRoute(owner.client, 'createEndpoint', { body })).code).toBe('42201');
  });

  test('receive only what they subscribe to', async () => {
    const { owner, receiver } = await subscribed(stage, ['tracking.changed']);
    const { po_number } = await owner.submit({ trackingNumber: newPoNumber('TRK') });
    await owner.simulate({ po_number, step: 'weigh' });
    await owner.untilStatus(po_number, 3);
    await (await Follower.dispatch(owner, po_number)).move('In Transit');
    const changed = await receiver.waitForEvent('tracking.changed', po_number);
    // The weighing came before it and has its number, though it was not sent here.
    expect(changed.body.data.event_seq).toBe(2);
    expect(receiver.received.map((webhook) => webhook.type)).toEqual(['tracking.changed']);
    expect(compileValidator(TrackingChangedWebhook).errors(changed.body)).toEqual([]);
  });
});

describe('secrets', () => {
  test('after a rotation both secrets sign, the new one first', async () => {
    const { owner, receiver, endpoint } = await subscribed(stage);
    const path = { endpoint_id: endpoint.endpoint_id };
    const rotated = await expectRoute<WebhookEndpointWithSecret>(owner.client, 'rotateSecret', { path });
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(endpoint.secret);
    const webhook = await receiver.waitForEvent('parcel.weighed', await weigh(owner));
    expect(WebhookReceiver.verifies(webhook, rotated.secret)).toBe(true);
    expect(WebhookReceiver.verifies(webhook, endpoint.secret)).toBe(true);
    expect(String(webhook.headers['webhook-signature']).split(' ')).toHaveLength(2);
  });
});

describe('a test event', () => {
  test('reaches the endpoint whatever its subscription', async () => {
    const { owner, receiver, endpoint } = await subscribed(stage, ['tracking.changed']);
    const delivery = await expectRoute<Delivery>(owner.client, 'sendTestEvent', { path: { endpoint_id: endpoint.endpoint_id } });
    const webhook = await receiver.waitFor(({ type }) => type === 'endpoint.test');
    expect(compileValidator(EndpointTestWebhook).errors(webhook.body)).toEqual([]);
    expect(webhook.id).toBe(delivery.event_id);
    expect(WebhookReceiver.verifies(webhook, endpoint.secret)).toBe(true);
  });
});
