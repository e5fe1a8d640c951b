/** Events that an endpoint receives unless it names others, and that the feed shows unless it is asked for others. */
export const standardEventTypes = ['parcel.weighed', 'tracking.changed'] as const;

/** Further events: only endpoints that name them receive them, and the feed shows them only when it is asked for them. */
export const optInEventTypes = [
  'forecast.accepted',
  'forecast.corrected',
  'forecast.cancelled',
  'parcel.arrived',
  'parcel.photographed',
  'parcel.put_away',
  'parcel.dispatched',
  'parcel.completed',
  'parcel.exception',
] as const;
export type OptInEventType = (typeof optInEventTypes)[number];

/** Events that an endpoint can subscribe to. */
export const tenantEventTypes = [...standardEventTypes, ...optInEventTypes] as const;
export type TenantEventType = (typeof tenantEventTypes)[number];

/** What a test event has for its type unless another is asked for. */
export const TEST_EVENT_TYPE = 'endpoint.test';

/** Sent to the other endpoints of a tenant, whatever they subscribe to, when the platform has disabled one. */
export const DISABLED_EVENT_TYPE = 'endpoint.disabled';

/** Every type that an endpoint may be sent. */
export const sentEventTypes = [...tenantEventTypes, TEST_EVENT_TYPE, DISABLED_EVENT_TYPE] as const;
export type SentEventType = (typeof sentEventTypes)[number];

/** Types that the feed can be narrowed to. */
export const feedEventTypes = [...tenantEventTypes, DISABLED_EVENT_TYPE] as const;

/** True for a type that is sent and shown only when it is named. */
export function isOptInType(type: SentEventType): type is OptInEventType {
  return (optInEventTypes as readonly string[]).includes(type);
}
