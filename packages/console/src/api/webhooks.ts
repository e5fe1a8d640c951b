import type { Delivery, DeliveryAttempt, ReplayRequest, ReplayResult } from '@parcelway/contracts/webhook-delivery-api';
import {
  feedEventTypes,
  standardEventTypes,
  TEST_EVENT_TYPE,
  type TenantEventType,
  tenantEventTypes,
} from '@parcelway/contracts/webhook-event-types';
import { type Client, pathOf } from '@parcelway/page/api/client';
import { listOf } from '@parcelway/page/data/paging';

/** Types that a new endpoint form preselects, including exceptions: these wait for the merchant. */
export const preselectedTypes: readonly TenantEventType[] = [...standardEventTypes, 'parcel.exception'];
/** Types that a test event can have, the default first. */
export const testableTypes = [TEST_EVENT_TYPE, ...tenantEventTypes] as const;
/** Stands for the types that the feed returns by default. */
export const STANDARD_TYPES = 'standard';

/** The `types` of a query of the feed. @param choice a type, {@link STANDARD_TYPES}, or empty for every type */
export function askedTypes(choice: string): string {
  if (choice === '') return feedEventTypes.join(',');
  return choice === STANDARD_TYPES ? '' : choice;
}

export const ENDPOINTS = '/open/v1/webhook-endpoints';
export const ENDPOINT = `${ENDPOINTS}/{endpoint_id}`;
export const DELIVERIES = `${ENDPOINT}/deliveries`;
export const DELIVERY = `${DELIVERIES}/{delivery_id}`;

export const PAGE_SIZE = 20;

/** Sends the events of a time range, in as many calls as that takes; resolves with how many deliveries that makes. */
export async function replay(client: Client, id: string, range: ReplayRequest): Promise<number> {
  let scheduled = 0;
  let body = range;
  for (;;) {
    const part = await client.call<ReplayResult>(pathOf(`${ENDPOINT}/replay`, id), { method: 'POST', body });
    scheduled += part.scheduled;
    if (part.next_cursor === null) return scheduled;
    body = { ...range, cursor: part.next_cursor };
  }
}

/** The delivery of an event at an endpoint; undefined when the event was not for it. */
export async function deliveryOfEvent(client: Client, id: string, eventId: string, signal: AbortSignal): Promise<Delivery | undefined> {
  return (await listOf<Delivery>(client, pathOf(DELIVERIES, id), 'deliveries', { query: { event_id: eventId }, signal }))[0];
}

/** The attempts of a delivery, oldest first. */
export const listAttempts = (client: Client, id: string, deliveryId: string, signal?: AbortSignal) =>
  listOf<DeliveryAttempt>(client, pathOf(`${DELIVERY}/attempts`, id, deliveryId), 'attempts', { signal });

/** The newest delivery whose latest attempt failed, with that attempt; undefined when there is none among the latest ones. */
export async function lastFailure(
  client: Client,
  id: string,
  signal: AbortSignal,
): Promise<{ readonly delivery: Delivery; readonly attempt: DeliveryAttempt | undefined } | undefined> {
  for (const status of ['pending', 'failed']) {
    const deliveries = await listOf<Delivery>(client, pathOf(DELIVERIES, id), 'deliveries', {
      query: { status, limit: PAGE_SIZE },
      signal,
    });
    const delivery = deliveries.find(({ attempt_count, test }) => attempt_count > 0 && !test);
    if (delivery !== undefined) return { delivery, attempt: (await listAttempts(client, id, delivery.delivery_id, signal)).at(-1) };
  }
  return undefined;
}
