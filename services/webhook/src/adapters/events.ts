import type { EventHandlers } from '@parcelway/bus/bus';
import type { TenantEvent } from '../domain/tenant-event.ts';
import { tenantEventOf } from '../domain/tenant-event.ts';

/** Consumer group of the service. */
export const CONSUMER_GROUP = 'webhook';

/** Handlers of the events that tenants hear of. */
export function webhookEventHandlers(accept: (event: TenantEvent) => Promise<void>): EventHandlers {
  return {
    'parcel.weighed': (event) => accept(tenantEventOf(event)),
    'tracking.changed': (event) => accept(tenantEventOf(event)),
  };
}
