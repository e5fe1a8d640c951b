import type { EventHandlers } from '@parcelway/bus/bus';
import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import type { NotifiedEventType } from '../domain/notified-events.ts';
import type { TenantEvent } from '../domain/tenant-event.ts';
import { tenantEventOf } from '../domain/tenant-event.ts';

/** Consumer group of the service. */
export const CONSUMER_GROUP = 'webhook';

/** Handlers of the events that tenants hear of. */
export function webhookEventHandlers(accept: (event: TenantEvent) => Promise<void>): EventHandlers {
  const tell = (event: DomainEvent<NotifiedEventType>): Promise<void> => accept(tenantEventOf(event));
  return {
    'parcel.weighed': tell,
    'tracking.changed': tell,
    'forecast.accepted': tell,
    'forecast.corrected': tell,
    'forecast.cancelled': tell,
    'forecast.dispatched': tell,
    'parcel.arrived': tell,
    'parcel.photographed': tell,
    'parcel.put_away': tell,
    'parcel.completed': tell,
    'parcel.exception': tell,
  } satisfies Record<NotifiedEventType, typeof tell>;
}
