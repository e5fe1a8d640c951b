import { describe, expect, test } from '@jest/globals';
import type { Merchant } from '@parcelway/harness/merchant';
import { WebhookReceiver } from '@parcelway/harness/webhook-receiver';
import { useListeners } from '../listener.ts';
import { weigh } from '../subscription.ts';
import { useStage } from '../use-stage.ts';

const stage = useStage();
const listen = useListeners(stage);

const keyOf = (merchant: Merchant): Record<string, string> => ({ PARCELWAY_API_KEY: merchant.identity.key });

describe('listening', () => {
  test('brings signed webhooks to a program on this machine, without an endpoint', async () => {
    const owner = await stage.operator.newMerchant();
    const program = await stage.receiver();
    const listener = await listen(['--forward-to', program.url], keyOf(owner));
    const { secret } = await listener.until('ready');
    const poNumber = await weigh(owner);
    const webhook = await program.waitForEvent('parcel.weighed', poNumber);
    expect(WebhookReceiver.verifies(webhook, String(secret))).toBe(true);
    expect(webhook.id).toBe(webhook.body.data.event_id);
    expect(await listener.until('response')).toMatchObject({ event_id: webhook.id, status: 204 });
    const { code, last } = await listener.stop();
    expect([code, last]).toMatchObject([0, { type: 'end', accepted: 1, refused: 0, skipped: 0 }]);
    // The same secret at the next start, so that a program keeps its settings.
    const next = await listen(['--forward-to', program.url], keyOf(owner));
    expect((await next.until('ready')).secret).toBe(secret);
  }, 60_000);

  test('as an endpoint signs with its secret and heeds its filter', async () => {
    const owner = await stage.operator.newMerchant();
    const [program, registered] = [await stage.receiver(), await stage.receiver()];
    const wanted = await owner.submit({ forecastType: 1 });
    const endpoint = await owner.createEndpoint({ url: registered.url, filter: { po_number: wanted.po_number } });
    const listener = await listen(['--forward-to', program.url, '--endpoint', endpoint.endpoint_id], keyOf(owner));
    expect((await listener.until('ready')).secret).toBeNull();
    await weigh(owner);
    await owner.simulate({ po_number: wanted.po_number, step: 'weigh', photos: 0 });
    const webhook = await program.waitForEvent('parcel.weighed', wanted.po_number);
    expect(WebhookReceiver.verifies(webhook, endpoint.secret)).toBe(true);
    expect(program.received).toHaveLength(1);
    // The endpoint itself gets its own as ever.
    await registered.waitForEvent('parcel.weighed', wanted.po_number);
  }, 60_000);
});
