import { DISABLED_EVENT_TYPE } from '@parcelway/contracts/webhook-event-types';
import type { Endpoint } from '../../endpoints/domain/endpoint.ts';
import { fitsFilter } from '../../endpoints/domain/event-filter.ts';
import { isSubscribed } from '../../endpoints/domain/subscription.ts';
import type { TenantEvent } from './tenant-event.ts';

/**
 * True when an event is for an endpoint: a test event for the one that is tested; the news that an endpoint was disabled for
 * all others; any other event by subscription and filter.
 */
export function isFor(event: Pick<TenantEvent, 'type' | 'about' | 'test' | 'fields'>, endpoint: Endpoint): boolean {
  if (event.test) return event.about === endpoint.endpointId;
  if (event.type === DISABLED_EVENT_TYPE) return event.about !== endpoint.endpointId;
  return isSubscribed(endpoint, event.type) && fitsFilter(endpoint.filter, event.fields);
}
