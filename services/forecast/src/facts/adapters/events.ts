import { isTerminalAdminStatus } from '@parcelway/contracts/admin-status';
import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import type { DomainEventType, EventPhoto } from '@parcelway/contracts/domain-events';
import type { Fact, ForecastFact } from '../../store/domain/fact.ts';
import type { Photo, WarehouseReport } from '../../store/domain/forecast.ts';
import type { ApplyFacts } from '../apply-facts.ts';

type WarehouseEventType = Extract<Fact['step'], `warehouse.${string}`>;

type ForecastEventType = WarehouseEventType | 'tracking.changed';

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
function counting<T extends CountingEventType>(step: T, event: DomainEvent<T>): Fact {
  const received = event.data.received_items;
  const report = reportOf(event);
  if (received === undefined) return { step, report };
  return { step, report, receivedItems: received.map(({ sku_code, quantity }) => ({ skuCode: sku_code, quantity })) };
}

function weighing(event: DomainEvent<'warehouse.weighed'>): Fact {
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

function photographing(event: DomainEvent<'warehouse.photographed'>): Fact {
  const { data } = event;
  const photo = { ...toPhoto(data.photo), imageType: data.image_type, imageOrder: data.image_order };
  return { step: 'warehouse.photographed', report: reportOf(event), photo };
}

function dispatching(event: DomainEvent<'warehouse.dispatched'>): Fact {
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
    ...(data.sealed_details !== undefined && { sealedDetails: data.sealed_details }),
  };
}

function exceptionOf(event: DomainEvent<'warehouse.exception'>): Fact {
  const { reason, text, photos } = event.data;
  const report = reportOf(event);
  const { occurredAt, occurredAtMs } = report;
  return { step: 'warehouse.exception', report, exception: { reason, text, photos: photos.map(toPhoto), occurredAt, occurredAtMs } };
}

/** What an event of the warehouse reports about a forecast. */
function reported(event: DomainEvent<WarehouseEventType>, fact: Fact): ForecastFact {
  return {
    tenantId: event.tenantid,
    forecastNo: event.data.forecast_no,
    // The warehouse's own id, not the envelope's: a report that is published again is still the same report. Event ids contain
    // no blank, so the two parts cannot run into each other.
    eventId: `${event.data.event_id} ${event.data.warehouse_code}`,
    fact,
    traceparent: event.traceparent,
    ...(event.data.matched && { isMatched: true }),
  };
}

type FactOf<T extends DomainEventType> = (event: DomainEvent<T>) => ForecastFact | undefined;

/** The consumed events and the fact that each reports; undefined when it concerns no forecast. */
const factsByType: { readonly [T in ForecastEventType]: FactOf<T> } = {
  'warehouse.arrived': (event) => reported(event, counting('warehouse.arrived', event)),
  'warehouse.weighed': (event) => reported(event, weighing(event)),
  'warehouse.photographed': (event) => reported(event, photographing(event)),
  'warehouse.processed': (event) => reported(event, counting('warehouse.processed', event)),
  'warehouse.put-away': (event) => reported(event, counting('warehouse.put-away', event)),
  'warehouse.dispatched': (event) => reported(event, dispatching(event)),
  'warehouse.exception': (event) => reported(event, exceptionOf(event)),
  'warehouse.held': (event) => reported(event, { step: 'warehouse.held', report: reportOf(event), reason: event.data.reason }),
  'warehouse.released': (event) => reported(event, { step: 'warehouse.released', report: reportOf(event) }),
  'tracking.changed': ({ id: eventId, tenantid: tenantId, data, traceparent }) => {
    // Only the final status concerns a forecast, and its correction; a change under way is between tracking and the tenant.
    if (!data.is_terminal && !isTerminalAdminStatus(data.previous_admin_status)) return undefined;
    const step = data.is_terminal ? 'tracking.ended' : 'tracking.resumed';
    return { tenantId, forecastNo: data.forecast_no, eventId, fact: { step, trackingNumber: data.tracking_number }, traceparent };
  },
};

/** The types of the consumed events. */
export const forecastEventTypes = Object.keys(factsByType) as ForecastEventType[];

/** The handler of the consumed events, any number at once. */
export function createEventHandler(apply: ApplyFacts): (events: readonly DomainEvent<ForecastEventType>[]) => Promise<void> {
  return (events) => apply(events.flatMap((event) => (factsByType[event.type] as FactOf<ForecastEventType>)(event) ?? []));
}
