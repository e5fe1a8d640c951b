/** Events that an endpoint can subscribe to. */
export const tenantEventTypes = ['parcel.weighed', 'tracking.changed'] as const;
export type TenantEventType = (typeof tenantEventTypes)[number];

/** What a test event has for its type unless another is asked for. */
export const TEST_EVENT_TYPE = 'endpoint.test';

/** Told to the other endpoints of a tenant, whatever they subscribe to, when the platform has disabled one. */
export const DISABLED_EVENT_TYPE = 'endpoint.disabled';

/** Every type that an endpoint may be sent. */
export const sentEventTypes = [...tenantEventTypes, TEST_EVENT_TYPE, DISABLED_EVENT_TYPE] as const;
export type SentEventType = (typeof sentEventTypes)[number];
