import type { EndpointFilter, SentEventType } from '@parcelway/contracts/webhook-api';

/** The fields of the `data` of an event. */
export type EventFields = Readonly<Record<string, unknown>>;

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

/** True when an endpoint subscribes to the type of a stored event, and its filter lets it through. */
export function isBodyFor(
  endpoint: { readonly eventTypes: readonly SentEventType[]; readonly filter: EndpointFilter },
  event: { readonly type: SentEventType; readonly body: string },
): boolean {
  return endpoint.eventTypes.includes(event.type) && bodyFitsFilter(endpoint.filter, event.body);
}
