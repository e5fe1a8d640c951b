import type { EndpointFilter } from '@parcelway/contracts/webhook-endpoint-api';

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
