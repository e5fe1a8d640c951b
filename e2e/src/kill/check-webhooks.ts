import type { ReceivedWebhook, WebhookReceiver } from '@parcelway/harness/webhook-receiver';
import type { Ledger } from './ledger.ts';

/** Webhooks by po_number, each webhook-id once. */
function byParcel(received: readonly ReceivedWebhook[]): Map<string, ReadonlyMap<string, ReceivedWebhook>> {
  const parcels = new Map<string, Map<string, ReceivedWebhook>>();
  for (const webhook of received) {
    const po = String(webhook.body.data.po_number);
    parcels.set(po, (parcels.get(po) ?? new Map<string, ReceivedWebhook>()).set(webhook.id, webhook));
  }
  return parcels;
}

const foreignIds = ({ received }: WebhookReceiver): string[] =>
  received.filter(({ id, body }) => id !== body.data.event_id).map(({ id }) => `webhook-id ${id} is not the event_id`);

/** What an endpoint of all old events got that it should not have, or did not get: one webhook-id per weighing, numbered without a gap. */
export function weighingWebhookViolations(ledger: Ledger, receiver: WebhookReceiver): string[] {
  const violations = foreignIds(receiver);
  const parcels = byParcel(receiver.received);
  for (const { poNumber, weighingAcknowledged } of ledger.entries.values()) {
    const webhooks = parcels.get(poNumber) ?? new Map<string, ReceivedWebhook>();
    if (weighingAcknowledged && webhooks.size !== 1) violations.push(`${poNumber}: ${webhooks.size} webhook ids for one weighing`);
    const sequence = [...webhooks.values()].map(({ body }) => Number(body.data.event_seq)).sort((a, b) => a - b);
    if (sequence.some((value, index) => value !== index + 1)) violations.push(`${poNumber}: event_seq ${sequence.join(',')}`);
  }
  return violations;
}

/** What an endpoint of `forecast.corrected` got that it should not have, or did not get: one webhook-id per version, in the order of versions. */
export function correctionWebhookViolations(ledger: Ledger, receiver: WebhookReceiver): string[] {
  const violations = foreignIds(receiver);
  const parcels = byParcel(receiver.received);
  for (const { poNumber, correctionsAcknowledged, correctionsSent } of ledger.entries.values()) {
    const received = [...(parcels.get(poNumber) ?? new Map<string, ReceivedWebhook>()).values()].map(({ body }) => body.data);
    const inOrder = received.sort((a, b) => Number(a.event_seq) - Number(b.event_seq));
    const versions = inOrder.map(({ version }) => Number(version));
    const isGood = versions.every((version, index) => version === index + 2);
    if (!isGood || versions.length < correctionsAcknowledged || versions.length > correctionsSent)
      violations.push(`${poNumber}: webhook ids for the versions ${versions.join(',')} after ${correctionsAcknowledged} corrections`);
  }
  return violations;
}
