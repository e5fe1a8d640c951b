import type { EndpointDisabledWebhook } from '@parcelway/contracts/webhook-bodies';
import type { EndpointFilter } from '@parcelway/contracts/webhook-endpoint-api';
import {
  DISABLED_EVENT_TYPE,
  type SentEventType,
  standardEventTypes,
  type TenantEventType,
} from '@parcelway/contracts/webhook-event-types';
import { bodyFitsFilter } from './event-filter.ts';

/** The types of events that a new endpoint gets: those that its merchant names, by default the standard ones. All others are off until they are named. */
export function subscribedTypes(named: readonly TenantEventType[] | undefined): readonly TenantEventType[] {
  return named ?? standardEventTypes;
}

/** True when an endpoint gets events of a type. */
export function isSubscribed({ eventTypes }: { readonly eventTypes: readonly SentEventType[] }, type: SentEventType): boolean {
  return eventTypes.includes(type);
}

/**
 * True when a stored event, not a test event, is for an endpoint: the news that another was disabled; any other event by
 * subscription and filter.
 */
export function isBodyFor(
  endpoint: { readonly endpointId: string; readonly eventTypes: readonly SentEventType[]; readonly filter: EndpointFilter },
  event: { readonly type: SentEventType; readonly body: string },
): boolean {
  if (event.type === DISABLED_EVENT_TYPE)
    return (JSON.parse(event.body) as EndpointDisabledWebhook).data.endpoint_id !== endpoint.endpointId;
  return isSubscribed(endpoint, event.type) && bodyFitsFilter(endpoint.filter, event.body);
}
