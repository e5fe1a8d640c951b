import { describe, expect, test } from '@jest/globals';
import type { TenantEventType } from '@parcelway/contracts/webhook-event-types';
import { type Merchant, newPoNumber } from '@parcelway/harness/merchant';
import { expectRoute } from '@parcelway/harness/route-call';
import { WebhookReceiver } from '@parcelway/harness/webhook-receiver';
import { useListeners } from '../listener.ts';
import { weigh } from '../subscription.ts';
import { useStage } from '../use-stage.ts';

const stage = useStage();

const _sequenceAt = (receiver: WebhookReceiver, poNumber: string, types: readonly TenantEventType[]): number[] =>
  receiver.received
    .filter(({ type, body }) => body.data['po_number'] === poNumber && (types as readonly string[]).includes(type))
    .map(({ body }) => Number(body.data['event_seq']))
    .sort((a, b) => a - b);

/** A direct-mail parcel from its forecast to its delivery. */
async function _liveDirectMail(owner: Merchant): Promise<string> {
  const { po_number } = await owner.submit({ trackingNumber: newPoNumber('TRK') });
  await expectRoute(owner.client, 'correctForecast', { path: { po_number }, body: { due_date: '2090-01-01' } });
  await owner.simulate({ po_number, step: 'arrive', image_types: ['package'] });
  await owner.simulate({ po_number, step: 'weigh', photos: 0 });
  await owner.untilStatus(po_number, 3);
  await owner.simulate({ po_number, step: 'dispatch' });
  await owner.untilShipped(po_number);
  await owner.simulate({ po_number, step: 'track', admin_status: 'Delivery Success' });
  await owner.untilStatus(po_number, 6);
  return po_number;
}

describe('events that have to be named', () => {});

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
