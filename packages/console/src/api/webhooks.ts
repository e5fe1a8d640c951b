import type { EventFeed } from '@parcelway/contracts/event-feed-api';
import type {
  Delivery,
  DeliveryAttempt,
  DeliveryDetail,
  ReplayRequest,
  ReplayResult,
  TestRequest,
} from '@parcelway/contracts/webhook-delivery-api';
import type {
  EndpointChange,
  EndpointCreation,
  SecretRotated,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
} from '@parcelway/contracts/webhook-endpoint-api';
import type { EndpointFigures } from '@parcelway/contracts/webhook-figures-api';
import { type Client, pathOf } from '@parcelway/page/api/client';
import { listOf, type PageRequest, pageOf } from './paging.ts';

const ENDPOINTS = '/open/v1/webhook-endpoints';
const ENDPOINT = `${ENDPOINTS}/{endpoint_id}`;
const DELIVERY = `${ENDPOINT}/deliveries/{delivery_id}`;

const PAGE_SIZE = 20;
/** Deliveries that a chart sums up: the largest page. */
const LATEST = 100;

export const listEndpoints = (client: Client, signal?: AbortSignal) => listOf<WebhookEndpoint>(client, ENDPOINTS, 'endpoints', { signal });

/** One endpoint. @throws ApiFailure 40403 when there is none */
export const getEndpoint = (client: Client, id: string, signal?: AbortSignal) =>
  client.call<WebhookEndpoint>(pathOf(ENDPOINT, id), { signal });

/** Registers an endpoint; its secret is in this response alone. */
export const createEndpoint = (client: Client, body: EndpointCreation) =>
  client.call<WebhookEndpointWithSecret>(ENDPOINTS, { method: 'POST', body });

export const updateEndpoint = (client: Client, id: string, body: EndpointChange) =>
  client.call<WebhookEndpoint>(pathOf(ENDPOINT, id), { method: 'PATCH', body });

export const deleteEndpoint = (client: Client, id: string) => client.call<unknown>(pathOf(ENDPOINT, id), { method: 'DELETE' });

/** Creates a new secret. The former one also signs for a day. @param endFormer ends the former one at once */
export const rotateSecret = (client: Client, id: string, endFormer: boolean) =>
  client.call<SecretRotated>(pathOf(`${ENDPOINT}/rotate-secret`, id), {
    method: 'POST',
    ...(endFormer && { body: { end_former_secret: true } }),
  });

/** Sends a test event; resolves with its delivery, which has not been tried yet. */
export const sendTestEvent = (client: Client, id: string, body: TestRequest) =>
  client.call<Delivery>(pathOf(`${ENDPOINT}/test`, id), { method: 'POST', body });

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

/** A page of deliveries, newest first. @param status empty for every status */
export const listDeliveries = (client: Client, id: string, at: PageRequest & { readonly status: string }) =>
  pageOf<Delivery>(client, pathOf(`${ENDPOINT}/deliveries`, id), 'deliveries', { ...at, limit: PAGE_SIZE });

/** The latest deliveries of an endpoint, at most {@link LATEST}. */
export const latestDeliveries = (client: Client, id: string, signal: AbortSignal) =>
  listOf<Delivery>(client, pathOf(`${ENDPOINT}/deliveries`, id), 'deliveries', { query: { limit: LATEST }, signal });

/** What became of the attempts of the latest 31 days. */
export const getFigures = (client: Client, id: string, signal: AbortSignal) =>
  client.call<EndpointFigures>(pathOf(`${ENDPOINT}/figures`, id), { signal });

/** The delivery of an event at an endpoint; undefined when the event was not for it. */
export async function deliveryOfEvent(client: Client, id: string, eventId: string, signal: AbortSignal): Promise<Delivery | undefined> {
  return (await listOf<Delivery>(client, pathOf(`${ENDPOINT}/deliveries`, id), 'deliveries', { query: { event_id: eventId }, signal }))[0];
}

export const getDelivery = (client: Client, id: string, deliveryId: string, signal?: AbortSignal) =>
  client.call<DeliveryDetail>(pathOf(DELIVERY, id, deliveryId), { signal });

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
    const { items } = await listDeliveries(client, id, { status, cursor: undefined, signal });
    const delivery = items.find(({ attempt_count, test }) => attempt_count > 0 && !test);
    if (delivery !== undefined) return { delivery, attempt: (await listAttempts(client, id, delivery.delivery_id, signal)).at(-1) };
  }
  return undefined;
}

export const resend = (client: Client, id: string, deliveryId: string) =>
  client.call<Delivery>(pathOf(`${DELIVERY}/resend`, id, deliveryId), { method: 'POST' });

/** A page of the feed of events, oldest first. @param query where to begin: `after` a cursor or `since` an instant */
export function listEvents(
  client: Client,
  query: Readonly<Partial<Record<'after' | 'since' | 'event_types' | 'po_number', string | undefined>>>,
  signal?: AbortSignal,
): Promise<EventFeed> {
  return client.call('/open/v1/events', { query: { ...query, limit: 100 }, signal });
}
