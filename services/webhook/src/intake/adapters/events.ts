import type { EventBatchHandler } from '@parcelway/bus/bus';
import type { EventAcceptance } from '../accept-events.ts';
import type { NotifiedEventType } from '../domain/notified-events.ts';
import { tenantEventOf } from '../domain/tenant-event.ts';

/** Consumer group of the service. */
export const CONSUMER_GROUP = 'webhook';

/** Accepts the events that tenants are notified of, those of a batch together. */
export function createEventHandler({ accept }: Pick<EventAcceptance, 'accept'>): EventBatchHandler<NotifiedEventType> {
  return (events) => accept(events.map(tenantEventOf));
}
