import type { EventHandlers } from '@parcelway/bus/bus';
import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import type { EventPhoto } from '@parcelway/contracts/domain-events';
import type { ApplyEvent } from '../apply-event.ts';
import type { Photo, WarehouseReport } from '../domain/forecast.ts';
import type { Happening } from '../domain/happening.ts';
import type { RecordDocuments } from '../record-documents.ts';

type WarehouseEventType =
  | 'warehouse.arrived'
  | 'warehouse.weighed'
  | 'warehouse.photographed'
  | 'warehouse.processed'
  | 'warehouse.put-away'
  | 'warehouse.dispatched'
  | 'warehouse.exception'
  | 'warehouse.held'
  | 'warehouse.released';

type CountingEventType = 'warehouse.arrived' | 'warehouse.processed' | 'warehouse.put-away';

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

function reportOf({ data }: DomainEvent<WarehouseEventType>): WarehouseReport {
  return {
    warehouseCode: data.warehouse_code,
    eventId: data.event_id,
    expressNo: data.express_no,
    occurredAt: data.occurred_at,
    occurredAtMs: Date.parse(data.occurred_at),
  };
}

/** A step that may bring a count. */
function counting<T extends CountingEventType>(step: T, event: DomainEvent<T>): Happening {
  const received = event.data.received_items;
  const report = reportOf(event);
  if (received === undefined) return { step, report };
  return { step, report, receivedItems: received.map(({ sku_code, quantity }) => ({ skuCode: sku_code, quantity })) };
}

function weighing(event: DomainEvent<'warehouse.weighed'>): Happening {
  const { data } = event;
  const report = reportOf(event);
  const { warehouseCode, eventId, expressNo } = report;
  return {
    report,
    step: 'warehouse.weighed',
    measurement: {
      lengthCm: data.length_cm,
      widthCm: data.width_cm,
      heightCm: data.height_cm,
      weightKg: data.weight_kg,
      weighedAt: data.occurred_at,
      weighedAtMs: report.occurredAtMs,
      ...(data.photos.length > 0 && { photoIds: data.photos.map(({ id }) => id) }),
      reportedBy: { warehouseCode, eventId, expressNo },
    },
    photos: data.photos.map((photo) => ({ ...toPhoto(photo), expressNo: data.express_no ?? '' })),
  };
}

function photographing(event: DomainEvent<'warehouse.photographed'>): Happening {
  const { data } = event;
  const photo = { ...toPhoto(data.photo), imageType: data.image_type, imageOrder: data.image_order };
  return { step: 'warehouse.photographed', report: reportOf(event), photo };
}

function dispatching(event: DomainEvent<'warehouse.dispatched'>): Happening {
  const { data } = event;
  return {
    report: reportOf(event),
    step: 'warehouse.dispatched',
    dispatch: {
      carrierCode: data.carrier_code,
      trackingNumber: data.tracking_number,
      dispatchedAt: data.occurred_at,
      dispatchedAtMs: Date.parse(data.occurred_at),
    },
  };
}

function exceptionOf(event: DomainEvent<'warehouse.exception'>): Happening {
  const { reason, text, photos } = event.data;
  const report = reportOf(event);
  const { occurredAt, occurredAtMs } = report;
  return { step: 'warehouse.exception', report, exception: { reason, text, photos: photos.map(toPhoto), occurredAt, occurredAtMs } };
}

/** The consumed events and what each means for a forecast. */
export function createEventHandlers(apply: ApplyEvent, recordDocuments: RecordDocuments): EventHandlers {
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
    'warehouse.arrived': (event) => report(event, counting('warehouse.arrived', event)),
    'warehouse.weighed': (event) => report(event, weighing(event)),
    'warehouse.photographed': (event) => report(event, photographing(event)),
    'warehouse.processed': (event) => report(event, counting('warehouse.processed', event)),
    'warehouse.put-away': (event) => report(event, counting('warehouse.put-away', event)),
    'warehouse.dispatched': (event) => report(event, dispatching(event)),
    'warehouse.exception': (event) => report(event, exceptionOf(event)),
    'warehouse.held': (event) => report(event, { step: 'warehouse.held', report: reportOf(event), reason: event.data.reason }),
    'warehouse.released': (event) => report(event, { step: 'warehouse.released', report: reportOf(event) }),
    'documents.generated': ({ tenantid: tenantId, data }) =>
      recordDocuments(tenantId, data.forecast_no, {
        version: data.version,
        marketplaceLabel: data.marketplace_label,
        packingSlip: data.packing_slip,
      }),
    'tracking.changed': async (event) => {
      // Only the end of the way concerns a forecast; a change under way is between tracking and the tenant.
      if (!event.data.is_terminal) return;
      const { tenantid: tenantId, data, traceparent } = event;
      await apply({ tenantId, forecastNo: data.forecast_no, eventId: event.id, happening: { step: 'tracking.ended' }, traceparent });
    },
  };
}
