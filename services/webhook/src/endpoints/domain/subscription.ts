import type { EndpointDisabledWebhook } from '@parcelway/contracts/webhook-bodies';
import {
  DISABLED_EVENT_TYPE,
  type SentEventType,
  standardEventTypes,
  type TenantEventType,
} from '@parcelway/contracts/webhook-event-types';
import type { Endpoint } from './endpoint.ts';
import { bodyFitsFilter, type EventFields, fitsFilter } from './event-filter.ts';

/** The types of events that a new endpoint gets: those that its merchant names, by default the standard ones. All others are off until they are named. */
export function subscribedTypes(named: readonly TenantEventType[] | undefined): readonly TenantEventType[] {
  return named ?? standardEventTypes;
}

/** True when an endpoint gets events of a type. */
export function isSubscribed({ eventTypes }: { readonly eventTypes: readonly SentEventType[] }, type: SentEventType): boolean {
  return eventTypes.includes(type);
}

type Subscription = Pick<Endpoint, 'endpointId' | 'filter'> & { readonly eventTypes: readonly SentEventType[] };

/**
 * True when an event is for an endpoint: a test event for the one that is tested; the news that an endpoint was disabled for
 * all others; any other event by subscription and filter.
 * @param event.about the endpoint that a test event is for, or that was disabled
 */
export function isEventFor(
  endpoint: Subscription,
  event: { readonly type: SentEventType; readonly about: string | null; readonly test: boolean; readonly fields: EventFields },
): boolean {
  if (event.test) return event.about === endpoint.endpointId;
  if (event.type === DISABLED_EVENT_TYPE) return event.about !== endpoint.endpointId;
  return isSubscribed(endpoint, event.type) && fitsFilter(endpoint.filter, event.fields);
}

/**
 * True when a stored event, not a test event, is for an endpoint: the news that another was disabled; any other event by
 * subscription and filter.
 */
export function isBodyFor(endpoint: Subscription, event: { readonly type: SentEventType; readonly body: string }): boolean {
  if (event.type === DISABLED_EVENT_TYPE)
    return (JSON.parse(event.body) as EndpointDisabledWebhook).data.endpoint_id !== endpoint.endpointId;
  return isSubscribed(endpoint, event.type) && bodyFitsFilter(endpoint.filter, event.body);
}
