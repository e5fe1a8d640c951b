import { isDeepStrictEqual } from 'node:util';
import type { AdminStatus } from '@parcelway/contracts/admin-status';
import type { TrackingResult } from '@parcelway/contracts/tracking-api';
import type { ApiClient } from '@parcelway/harness/api-client';
import type { WebhookReceiver } from '@parcelway/harness/webhook-receiver';
import type { Ledger, TrackedParcel } from './ledger.ts';

/** The statuses of a parcel's nodes, oldest first. */
export function statusesOf({ nodes }: TrackingResult): AdminStatus[] {
  return nodes.map(({ admin_status }) => admin_status as AdminStatus).reverse();
}

/** The statuses of the `tracking.changed` webhooks of a parcel, in the order of their events. Repeats under one `webhook-id` count once. */
export function changesOf({ received }: WebhookReceiver, poNumber: string): AdminStatus[] {
  const changes = received.filter(({ type, body }) => type === 'tracking.changed' && body.data.po_number === poNumber);
  const once = [...new Map(changes.map((change) => [change.id, change])).values()];
  const inOrder = once.sort((a, b) => Number(a.body.data.event_seq) - Number(b.body.data.event_seq));
  return inOrder.map(({ body }) => body.data.admin_status as AdminStatus);
}

/** Violations of delivered parcels: each must have ended, with every node once and every change published once, in order. */
export async function trackedViolations(
  { tracked }: Pick<Ledger, 'tracked'>,
  { merchant, receivers }: { readonly merchant: ApiClient; readonly receivers: readonly WebhookReceiver[] },
): Promise<string[]> {
  const check = async ({ source, poNumber, nodes, changes }: TrackedParcel): Promise<string[]> => {
    const tracking = await merchant.expectOk<TrackingResult>(`/open/v1/forecasts/tracking?po_number=${poNumber}`);
    const differs = (what: string, seen: readonly AdminStatus[], expected: readonly AdminStatus[]): string[] =>
      isDeepStrictEqual(seen, expected) ? [] : [`${source}: ${what} of ${poNumber}: ${seen.join(', ')}; expected: ${expected.join(', ')}`];
    return [
      ...(tracking.is_terminal ? [] : [`${source}: ${poNumber} has not ended`]),
      ...differs('nodes', statusesOf(tracking), nodes),
      ...receivers.slice(0, 1).flatMap((receiver) => differs('changes', changesOf(receiver, poNumber), changes)),
    ];
  };
  return (await Promise.all(tracked.map(check))).flat();
}
