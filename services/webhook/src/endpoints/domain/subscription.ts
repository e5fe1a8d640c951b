import type { EndpointFilter } from '@parcelway/contracts/webhook-endpoint-api';
import { DISABLED_EVENT_TYPE, type SentEventType } from '@parcelway/contracts/webhook-event-types';
import type { Endpoint } from './endpoint.ts';

/** The fields of the `data` of an event. */
export type EventFields = Readonly<Record<string, unknown>>;

/** The same filter with a list in each condition that may name several values: what merchants read has one form. */
export function filterInLists(filter: EndpointFilter): EndpointFilter {
  const conditions = Object.entries(filter).map(([name, condition]) => [
    name,
    typeof condition === 'boolean' || Array.isArray(condition) ? condition : [condition],
  ]);
  return Object.fromEntries(conditions) as EndpointFilter;
}

/**
 * True when an event fits a filter. Each condition names a value, or several of which one must fit; one on a field that the
 * event does not have does not concern it.
 */
export function fitsFilter(filter: EndpointFilter, fields: EventFields): boolean {
  for (const [name, condition] of Object.entries(filter)) {
    if (!Object.hasOwn(fields, name)) continue;
    const value = fields[name];
    if (Array.isArray(condition) ? !(condition as readonly unknown[]).includes(value) : condition !== value) return false;
  }
  return true;
}

/** True when the stored body of an event fits a filter. */
export function bodyFitsFilter(filter: EndpointFilter, body: string): boolean {
  if (Object.keys(filter).length === 0) return true;
  return fitsFilter(filter, (JSON.parse(body) as { readonly data: EventFields }).data);
}

type Subscription = Pick<Endpoint, 'endpointId' | 'filter'> & { readonly eventTypes: readonly SentEventType[] };

/**
 * True when an event is for an endpoint: a test event for the one that is tested; the news that an endpoint was disabled for
 * all others; any other event by subscription and filter.
 * @param event.about the endpoint that a test event is for, or that was disabled
 */
export function isEventFor(
  { endpointId, eventTypes, filter }: Subscription,
  event: { readonly type: SentEventType; readonly about: string | null; readonly test: boolean; readonly fields: EventFields },
): boolean {
  if (event.test) return event.about === endpointId;
  if (event.type === DISABLED_EVENT_TYPE) return event.about !== endpointId;
  return eventTypes.includes(event.type) && fitsFilter(filter, event.fields);
}

/** As {@link isEventFor}, for a stored event other than a test event. */
export function isBodyFor(endpoint: Subscription, { type, body }: { readonly type: SentEventType; readonly body: string }): boolean {
  const { data } = JSON.parse(body) as { readonly data: EventFields & { readonly endpoint_id?: string } };
  return isEventFor(endpoint, { type, about: data.endpoint_id ?? null, test: false, fields: data });
}
