import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import type { DomainEventData, DomainEventType } from '@parcelway/contracts/domain-events';
import { forecastStatuses } from '@parcelway/contracts/forecast-status';
import type { TenantEventType } from '@parcelway/contracts/webhook-event-types';
import type { EventFields } from '../../endpoints/domain/subscription.ts';

interface Notification {
  readonly type: TenantEventType;
  /** Fields with the same value in every such event. */
  readonly fixed: EventFields;
  /** Fields copied from `data` of the domain event, in this order, after the fixed ones. */
  readonly fields: readonly string[];
}

const notify = <T extends DomainEventType>(
  type: TenantEventType,
  fields: readonly (keyof DomainEventData<T> & string)[],
  fixed: EventFields = {},
): Notification => ({ type, fields, fixed });

const OF_WAREHOUSE = ['status', 'warehouse_code', 'occurred_at'] as const;
const { ACCEPTED, CANCELLED } = forecastStatuses;

/** Domain event → what tenants are notified of. */
const notifications = {
  'parcel.weighed': notify<'parcel.weighed'>('parcel.weighed', ['status', 'weighed_at']),
  'tracking.changed': notify<'tracking.changed'>('tracking.changed', [
    'previous_admin_status',
    'admin_status',
    'is_terminal',
    'tracking_number',
  ]),
  'forecast.accepted': notify<'forecast.accepted'>('forecast.accepted', ['version', 'warehouse_code', 'accepted_at'], { status: ACCEPTED }),
  'forecast.corrected': notify<'forecast.corrected'>('forecast.corrected', [
    'status',
    'version',
    'warehouse_code',
    'changed',
    'corrected_at',
  ]),
  'forecast.cancelled': notify<'forecast.cancelled'>('forecast.cancelled', ['cancelled_at'], { status: CANCELLED }),
  'forecast.dispatched': notify<'forecast.dispatched'>('parcel.dispatched', ['status', 'carrier_code', 'tracking_number', 'dispatched_at']),
  'parcel.arrived': notify<'parcel.arrived'>('parcel.arrived', OF_WAREHOUSE),
  'parcel.photographed': notify<'parcel.photographed'>('parcel.photographed', [...OF_WAREHOUSE, 'image_type', 'image_order']),
  'parcel.put_away': notify<'parcel.put_away'>('parcel.put_away', OF_WAREHOUSE),
  'parcel.completed': notify<'parcel.completed'>('parcel.completed', ['status', 'reason', 'completed_at']),
  'parcel.exception': notify<'parcel.exception'>('parcel.exception', [...OF_WAREHOUSE, 'reason', 'text']),
} as const;

export type NotifiedEventType = keyof typeof notifications;

export const notifiedEventTypes = Object.keys(notifications) as readonly NotifiedEventType[];

/** The notification for a domain event: its type, and the fields of `data` that say what happened. */
export function notificationOf({ type: of, data }: DomainEvent<NotifiedEventType>): {
  readonly type: TenantEventType;
  readonly details: EventFields;
} {
  const { type, fields, fixed } = notifications[of];
  const given = data as unknown as EventFields;
  return { type, details: { ...fixed, ...Object.fromEntries(fields.map((name) => [name, given[name]])) } };
}
