import { type ReceivedWebhook, WebhookReceiver } from '@parcelway/harness/webhook-receiver';
import type { Bench } from './bench.ts';
import { check } from './check.ts';
import type { NarratedClient, Narrator } from './narrator.ts';

/** The number that the merchant gives the parcel. */
export const PO_NUMBER = 'PO-DEMO-0001';

/** Everything that the steps pass to each other. */
export interface Journey {
  readonly merchant: NarratedClient;
  readonly narrator: Narrator;
  readonly receiver: WebhookReceiver;
  readonly bench: Bench;
  secret: string;
  label: string;
  note: string;
  forecastNo: string;
}

/** Shows a webhook. @throws Error when its signature is wrong */
export function verified({ narrator, secret }: Journey, webhook: ReceivedWebhook): void {
  const { id, headers, rawBody } = webhook;
  narrator.say(`    ⇐ webhook-id: ${id}, webhook-signature: ${headers['webhook-signature']}\n      ${rawBody}`);
  check(WebhookReceiver.verifies(webhook, secret), 'the signature of the webhook is wrong');
}
