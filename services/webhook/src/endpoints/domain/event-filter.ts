import type { EndpointDisabledWebhook } from '@parcelway/contracts/webhook-bodies';
import type { EndpointFilter } from '@parcelway/contracts/webhook-endpoint-api';
import { DISABLED_EVENT_TYPE, type SentEventType } from '@parcelway/contracts/webhook-event-types';

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

/**
 * True when a stored event, not a test event, is for an endpoint: the news that another was disabled; any other event by
 * subscription and filter. See domain/delivery isFor.
 */
export function isBodyFor(
  endpoint: { readonly endpointId: string; readonly eventTypes: readonly SentEventType[]; readonly filter: EndpointFilter },
  event: { readonly type: SentEventType; readonly body: string },
): boolean {
  if (event.type === DISABLED_EVENT_TYPE)
    return (JSON.parse(event.body) as EndpointDisabledWebhook).data.endpoint_id !== endpoint.endpointId;
  return endpoint.eventTypes.includes(event.type) && bodyFitsFilter(endpoint.filter, event.body);
}
