import { beforeAll } from '@jest/globals';
import type { Delivery } from '@parcelway/contracts/webhook-delivery-api';
import type { WebhookEndpointWithSecret } from '@parcelway/contracts/webhook-endpoint-api';
import type { Merchant } from '@parcelway/harness/merchant';
import { expectRoute } from '@parcelway/harness/route-call';
import type { Responder, WebhookReceiver } from '@parcelway/harness/webhook-receiver';
import { until } from '@parcelway/kernel/testing/until';
import type { Stage } from './stage.ts';
import { useMerchant, useOpened } from './use-stage.ts';

/** A merchant with a receiver registered. */
export async function subscribed(
  stage: Stage,
): Promise<{ owner: Merchant; receiver: WebhookReceiver; endpoint: WebhookEndpointWithSecret }> {
  const owner = await stage.operator.newMerchant();
  const receiver = await stage.receiver();
  const endpoint = await owner.createEndpoint({ url: receiver.url });
  return { owner, receiver, endpoint };
}

/** A merchant with a receiver of its events, for the tests of a file. */
export function useSubscribed(stage: Stage): { readonly merchant: Merchant; readonly receiver: WebhookReceiver } {
  const merchant = useMerchant(stage);
  const receiver = useOpened('receiver', () => stage.receiver());
  beforeAll(() => merchant.createEndpoint({ url: receiver.url }));
  return { merchant, receiver };
}

/** A new forecast, weighed by the simulation; resolves with its po_number. */
export async function weigh(owner: Merchant): Promise<string> {
  const { po_number } = await owner.submit({ forecastType: 1 });
  await owner.simulate({ po_number, step: 'weigh', photos: 0 });
  return po_number;
}

/** A page of the deliveries of an endpoint, newest first. */
export async function deliveries(owner: Merchant, endpoint_id: string, query: Record<string, string> = {}): Promise<Delivery[]> {
  const found = await expectRoute<{ deliveries: Delivery[] }>(owner.client, 'listDeliveries', { path: { endpoint_id }, query });
  return found.deliveries;
}

/** The newest delivery of an endpoint once it has a status. */
export function settled(owner: Merchant, endpointId: string, status: Delivery['status']): Promise<Delivery> {
  return until(async () => (await deliveries(owner, endpointId)).find((delivery) => delivery.status === status), {
    what: `a delivery that is ${status}`,
  });
}

/** A receiver that responds to every webhook with a status. */
export const responding =
  (status: number, headers: Record<string, string> = {}): Responder =>
  (_webhook, res) =>
    res.writeHead(status, headers).end('no thanks');
