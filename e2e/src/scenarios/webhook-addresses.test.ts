import { describe, expect, test } from '@jest/globals';
import type { Delivery, DeliveryAttempt } from '@parcelway/contracts/webhook-delivery-api';
import { callRoute, expectRoute } from '@parcelway/harness/route-call';
import { until } from '@parcelway/kernel/testing/until';
import { useStageWithMerchant } from '../use-stage.ts';

/* Receivers of webhooks must be public; only an operator may allow further networks. */

const { stage, merchant } = useStageWithMerchant({ WEBHOOK_ALLOWED_NETWORKS: '', WEBHOOK_RETRY_SCHEDULE: '0s' });

const refused = [
  'http://93.184.215.14/hook',
  'https://localhost/hook',
  'https://10.0.0.1/hook',
  'https://169.254.169.254/latest/meta-data',
  'https://[::ffff:7f00:1]/hook',
  'https://2130706433/hook',
  'https://①②⑦.⓪.⓪.①/hook',
  'https://user:password@93.184.215.14/hook',
];

describe('at registration', () => {
  test.each(refused)('%s is refused on the field url', async (url) => {
    const response = await callRoute<{ errors: Array<{ field: string }> }>(merchant.client, 'createEndpoint', { body: { url } });
    expect(response).toMatchObject({ status: 422, code: '42201', data: { errors: [{ field: 'url' }] } });
  });

  test('a public address is taken', async () => {
    const endpoint = await merchant.createEndpoint({ url: 'https://93.184.215.14/hook' });
    const path = { endpoint_id: endpoint.endpoint_id };
    const moved = await callRoute(merchant.client, 'updateEndpoint', { path, body: { url: 'https://127.0.0.1/hook' } });
    expect(moved).toMatchObject({ status: 422, code: '42201' });
    await expectRoute(merchant.client, 'deleteEndpoint', { path });
  });
});

describe('at each send', () => {
  test('an address that is no longer allowed is not connected to', async () => {
    const { platform } = stage;
    const receiver = await stage.receiver();
    await platform.stop();
    await platform.start({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
    const owner = await stage.operator.newMerchant();
    const { endpoint_id } = await owner.createEndpoint({ url: receiver.url });
    const path = { endpoint_id };
    await expectRoute(owner.client, 'sendTestEvent', { path });
    await receiver.waitFor(({ type }) => type === 'endpoint.test');

    await platform.stop();
    await platform.start();
    const { delivery_id } = await expectRoute<Delivery>(owner.client, 'sendTestEvent', { path });
    const attempt = await until(async () => {
      const log = await expectRoute<{ attempts: DeliveryAttempt[] }>(owner.client, 'listAttempts', { path: { endpoint_id, delivery_id } });
      return log.attempts[0];
    });
    expect(attempt).toMatchObject({ outcome: 'failed', status_code: null });
    expect(receiver.received).toHaveLength(1);
  }, 60_000);
});
