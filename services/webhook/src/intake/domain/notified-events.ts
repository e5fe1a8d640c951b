import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import type { DomainEventData, DomainEventType } from '@parcelway/contracts/domain-events';
import { forecastStatuses } from '@parcelway/contracts/forecast-status';
import type { TenantEventType } from '@parcelway/contracts/webhook-event-types';
import type { EventFields } from '../../endpoints/domain/event-filter.ts';

interface Notification<T extends DomainEventType> {
  readonly type: TenantEventType;
  /** The fields of `data` that say what happened, in their order. */
  readonly details: (data: DomainEventData<T>) => EventFields;
}

const notify = <T extends DomainEventType>(type: TenantEventType, details: Notification<T>['details']): Notification<T> => ({
  type,
  details,
});

/** Domain event → what tenants are notified of. */
const notifications = {
  'parcel.weighed': notify<'parcel.weighed'>('parcel.weighed', ({ status, weighed_at }) => ({ status, weighed_at })),
  'tracking.changed': notify<'tracking.changed'>(
    'tracking.changed',
    ({ previous_admin_status, admin_status, is_terminal, tracking_number }) => ({
      previous_admin_status,
      admin_status,
      is_terminal,
      tracking_number,
    }),
  ),
  'forecast.accepted': notify<'forecast.accepted'>('forecast.accepted', ({ version, warehouse_code, accepted_at }) => ({
    status: forecastStatuses.ACCEPTED,
    version,
    warehouse_code,
    accepted_at,
  })),
  'forecast.corrected': notify<'forecast.corrected'>(
    'forecast.corrected',
    ({ status, version, warehouse_code, changed, corrected_at }) => ({
      status,
      version,
      warehouse_code,
      changed,
      corrected_at,
    }),
  ),
  'forecast.cancelled': notify<'forecast.cancelled'>('forecast.cancelled', ({ cancelled_at }) => ({
    status: forecastStatuses.CANCELLED,
    cancelled_at,
  })),
  'forecast.dispatched': notify<'forecast.dispatched'>('parcel.dispatched', ({ status, carrier_code, tracking_number, dispatched_at }) => ({
    status,
    carrier_code,
    tracking_number,
    dispatched_at,
  })),
  'parcel.arrived': notify<'parcel.arrived'>('parcel.arrived', ({ status, warehouse_code, occurred_at }) => ({
    status,
    warehouse_code,
    occurred_at,
  })),
  'parcel.photographed': notify<'parcel.photographed'>(
    'parcel.photographed',
    ({ status, warehouse_code, occurred_at, image_type, image_order }) => ({
      status,
      warehouse_code,
      occurred_at,
      image_type,
      image_order,
    }),
  ),
  'parcel.put_away': notify<'parcel.put_away'>('parcel.put_away', ({ status, warehouse_code, occurred_at }) => ({
    status,
    warehouse_code,
    occurred_at,
  })),
  'parcel.completed': notify<'parcel.completed'>('parcel.completed', ({ status, reason, completed_at }) => ({
    status,
    reason,
    completed_at,
  })),
  'parcel.exception': notify<'parcel.exception'>('parcel.exception', ({ status, warehouse_code, occurred_at, reason, text }) => ({
    status,
    warehouse_code,
    occurred_at,
    reason,
    text,
  })),
} as const;

export type NotifiedEventType = keyof typeof notifications;

export const notifiedEventTypes = Object.keys(notifications) as readonly NotifiedEventType[];

/** What tenants are notified of by a domain event: the type, and the fields of `data` that say what happened. */
export function notificationOf({ type, data }: DomainEvent<NotifiedEventType>): {
  readonly type: TenantEventType;
  readonly details: EventFields;
} {
  const notification = notifications[type] as Notification<DomainEventType>;
  return { type: notification.type, details: notification.details(data) };
}
