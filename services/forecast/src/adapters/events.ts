import type { EventHandlers } from '@parcelway/bus/bus';
import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import type { EventPhoto } from '@parcelway/contracts/domain-events';
import type { ApplyEvent } from '../apply-event.ts';
import type { Happening } from '../domain/advance.ts';
import type { Photo } from '../domain/forecast.ts';

type WarehouseEventType =
  | 'warehouse.arrived'
  | 'warehouse.weighed'
  | 'warehouse.photographed'
  | 'warehouse.processed'
  | 'warehouse.put-away'
  | 'warehouse.dispatched';

function toPhoto(photo: EventPhoto): Photo {
  return {
    id: photo.id,
    path: photo.image_path,
    url: photo.image_url,
    sizeByte: photo.file_size,
    uploadTime: photo.upload_time,
    uploadTimeMs: Date.parse(photo.upload_time),
  };
}

function weighing({ data }: DomainEvent<'warehouse.weighed'>): Happening {
  return {
    step: 'warehouse.weighed',
    measurement: {
      lengthCm: data.length_cm,
      widthCm: data.width_cm,
      heightCm: data.height_cm,
      weightKg: data.weight_kg,
      weighedAt: data.occurred_at,
      weighedAtMs: Date.parse(data.occurred_at),
    },
    photos: data.photos.map((photo) => ({ ...toPhoto(photo), expressNo: data.express_no ?? '' })),
  };
}

function photographing({ data }: DomainEvent<'warehouse.photographed'>): Happening {
  const photo = { ...toPhoto(data.photo), imageType: data.image_type, imageOrder: data.image_order };
  return { step: 'warehouse.photographed', photo };
}

function dispatching({ data }: DomainEvent<'warehouse.dispatched'>): Happening {
  return {
    step: 'warehouse.dispatched',
    dispatch: {
      carrierCode: data.carrier_code,
      trackingNumber: data.tracking_number,
      dispatchedAt: data.occurred_at,
      dispatchedAtMs: Date.parse(data.occurred_at),
    },
  };
}

/** The consumed events and what each means for a forecast. */
export function createEventHandlers(apply: ApplyEvent): EventHandlers {
  // The warehouse's own id, not the envelope's: a report that is published anew is still the same report. Event ids hold
  // no blank, so the two parts cannot run into each other.
  const report = (event: DomainEvent<WarehouseEventType>, happening: Happening): Promise<void> =>
    apply({
      tenantId: event.tenantid,
      forecastNo: event.data.forecast_no,
      eventId: `${event.data.event_id} ${event.data.warehouse_code}`,
      happening,
      traceparent: event.traceparent,
    });
  return {
    'warehouse.arrived': (event) => report(event, { step: 'warehouse.arrived' }),
    'warehouse.weighed': (event) => report(event, weighing(event)),
    'warehouse.photographed': (event) => report(event, photographing(event)),
    'warehouse.processed': (event) => report(event, { step: 'warehouse.processed' }),
    'warehouse.put-away': (event) => report(event, { step: 'warehouse.put-away' }),
    'warehouse.dispatched': (event) => report(event, dispatching(event)),
    'tracking.changed': async (event) => {
      // Only the end of the way concerns a forecast; a change under way is between tracking and the tenant.
      if (!event.data.is_terminal) return;
      const { tenantid: tenantId, data, traceparent } = event;
      await apply({ tenantId, forecastNo: data.forecast_no, eventId: event.id, happening: { step: 'tracking.ended' }, traceparent });
    },
  };
}
