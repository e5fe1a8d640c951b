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
});
